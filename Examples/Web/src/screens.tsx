// The screens of the app, one for each route.
import { AppRoute } from "./routes/appRoute";
import type { WaymarkNavigator } from "./routes/waymark-navigator";
import { KnownDestination, WaymarkDestination, destination, isKnown } from "./routes/waymark-runtime";
import { session } from "./session";

interface Props {
    readonly route: KnownDestination<AppRoute>;
    /** The destinations that the screen stands on, root first. */
    readonly below: readonly WaymarkDestination<AppRoute>[];
    readonly navigator: WaymarkNavigator<AppRoute>;
}

/** The episode that a screen was opened from. */
function Origin({ below }: Pick<Props, "below">) {
    const top = below[below.length - 1];
    if (top === undefined || !isKnown(top) || top.route !== "episode") return null;
    return <p>In episode {top.parameters.id}</p>;
}

/** Compiles only if every route has its screen. */
export function Screen({ route, below, navigator }: Props) {
    const push = (next: AppRoute) => () => navigator.push(destination(next, "push"));
    /** Opens what may be behind a gate, over this screen: by its link, so that the server says whether it opens. */
    const open = (next: AppRoute, presentation: "push" | "sheet") => () => {
        void navigator.open([...below, route, destination(next, presentation)]);
    };
    /** Goes on to the link that waits, once the session has what it was for. */
    const resume = async (action: Promise<boolean> | true, waiting = 0) => {
        if (await action) await navigator.resume({ waiting });
    };
    switch (route.route) {
        case "tabBar": return <h1>Nothing is selected</h1>;
        case "characters": return (
            <>
                <h1>Characters</h1>
                <ul>
                    {[1, 2, 3].map((id) => (
                        <li key={id}>
                            <button onClick={push({ route: "character", parameters: { id } })}>Character {id}</button>
                        </li>
                    ))}
                </ul>
                <button onClick={() => navigator.present(destination<AppRoute>({ route: "settings", parameters: {} }, "fullScreenCover"))}>
                    Settings
                </button>
            </>
        );
        case "character": return (
            <>
                <h1>Character {route.parameters.id}</h1>
                <Origin below={below} />
                <button onClick={open({
                    route: "characterSheet", parameters: { title: "About", characterId: route.parameters.id },
                }, "sheet")}>About</button>
                <button onClick={push({ route: "character", parameters: { id: route.parameters.id + 1 } })}>Next</button>
            </>
        );
        case "characterSheet": return <h1>{route.parameters.title} character {route.parameters.characterId}</h1>;
        case "episodes": return (
            <>
                <h1>Episodes</h1>
                <button onClick={push({ route: "episode", parameters: { id: 1 } })}>Episode 1</button>
            </>
        );
        case "episode": return (
            <>
                <h1>Episode {route.parameters.id}</h1>
                <button onClick={push({ route: "character", parameters: { id: 2 } })}>Character 2</button>
            </>
        );
        case "favorites": return (
            <>
                <h1>Favorites of {session.user}</h1>
                <button onClick={push({ route: "character", parameters: { id: 3 } })}>Character 3</button>
            </>
        );
        case "settings": return (
            <>
                <h1>Settings</h1>
                <button onClick={open({ route: "profile", parameters: {} }, "push")}>Profile</button>
                <button onClick={() => {
                    session.signOut();
                    navigator.signOut();
                }}>Sign out</button>
            </>
        );
        case "profile": return <h1>Profile of {session.user}</h1>;
        case "onboarding": case "step": return (
            <>
                <h1>Welcome</h1>
                <button onClick={() => {
                    session.introduce();
                    void resume(true);
                }}>Go on</button>
            </>
        );
        case "login": case "registration": return (
            <>
                <h1>Sign in</h1>
                <button onClick={() => { void resume(session.signIn("ada")); }}>Sign in as Ada</button>
            </>
        );
        case "paywall": return (
            <>
                <h1>Premium</h1>
                <button onClick={() => { void resume(session.buy(), 20_000); }}>Buy</button>
            </>
        );
        default: {
            const nothing: never = route;
            return nothing;
        }
    }
}
