/* eslint-disable */
// Waymark's runtime: the way from a system's link to the screens of Expo Router, and from its gestures back to the app.
import { useNavigationContainerRef } from "expo-router";
import { useEffect, useSyncExternalStore } from "react";
import type {
    AnyRoute, JSONValue, RouteTable, ValueSpec, WaymarkDenial, WaymarkDestination, WaymarkProblem,
} from "./waymark-runtime";
import type { NavigationBranch, NavigationState } from "./waymark-navigation";
import { isSameDestination } from "./waymark-navigation";
import type { PendingLink, WaymarkNavigator } from "./waymark-navigator";
import { readDestination, writeStack } from "./waymark-runtime";

/**
 * The file of each route's screen below the folder `app`, without its ending, such as `(tabs)/character/[id]`: of several, the
 * one nearest to the screen below is shown. A container has the folder of its layout. Without a file a route shows nothing.
 */
export type ExpoScreens<Route extends AnyRoute> = { readonly [Name in Route["route"]]: string | readonly string[] };

/** The folders that have a layout, and whether that shows tabs. The root has the name "". */
export type ExpoLayouts = { readonly [folder: string]: "stack" | "tabs" };

/** A screen in the state of the router, with the state of its layout, if it is one. */
export interface RouterScreen {
    readonly name: string;
    readonly key?: string | undefined;
    readonly params?: object | undefined;
    readonly state?: RouterState | undefined;
}

/** The state of a layout of the router. */
export interface RouterState {
    readonly key?: string | undefined;
    readonly index?: number | undefined;
    readonly routes: readonly RouterScreen[];
}

/** The part of Expo Router's container that the adapter needs. */
export interface RouterContainer {
    isReady(): boolean;
    getRootState(): RouterState | undefined;
    resetRoot(state?: RouterState): void;
    addListener(type: "state", listener: () => void): () => void;
}

/** What a screen may show of links: what is shown, the gate that was met, the link that waits behind it, and what failed. */
export interface LinkState<Route extends AnyRoute> {
    readonly state: NavigationState<Route>;
    readonly denial: WaymarkDenial<Route> | undefined;
    readonly pending: PendingLink<Route> | undefined;
    readonly problem: WaymarkProblem | undefined;
    readonly unrecognized: WaymarkDestination<Route> | undefined;
}

/** The parts of an app's links. */
export interface WaymarkLinksOptions<Route extends AnyRoute> {
    readonly table: RouteTable<Route>;
    readonly navigator: WaymarkNavigator<Route>;
    readonly screens: ExpoScreens<Route>;
    readonly layouts: ExpoLayouts;
    /** How long the start of the app waits for the answer to its link, in milliseconds (3000). It is shown once it is there. */
    readonly patience?: number;
}

type Destinations<Route extends AnyRoute> = readonly WaymarkDestination<Route>[];

/** A level under construction. */
interface Level { readonly folder: string; readonly screens: Screen[]; index: number }
interface Screen { readonly name: string; params?: object; level?: Level }

/** The parameter of the router in which a screen has its destination, and the number of screens below. */
const marker = "waymark";

/**
 * The links of an app with Expo Router: the navigator says what is shown, and the router shows it.
 *
 * The state of the router is made of the files of the screens. A gesture, a tap on a tab, and what the app pushes by the
 * router itself come back to the navigator.
 */
export class WaymarkLinks<Route extends AnyRoute, Href extends string = string> {
    readonly navigator: WaymarkNavigator<Route>;
    private readonly routes = new Map<string, string>();
    private container: RouterContainer | undefined;
    private known: LinkState<Route> | undefined;

    constructor(private readonly options: WaymarkLinksOptions<Route>) {
        this.navigator = options.navigator;
        for (const [route, files] of Object.entries<string | readonly string[]>(options.screens)) {
            for (const file of typeof files === "string" ? [files] : files) this.routes.set(file, route);
        }
        this.navigator.subscribe(() => { this.known = undefined; });
    }

    /**
     * Opens a link of the system, for `app/+native-intent.tsx`. A start of the app waits for the answer. Later the router
     * stays where it is, and follows the navigator. What is no link of the catalog is left to the router.
     */
    readonly redirectSystemPath = async (
        { path, initial }: { readonly path: string; readonly initial: boolean },
    ): Promise<string | null> => {
        const { navigator } = this;
        if (initial && isNoLink(path)) {
            // The app was started by its icon. A link may wait for an answer since the last time.
            if (navigator.pending?.reason === "unanswered") await this.inTime(navigator.resume());
            return this.start;
        }
        const outcome = await this.inTime(navigator.open(path));
        const code = outcome === "failed" ? navigator.problem?.code : undefined;
        if (code === "no-matching-route" || code === "unknown-origin" || code === "malformed-link") return path;
        return initial ? this.start : null;
    };

    /** Returns the path of a stack's top screen in the router, for its `Link`. Gates are met by `navigator.open(stack)` alone. */
    href(stack: Destinations<Route>): Href | undefined {
        const shown = this.files(stack), top = shown[shown.length - 1];
        if (top === undefined) return undefined;
        const params = this.params(stack.slice(0, top.at + 1)), rest = { ...params };
        delete rest[marker];
        const segments = segmentsOf(top.file).filter((segment) => !/^\(.*\)$/.test(segment) && segment !== "index");
        const path = segments.map((segment) => {
            const name = parameterOf(segment);
            if (name === undefined) return segment;
            delete rest[name];
            const value = params[name] ?? "";
            return (typeof value === "string" ? [value] : value).map(encodeURIComponent).join("/");
        });
        const query = Object.entries(rest).flatMap(([name, value]) => (typeof value === "string" ? [value] : value)
            .map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(item)}`));
        return `/${path.join("/")}${query.length === 0 ? "" : `?${query.join("&")}`}` as Href;
    }

    /** Joins the navigator and the router's container, once it is ready, and returns a function that ends it. */
    connect(container: RouterContainer): () => void {
        this.container = container;
        const ends = [this.navigator.subscribe(() => { this.show(); }), container.addListener("state", () => { this.receive(); })];
        this.show();
        return () => {
            for (const end of ends) end();
            this.container = undefined;
        };
    }

    /** What a screen may show. The same until something changes. */
    get current(): LinkState<Route> {
        const { state, denial, pending, problem, unrecognized } = this.navigator;
        this.known ??= { state, denial, pending, problem, unrecognized };
        return this.known;
    }

    /** Returns the state of the router for what is shown. */
    routerState(state: NavigationState<Route>): RouterState {
        const root: Level = { folder: "", screens: [], index: 0 };
        const path: WaymarkDestination<Route>[] = [];
        let last = "";
        const place = (destination: WaymarkDestination<Route>, within: string): Level | false | undefined => {
            path.push(destination);
            const file = this.file(destination, last);
            if (file === undefined) return undefined;
            if (!file.startsWith(within)) return false;
            last = file;
            return this.insert(root, file, this.params(path));
        };
        /** Places screens inside of a folder up to the first one outside, and returns whether all are inside. */
        const branch = (nodes: NavigationBranch<Route>, within = ""): boolean => {
            for (const { destination, tabs, selected } of nodes) {
                const level = place(destination, within);
                // A screen over one outside is outside as well, although its file may be inside.
                if (level === false) return false;
                if (level !== undefined) {
                    // The other tabs stay as far as their screens are inside of the layout.
                    tabs.forEach((tab, index) => {
                        const [count, file] = [path.length, last];
                        if (index !== selected) branch(tab, `${level.folder}/`);
                        path.length = count;
                        last = file;
                    });
                }
                const tab = selected === undefined ? undefined : tabs[selected];
                if (tab !== undefined && !branch(tab, within)) return false;
            }
            return true;
        };
        for (const layer of state.layers) branch(layer);
        return stateOf(root);
    }

    /** Returns the stack that the router shows, as far as its screens have files. */
    stackOf(root: RouterState): Destinations<Route> {
        const found: WaymarkDestination<Route>[] = [];
        const add = (state: RouterState, folder: string, isTab: boolean): void => {
            const tabs = this.options.layouts[folder] === "tabs";
            const at = state.index ?? state.routes.length - 1;
            state.routes.forEach((screen, index) => {
                if (tabs ? index !== at : index > at) return;
                const name = folder === "" ? screen.name : `${folder}/${screen.name}`;
                const isOpener = tabs || isTab && index === 0;
                const isLayout = this.options.layouts[name] !== undefined;
                const own = this.read(name, screen.params, isOpener ? "tab" : found.length === 0 ? "root" : "push", isLayout);
                // A screen over a container covers whichever tab the layout shows.
                found.length = Math.min(found.length, markOf(screen)?.[1] ?? found.length);
                if (own !== undefined) found.push(own);
                if (screen.state !== undefined) add(screen.state, name, isOpener && own === undefined);
                else if (isLayout) {
                    // The layout was not drawn yet.
                    const first = this.read(`${name}/index`, {}, isOpener && own === undefined ? "tab" : "push", true);
                    if (first !== undefined) found.push(first);
                }
            });
        };
        add(unwrapped(root), "", false);
        return found;
    }

    // The router

    private get start(): string { return this.href(this.navigator.state.stack) ?? "/"; }

    private show(): void {
        const { container } = this, { state } = this.navigator;
        const root = container?.isReady() === true ? container.getRootState() : undefined;
        const wanted = this.routerState(state);
        // The router always shows something.
        if (root === undefined || wanted.routes.length === 0 || isSame(this.stackOf(root), this.stackOf(wanted))) return;
        const next = kept(wanted, unwrapped(root)), wrapper = wrapperOf(root);
        container?.resetRoot(wrapper === undefined ? next : { ...root, index: 0, routes: [{ ...wrapper, state: next }] });
    }

    /** Takes what the router shows, if it isn't what the navigator showed: a gesture, a tab, or a screen of the app's own. */
    private receive(): void {
        const root = this.container?.isReady() === true ? this.container.getRootState() : undefined;
        if (root === undefined) return;
        const found = this.stackOf(root);
        let { state } = this.navigator, tab: (() => void) | undefined;
        // An empty router is about to show something.
        if (found.length === 0 || isSame(found, this.stackOf(this.routerState(state)))) return;
        for (let turn = 0; turn <= found.length + 1; turn += 1) {
            const shown = this.placed(state), common = commonCount(found, shown.map(({ item }) => item));
            const next = found[common], below = shown[common - 1];
            const at = below === undefined ? 0 : below.at + 1;
            // A tab has its own screens again, whether the router still has them or not, and nothing over them.
            if (next?.presentation !== "push" && tab !== undefined) return tab();
            if (next === undefined) {
                if (shown.length > common) state = state.dismiss(at);
                break;
            }
            const isTap = turn === 0 && next.presentation === "tab";
            state = next.presentation === "tab" && tab === undefined ? state.select(next, at) : state.dismiss(at).present(next);
            tab = isTap ? () => { this.navigator.select(next, at); } : undefined;
        }
        this.navigator.restore(state);
    }

    private async inTime<Outcome>(outcome: Promise<Outcome>): Promise<Outcome | undefined> {
        const { setTimeout, clearTimeout } = globalThis as unknown as {
            setTimeout(body: () => void, milliseconds: number): unknown; clearTimeout(timer: unknown): void;
        };
        let timer: unknown;
        const late = new Promise<undefined>((done) => {
            timer = setTimeout(() => { done(undefined); }, this.options.patience ?? 3000);
        });
        const first = await Promise.race([outcome, late]);
        clearTimeout(timer);
        return first;
    }

    // Files

    /** Returns the file of a screen: of several, the one with most layouts of the screen below, and with fewest others unless it is a tab. */
    private file({ route, presentation }: WaymarkDestination<Route>, below: string): string | undefined {
        const { screens, layouts } = this.options;
        const files = Object.prototype.hasOwnProperty.call(screens, route) ? screens[route as Route["route"]] : [];
        if (typeof files === "string") return files;
        const rank = (file: string) => {
            const around = foldersOf(file).filter((folder) => layouts[folder] !== undefined && folder !== file);
            const open = around.filter((folder) => below === folder || below.startsWith(`${folder}/`)).length;
            return presentation === "tab" ? open * 100 - around.length : open - (around.length - open) * 100;
        };
        return files.reduce<string | undefined>(
            (best, file) => best === undefined || rank(file) > rank(best) ? file : best, undefined);
    }

    private files(stack: Destinations<Route>): readonly { readonly file: string; readonly at: number }[] {
        const found: { readonly file: string; readonly at: number }[] = [];
        stack.forEach((item, at) => {
            const file = this.file(item, found[found.length - 1]?.file ?? "");
            if (file !== undefined) found.push({ file, at });
        });
        return found;
    }

    /** Returns the destinations of the flat path that have a file, with their indexes. */
    private placed({ stack }: NavigationState<Route>): readonly { readonly item: WaymarkDestination<Route>; readonly at: number }[] {
        return this.files(stack).flatMap(({ at }) => {
            const item = stack[at];
            return item === undefined ? [] : [{ item, at }];
        });
    }

    /** Returns the parameters of the router for the top of a stack: its own, and those of the screens below for the path. */
    private params(stack: Destinations<Route>): { [name: string]: string | string[] } {
        const top = stack[stack.length - 1];
        const params: { [name: string]: string | string[] } = {};
        const own = this.files(stack), file = own[own.length - 1]?.file ?? "";
        const names = segmentsOf(file).flatMap((segment) => parameterOf(segment) ?? []);
        for (const item of stack) {
            for (const [name, value] of Object.entries(item.parameters as { readonly [name: string]: JSONValue })) {
                if (item === top || names.includes(name)) params[name] = Array.isArray(value) ? value.map(textOf) : textOf(value);
            }
        }
        if (top !== undefined) params[marker] = JSON.stringify([...writeStack([top]) as JSONValue[], own.length - 1]);
        return params;
    }

    /** Returns the destination of a screen: the one it was given, else the route of its file with the values of the path. */
    private read(
        file: string, params: object | undefined, presentation: string, isOptional: boolean,
    ): WaymarkDestination<Route> | undefined {
        const given = (params ?? {}) as { readonly [name: string]: JSONValue | undefined };
        const { table } = this.options, own = markOf({ name: file, params }), route = this.routes.get(file);
        if (own !== undefined) return readDestination(table, own[0]);
        if (route === undefined && isOptional) return undefined;
        const specs = new Map(table.specs).get(route ?? "") ?? [];
        const parameters = Object.fromEntries(specs.flatMap(([name, spec]) => {
            const value = given[name];
            return value === undefined ? [] : [[name, valueOf(value, spec)]];
        }));
        return readDestination(table, { route: route ?? file, presentation, parameters });
    }

    /** Puts a screen into the layouts of its file, and returns the level of its own layout, if it is one. */
    private insert(root: Level, file: string, params: object): Level | undefined {
        const { layouts } = this.options;
        let level = root;
        for (const folder of foldersOf(file).filter((name) => layouts[name] !== undefined && name !== file)) {
            level = entered(level, folder, layouts[level.folder] === "tabs");
        }
        const screen: Screen = {
            name: nameIn(level, file), params,
            ...(layouts[file] === undefined ? {} : { level: { folder: file, screens: [], index: 0 } }),
        };
        const same = layouts[level.folder] === "tabs" ? level.screens.findIndex(({ name }) => name === screen.name) : -1;
        level.index = same < 0 ? level.screens.length : same;
        level.screens[level.index] = screen;
        return screen.level;
    }
}

function nameIn(level: Level, file: string): string {
    return level.folder === "" ? file : file.slice(level.folder.length + 1);
}

/** Returns the level of a layout in another: the one on top, the one of its tab, or a new one. */
function entered(level: Level, folder: string, isTabs: boolean): Level {
    const name = nameIn(level, folder);
    const at = isTabs ? level.screens.findIndex((screen) => screen.name === name) : level.index;
    const there = level.screens[at];
    if (there?.name === name && there.level !== undefined) {
        level.index = at;
        return there.level;
    }
    const next: Level = { folder, screens: [], index: 0 };
    level.index = level.screens.length;
    level.screens.push({ name, level: next });
    return next;
}

function stateOf({ index, screens }: Level): RouterState {
    return {
        index,
        routes: screens.map(({ name, params, level }) => ({
            name, ...(params === undefined ? {} : { params }),
            ...(level === undefined || level.screens.length === 0 ? {} : { state: stateOf(level) }),
        })),
    };
}

/** The screen of Expo Router's own around all others (`INTERNAL_SLOT_NAME`), if there is one. */
function wrapperOf({ routes }: RouterState): RouterScreen | undefined {
    return routes[0]?.name.startsWith("__") === true ? routes[0] : undefined;
}

function unwrapped(root: RouterState): RouterState {
    const wrapper = wrapperOf(root);
    return wrapper === undefined ? root : wrapper.state ?? { routes: [] };
}

/** Returns a state with the keys of the screens that stay, so that they are not drawn anew. */
function kept(state: RouterState, old: RouterState | undefined): RouterState {
    if (old === undefined) return state;
    let isKept = true;
    return {
        ...state, ...(old.key === undefined ? {} : { key: old.key }),
        routes: state.routes.map((screen, index) => {
            const there = old.routes[index]?.name === screen.name
                ? old.routes[index] : old.routes.find(({ name }) => name === screen.name && old.routes.length > 1);
            const own = there !== undefined && textOfMark(there) === textOfMark(screen) ? there : undefined;
            isKept &&= own !== undefined && own === old.routes[index];
            const same = isKept ? own : undefined;
            if (same === undefined) return screen;
            return {
                ...screen, ...(same.key === undefined ? {} : { key: same.key }),
                ...(screen.state === undefined ? {} : { state: kept(screen.state, same.state) }),
            };
        }),
    };
}

function textOfMark({ params }: RouterScreen): unknown {
    return (params as { readonly [name: string]: unknown } | undefined)?.[marker];
}

function markOf(screen: RouterScreen): readonly [destination: JSONValue, below: number] | undefined {
    const text = textOfMark(screen);
    return typeof text === "string" ? JSON.parse(text) as [JSONValue, number] : undefined;
}

function segmentsOf(file: string): string[] {
    return file === "" ? [] : file.split("/");
}

/** Returns the name of the parameter that a segment such as `[id]` or `[...path]` stands for. */
function parameterOf(segment: string): string | undefined {
    return /^\[(?:\.\.\.)?(.+)\]$/.exec(segment)?.[1];
}

/** Returns the paths of a file's folders, the outermost first, and its own. */
function foldersOf(file: string): string[] {
    return segmentsOf(file).map((_, index, all) => all.slice(0, index + 1).join("/"));
}

function commonCount<Route extends AnyRoute>(one: Destinations<Route>, two: Destinations<Route>): number {
    const end = one.findIndex((item, index) => {
        const other = two[index];
        return other === undefined || !isSameDestination(item, other);
    });
    return end < 0 ? one.length : end;
}

function isSame<Route extends AnyRoute>(one: Destinations<Route>, two: Destinations<Route>): boolean {
    return one.length === two.length && commonCount(one, two) === one.length;
}

function textOf(value: JSONValue): string {
    return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns a text of a path as a value of a type. What isn't one stays a text, and makes the destination unrecognized. */
function valueOf(text: JSONValue, spec: ValueSpec): JSONValue {
    if (typeof spec === "object" && "list" in spec) {
        return (Array.isArray(text) ? text as JSONValue[] : [text]).map((item) => valueOf(item, spec.list));
    }
    if (typeof text !== "string" || spec === "string" || typeof spec === "object" && "words" in spec) return text;
    try {
        return JSON.parse(text) as JSONValue;
    } catch {
        return text;
    }
}

/** Whether the system only started the app: `app:///`, as the router says then, or the address of Expo's development client. */
function isNoLink(path: string): boolean {
    return /^([a-z][a-z0-9+.-]*:)?\/*$/i.test(path) || /^exp(\+[^:]*)?:/i.test(path);
}

// React --------------------------------------------------------------------------------------------------------------

/** Joins links and router, in the root layout, and returns what it may show beside its screens. */
export function useLinks<Route extends AnyRoute, Href extends string>(links: WaymarkLinks<Route, Href>): LinkState<Route> {
    const container = useNavigationContainerRef();
    useEffect(() => links.connect(container), [links, container]);
    return useLinkState(links);
}

/** Returns what a screen may show of links: a gate explains `denial`, and goes on by `navigator.resume()`. */
export function useLinkState<Route extends AnyRoute, Href extends string>(
    links: WaymarkLinks<Route, Href>,
): LinkState<Route> {
    return useSyncExternalStore(links.navigator.subscribe, () => links.current, () => links.current);
}
