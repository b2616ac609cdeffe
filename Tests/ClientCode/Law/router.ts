// Expo Router in place of the real one, for Law/runner.ts: a tree of stacks and tabs that a state is given to, that goes back and
// whose tabs are tapped. The tree is made of a catalog.
import type { ExpoLayouts, RouterContainer, RouterScreen, RouterState } from "./waymark-expo";

/** The parts of `GET /v1/catalog` that files are made of. */
export interface Catalog {
    readonly routes: readonly { readonly name: string; readonly opens: readonly { readonly route: string; readonly presentation: string }[] }[];
}

/** The files of an app: routes with tabs have a layout, each tab a stack of its own, in which two of three routes have a file. */
export function filesOf({ routes }: Catalog): {
    readonly screens: { readonly [route: string]: readonly string[] }; readonly layouts: ExpoLayouts;
} {
    const layouts: { [folder: string]: "stack" | "tabs" } = {}, screens: { [route: string]: string[] } = {};
    for (const { name } of routes) screens[name] = [name];
    const tabsOf = (name: string) =>
        [...new Set(routes.find((route) => route.name === name)?.opens.filter((edge) => edge.presentation === "tab").map(({ route }) => route))];
    const addTabs = (name: string, folder: string, depth: number): void => {
        const tabs = tabsOf(name);
        if (tabs.length === 0 || depth > 3) return;
        layouts[folder] = "tabs";
        const own = (tab: string) => `${folder}/${tab}`;
        for (const tab of tabs) screens[tab]?.push(tabsOf(tab).length > 0 ? own(tab) : `${own(tab)}/index`);
        for (const tab of tabs) {
            if (tabsOf(tab).length > 0) {
                addTabs(tab, own(tab), depth + 1);
                continue;
            }
            layouts[own(tab)] = "stack";
            for (const [index, route] of routes.entries()) {
                if (index % 3 > 0 && route.name !== tab && tabsOf(route.name).length === 0) screens[route.name]?.push(`${own(tab)}/${route.name}`);
            }
        }
    };
    for (const { name } of routes) addTabs(name, name, 0);
    return { screens, layouts };
}

export class Router implements RouterContainer {
    private root: RouterState = { index: 0, routes: [{ name: "__root", key: "root" }] };
    private listeners: (() => void)[] = [];
    private count = 0;

    /** `bars` are the tabs of layouts whose tabs have none of their own. */
    constructor(private readonly layouts: ExpoLayouts, private readonly bars: { readonly [folder: string]: readonly string[] } = {}) {}

    isReady() { return true; }

    getRootState() { return this.root; }

    addListener(_: "state", listener: () => void) {
        this.listeners.push(listener);
        return () => { this.listeners = this.listeners.filter((other) => other !== listener); };
    }

    /** Fills a partial state up, as getRehydratedState of the routers of stacks and tabs does. */
    resetRoot(state?: RouterState) {
        const inner = state?.routes[0]?.state ?? { routes: [] };
        this.take(this.hydrated(inner, ""));
    }

    /** Goes back, as the system's button does. Returns whether there was anything to go back to. */
    back(): boolean {
        const popped = this.popped(this.inner, "");
        if (popped !== undefined) this.take(popped);
        return popped !== undefined;
    }

    /** Taps the tab of a route in the bar that is shown. Returns whether there is one. */
    tap(route: string): boolean {
        const tapped = this.tapped(this.inner, "", route);
        if (tapped !== undefined) this.take(tapped);
        return tapped !== undefined;
    }

    private get inner(): RouterState { return this.root.routes[0]?.state ?? { routes: [] }; }

    private take(state: RouterState) {
        this.root = { index: 0, routes: [{ name: "__root", key: "root", state }] };
        for (const listener of [...this.listeners]) listener();
    }

    private hydrated({ index, routes }: RouterState, folder: string): RouterState {
        const names = this.tabNames(folder);
        const filled = (screen: RouterScreen): RouterScreen => {
            const name = nameIn(folder, screen.name);
            return {
                ...screen, key: screen.key ?? `${screen.name}-${this.count += 1}`,
                ...(screen.state === undefined ? {} : { state: this.hydrated(screen.state, name) }),
            };
        };
        if (names === undefined) return { index: routes.length - 1, routes: routes.map(filled) };
        const focused = routes[index ?? 0]?.name ?? "";
        for (const { name } of routes) if (!names.includes(name)) throw new Error(`${folder} has no tab ${name}`);
        return {
            index: Math.max(names.indexOf(focused), 0),
            routes: names.map((name) => filled(routes.find((screen) => screen.name === name) ?? { name })),
        };
    }

    /** The tabs of a layout, in the order of the catalog; without a state until they are shown. */
    private tabNames(folder: string): readonly string[] | undefined {
        if (this.layouts[folder] !== "tabs") return undefined;
        return this.bars[folder] ?? Object.keys(this.layouts).filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1))
            .filter((name) => !name.includes("/"));
    }

    private popped(state: RouterState, folder: string): RouterState | undefined {
        const at = state.index ?? 0, top = state.routes[at];
        const inner = top?.state === undefined ? undefined : this.popped(top.state, nameIn(folder, top.name));
        if (top !== undefined && inner !== undefined) return replacing(state, at, { ...top, state: inner });
        if (this.layouts[folder] === "tabs" || at <= 0) return undefined;
        return { index: at - 1, routes: state.routes.slice(0, at) };
    }

    private tapped(state: RouterState, folder: string, route: string): RouterState | undefined {
        const at = state.index ?? 0, top = state.routes[at];
        const name = nameIn(folder, top?.name ?? "");
        const inner = top?.state === undefined ? undefined : this.tapped(top.state, name, route);
        if (top !== undefined && inner !== undefined) return replacing(state, at, { ...top, state: inner });
        const index = this.tabNames(folder)?.indexOf(route) ?? -1;
        const isInnermost = top?.state === undefined || !hasTabs(top.state, name, this.layouts);
        return index < 0 || index === at || !isInnermost ? undefined : { ...state, index };
    }
}

function hasTabs(state: RouterState, folder: string, layouts: ExpoLayouts): boolean {
    const top = state.routes[state.index ?? 0];
    return layouts[folder] === "tabs" || top?.state !== undefined && hasTabs(top.state, nameIn(folder, top.name), layouts);
}

function nameIn(folder: string, name: string): string {
    return folder === "" ? name : `${folder}/${name}`;
}

function replacing(state: RouterState, at: number, screen: RouterScreen): RouterState {
    return { ...state, routes: state.routes.map((other, index) => index === at ? screen : other) };
}
