// The app on the page: its layers over each other, the tab bar, and what went wrong.
import { useSyncExternalStore } from "react";
import { AppRoute } from "./routes/appRoute";
import type { NavigationBranch } from "./routes/waymark-navigation";
import type { WaymarkNavigator } from "./routes/waymark-navigator";
import { WaymarkDestination, destination, isKnown } from "./routes/waymark-runtime";
import { Screen } from "./screens";
import { session } from "./session";

type Navigator = WaymarkNavigator<AppRoute>;

export function App({ navigator }: { readonly navigator: Navigator }) {
    const state = useSyncExternalStore(navigator.subscribe, () => navigator.state);
    let count = 0;
    const layers = state.layers.map((branch, index) => {
        const below = state.stack.slice(0, count);
        count += flat(branch);
        return index === 0
            ? <main key={index} {...(state.layers.length > 1 ? { inert: "" } : {})}><Branch {...{ branch, below, navigator }} /></main>
            : <Layer key={index} {...{ branch, below, navigator }} />;
    });
    return <><Notice navigator={navigator} />{layers}</>;
}

function flat(branch: NavigationBranch<AppRoute>): number {
    const top = branch[branch.length - 1];
    const tab = top?.selected === undefined ? undefined : top.tabs[top.selected];
    return branch.length + (tab === undefined ? 0 : flat(tab));
}

interface Place {
    readonly branch: NavigationBranch<AppRoute>;
    readonly below: readonly WaymarkDestination<AppRoute>[];
    readonly navigator: Navigator;
}

/** The top screen of a stack, or the selected tab over it with the bar. */
function Branch({ branch, below, navigator }: Place) {
    const top = branch[branch.length - 1];
    if (top === undefined) return null;
    const under = [...below, ...branch.slice(0, -1).map((node) => node.destination)];
    const tab = top.selected === undefined ? undefined : top.tabs[top.selected];
    if (tab === undefined) return <Known item={top.destination} below={under} navigator={navigator} />;
    const isBar = top.destination.route === "tabBar";
    return (
        <>
            <Branch branch={tab} below={[...under, top.destination]} navigator={navigator} />
            {isBar ? <TabBar selected={tab[0]?.destination.route ?? ""} at={under.length + 1} navigator={navigator} /> : null}
        </>
    );
}

/** A sheet or a cover, which the user can close. */
function Layer({ branch, below, navigator }: Place) {
    const kind = branch[0]?.destination.presentation === "fullScreenCover" ? "cover" : "sheet";
    return (
        <div className={`layer ${kind}`} role="dialog" aria-modal="true" aria-label={branch[0]?.destination.route}>
            <main>
                <button onClick={() => navigator.dismiss(below.length)}>Close</button>
                <Branch {...{ branch, below, navigator }} />
            </main>
        </div>
    );
}

function Known({ item, below, navigator }: {
    readonly item: WaymarkDestination<AppRoute>; readonly below: readonly WaymarkDestination<AppRoute>[]; readonly navigator: Navigator;
}) {
    return isKnown(item)
        ? <Screen route={item} below={below} navigator={navigator} />
        : <p>Reload the page to see {item.route}.</p>;
}

const titles = { characters: "Characters", episodes: "Episodes", favorites: "Favorites" } as const;

function TabBar({ selected, at, navigator }: {
    readonly selected: string; readonly at: number; readonly navigator: Navigator;
}) {
    const select = (route: keyof typeof titles) => {
        const isOpen = navigator.state.tabs(at).some((tab) => tab[0]?.destination.route === route);
        // The favorites are behind the login: the server says whether they open.
        const tab = destination<AppRoute>({ route, parameters: {} }, "tab");
        if (route === "favorites" && !isOpen) void navigator.open([...navigator.state.stack.slice(0, at), tab]);
        else navigator.select(tab, at);
    };
    return (
        <nav aria-label="Tabs">
            {(Object.keys(titles) as (keyof typeof titles)[]).map((route) => (
                <button key={route} aria-current={route === selected ? "page" : undefined} onClick={() => select(route)}>
                    {titles[route]}
                </button>
            ))}
        </nav>
    );
}

/** The problem of the last link, and of the backend. */
function Notice({ navigator }: { readonly navigator: Navigator }) {
    const problem = useSyncExternalStore(navigator.subscribe, () => navigator.problem);
    const isOffline = useSyncExternalStore(session.subscribe, () => session.hasFailed);
    if (problem === undefined && !isOffline) return null;
    const isLost = problem !== undefined && (problem.status === 0 || problem.status >= 500);
    return (
        <div className="notice" role="alert">
            <p>{isOffline || isLost ? "There is no connection." : problem?.detail}</p>
            {isLost && navigator.pending !== undefined
                ? <button onClick={() => { void navigator.resume(); }}>Try again</button> : null}
        </div>
    );
}
