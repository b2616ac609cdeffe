/* eslint-disable */
// Waymark's runtime: the screens of an app as a tree, and its changes by links, by the app's own buttons and by the system.
import type { AnyRoute, WaymarkDestination, JSONValue, RoutePlan, RouteTable, WaymarkTransition } from "./waymark-runtime";
import { WaymarkFormatError, readDestination, writeStack } from "./waymark-runtime";

/** One destination, with the tabs that were shown over it. */
export interface NavigationNode<Route extends AnyRoute> {
    readonly destination: WaymarkDestination<Route>;
    /** The tabs, each with a stack of its own, in the order in which they were first selected. */
    readonly tabs: readonly NavigationBranch<Route>[];
    /** The index of the selected tab. Absent if none is selected, and for every node except the top one of its branch. */
    readonly selected?: number;
}

/** A stack of screens: its opener, and the screens pushed onto it. It is never empty. */
export type NavigationBranch<Route extends AnyRoute> = readonly NavigationNode<Route>[];

/** One change of the screen. Indexes count in the flat path. */
export type NavigationStep<Route extends AnyRoute> =
    /** Replaces everything with this destination. */
    | { readonly kind: "setRoot"; readonly destination: WaymarkDestination<Route> }
    /** Selects this tab at an index, in place of the current one. A tab that was shown before has its stack again. */
    | { readonly kind: "selectTab"; readonly at: number; readonly destination: WaymarkDestination<Route> }
    /** Shows these pushes over the opener at an index. */
    | { readonly kind: "setPath"; readonly at: number; readonly pushes: readonly WaymarkDestination<Route>[] }
    /** Presents this destination over everything, in a layer of its own. */
    | { readonly kind: "present"; readonly destination: WaymarkDestination<Route> }
    /** Dismisses the screens from an index on. A dismissed tab keeps its stack, and is no longer selected. */
    | { readonly kind: "dismissLayer"; readonly at: number };

/** The error of a stack that isn't the one at which the transition begins: the user navigated in the meantime. */
export class TransitionMismatch extends Error {
    constructor(readonly expectedCount: number, readonly actualCount: number) {
        super(`the transition begins with ${expectedCount} destinations, and there are ${actualCount}`);
        this.name = "TransitionMismatch";
    }
}

/** Returns whether two JSON values are equal, in any order of members. */
function isSameJSON(one: unknown, two: unknown): boolean {
    if (one === two) return true;
    if (typeof one !== "object" || typeof two !== "object" || one === null || two === null) return false;
    if (Array.isArray(one) !== Array.isArray(two)) return false;
    const keys = Object.keys(one);
    return keys.length === Object.keys(two).length
        && keys.every((key) => Object.prototype.hasOwnProperty.call(two, key)
            && isSameJSON((one as Record<string, unknown>)[key], (two as Record<string, unknown>)[key]));
}

/** Returns whether two destinations have the same route, presentation and parameters. */
export function isSameDestination<Route extends AnyRoute>(one: WaymarkDestination<Route>, two: WaymarkDestination<Route>): boolean {
    return one.route === two.route && one.presentation === two.presentation
        && isSameJSON(one.parameters, two.parameters);
}

/** Counts the destinations that two stacks have in common, from the root onwards. */
export function commonCount<Route extends AnyRoute>(
    one: readonly WaymarkDestination<Route>[],
    two: readonly WaymarkDestination<Route>[],
): number {
    const end = one.findIndex((item, index) => {
        const other = two[index];
        return other === undefined || !isSameDestination(item, other);
    });
    return end < 0 ? one.length : end;
}

// Branches -----------------------------------------------------------------------------------------------------------

type Branch<Route extends AnyRoute> = NavigationBranch<Route>;
type Node<Route extends AnyRoute> = NavigationNode<Route>;

function leaf<Route extends AnyRoute>(destination: WaymarkDestination<Route>): Node<Route> {
    return { destination, tabs: [] };
}

function topOf<Route extends AnyRoute>(branch: Branch<Route>): Node<Route> | undefined {
    return branch[branch.length - 1];
}

function selectedTab<Route extends AnyRoute>(branch: Branch<Route>): Branch<Route> | undefined {
    const top = topOf(branch);
    return top?.selected === undefined ? undefined : top.tabs[top.selected];
}

function replacingTop<Route extends AnyRoute>(branch: Branch<Route>, node: Node<Route>): Branch<Route> {
    return [...branch.slice(0, -1), node];
}

/** Returns the branch with its selected tab changed. */
function inSelectedTab<Route extends AnyRoute>(
    branch: Branch<Route>,
    change: (tab: Branch<Route>) => Branch<Route>,
): Branch<Route> {
    const top = topOf(branch);
    if (top === undefined) return branch;
    return replacingTop(branch, {
        ...top, tabs: top.tabs.map((tab, index) => index === top.selected ? change(tab) : tab),
    });
}

function path<Route extends AnyRoute>(branch: Branch<Route>): WaymarkDestination<Route>[] {
    const tab = selectedTab(branch);
    return [...branch.map((node) => node.destination), ...(tab === undefined ? [] : path(tab))];
}

/** Returns the branch up to a number of destinations of its path, at least one. */
function cut<Route extends AnyRoute>(branch: Branch<Route>, count: number): Branch<Route> {
    if (count > branch.length) return inSelectedTab(branch, (tab) => cut(tab, count - branch.length));
    const kept = branch.slice(0, count), top = topOf(kept);
    return top === undefined ? kept : replacingTop(kept, { destination: top.destination, tabs: top.tabs });
}

/** Returns the branch with one more destination on top of its path. */
function pushed<Route extends AnyRoute>(branch: Branch<Route>, destination: WaymarkDestination<Route>): Branch<Route> {
    return selectedTab(branch) === undefined
        ? [...branch, leaf(destination)] : inSelectedTab(branch, (tab) => pushed(tab, destination));
}

/**
 * Returns the branch with a tab selected over the top of its path.
 *
 * An equal tab has its stack again. One of the same route with other parameters is replaced, or, if the user selects
 * it, taken as it is.
 */
function selecting<Route extends AnyRoute>(
    branch: Branch<Route>,
    destination: WaymarkDestination<Route>,
    isUsersChoice: boolean,
): Branch<Route> {
    if (selectedTab(branch) !== undefined) {
        return inSelectedTab(branch, (tab) => selecting(tab, destination, isUsersChoice));
    }
    const top = topOf(branch);
    if (top === undefined) return branch;
    const { tabs } = top;
    const find = (fits: (opener: WaymarkDestination<Route>) => boolean) =>
        tabs.findIndex((tab) => tab[0] !== undefined && fits(tab[0].destination));
    const equal = find((opener) => isSameDestination(opener, destination));
    if (equal >= 0) return replacingTop(branch, { ...top, selected: equal });
    const alike = find((opener) => opener.route === destination.route);
    if (alike >= 0 && isUsersChoice) return replacingTop(branch, { ...top, selected: alike });
    const selected = alike >= 0 ? alike : tabs.length;
    return replacingTop(branch, {
        ...top, tabs: [...tabs.slice(0, selected), [leaf(destination)], ...tabs.slice(selected + 1)], selected,
    });
}

// Layers -------------------------------------------------------------------------------------------------------------

type Layers<Route extends AnyRoute> = readonly Branch<Route>[];

function inTopLayer<Route extends AnyRoute>(
    layers: Layers<Route>,
    change: (layer: Branch<Route>) => Branch<Route>,
): Layers<Route> {
    return layers.map((layer, index) => index === layers.length - 1 ? change(layer) : layer);
}

/** Returns the layers up to a number of destinations of the flat path. */
function cutLayers<Route extends AnyRoute>(layers: Layers<Route>, count: number): Layers<Route> {
    const kept: Branch<Route>[] = [];
    let left = count;
    for (const layer of layers) {
        if (left <= 0) break;
        const size = path(layer).length;
        kept.push(left < size ? cut(layer, left) : layer);
        left -= size;
    }
    return kept;
}

/** Returns the layers with one more destination over the top one. */
function adding<Route extends AnyRoute>(layers: Layers<Route>, destination: WaymarkDestination<Route>): Layers<Route> {
    if (layers.length > 0 && destination.presentation === "push") {
        return inTopLayer(layers, (layer) => pushed(layer, destination));
    }
    if (layers.length > 0 && destination.presentation === "tab") {
        return inTopLayer(layers, (layer) => selecting(layer, destination, false));
    }
    return [...layers, [leaf(destination)]];
}

// The state ----------------------------------------------------------------------------------------------------------

/**
 * What an app shows: layers over each other, each a stack of screens, of which the top one may have tabs with stacks of
 * their own.
 *
 * It is immutable, so that any store can hold it. Links, the app's own buttons and the gestures of the system change it
 * by the same operations.
 */
export class NavigationState<Route extends AnyRoute> {
    /** Creates the state of a stack. `layers`, lowest first, come from a saved state. */
    constructor(
        stack: readonly WaymarkDestination<Route>[] = [],
        readonly layers: readonly NavigationBranch<Route>[] = stack.reduce(adding, [] as Layers<Route>),
    ) {}

    /** The flat path: the screens from the root to the top, which are the `from` of the next link. */
    get stack(): readonly WaymarkDestination<Route>[] {
        return this.layers.flatMap(path);
    }

    /** Returns whether two states show the same, in other tabs too. */
    equals(other: NavigationState<Route>): boolean {
        return isSameJSON(writeLayers(this.layers), writeLayers(other.layers));
    }

    // The app's own operations

    /** Pushes a destination onto the top one. */
    push(destination: WaymarkDestination<Route>): NavigationState<Route> {
        return this.present({ ...destination, presentation: "push" });
    }

    /** Presents a destination as it says: over everything in a layer of its own, as a push, a tab, or a new root. */
    present(destination: WaymarkDestination<Route>): NavigationState<Route> {
        if (destination.presentation === "root") return new NavigationState([destination]);
        if (destination.presentation === "tab") return this.select(destination);
        return this.with(adding(this.layers, destination));
    }

    /**
     * Selects a tab, which has its stack again if it was shown before.
     *
     * `at` is the index of the tabs in the flat path, one above the index of the destination that has them. Without it they
     * are the innermost tabs that have one of this route, else the innermost, else new ones over the top destination.
     */
    select(tab: WaymarkDestination<Route>, at: number = this.indexOfTabs(tab)): NavigationState<Route> {
        return this.selecting({ ...tab, presentation: "tab" }, at, true);
    }

    /**
     * Dismisses the top destination, or with a `count` all but the first ones of the flat path.
     *
     * Without a count a tab goes together with the destination that has the tabs, and the lowest destination stays.
     */
    dismiss(count: number = this.countBelowTop()): NavigationState<Route> {
        return count < 0 || count >= this.stack.length ? this : this.with(cutLayers(this.layers, count));
    }

    // Links

    /**
     * Applies a plan or a transition, and returns the new state with the changes of the screen in order.
     *
     * Throws `TransitionMismatch` if the stack isn't the one that was sent. Then resolve the link again with the
     * current stack, or show the plan's stack.
     */
    apply(change: RoutePlan<Route> | WaymarkTransition<Route>): {
        readonly state: NavigationState<Route>; readonly steps: readonly NavigationStep<Route>[];
    } {
        const steps = this.steps(change);
        return { state: steps.reduce((state, step) => state.perform(step), this as NavigationState<Route>), steps };
    }

    /** Returns the changes of the screen for a plan or a transition. */
    steps(change: RoutePlan<Route> | WaymarkTransition<Route>): readonly NavigationStep<Route>[] {
        const { stack } = this;
        const transition = "stack" in change ? change.transition : change;
        if (transition === undefined) return "stack" in change ? this.stepsTo(change.stack) : [];
        const { keep, dismiss, present } = transition;
        const isOther = "stack" in change && (keep + present.length !== change.stack.length
            || stack.slice(0, keep).some((item, index) => item.route !== change.stack[index]?.route
                || item.presentation !== change.stack[index]?.presentation));
        if (keep < 0 || dismiss < 0 || keep + dismiss !== stack.length || isOther) {
            throw new TransitionMismatch(keep + dismiss, stack.length);
        }
        return this.stepsTo([...stack.slice(0, keep), ...present]);
    }

    /** Shows a stack. The part in common with the current one stays, and so do the stacks of all other tabs. */
    showing(stack: readonly WaymarkDestination<Route>[]): NavigationState<Route> {
        return this.stepsTo(stack).reduce((state, step) => state.perform(step), this as NavigationState<Route>);
    }

    /** Returns the changes of the screen to a stack. The common destinations from the root onwards stay. */
    stepsTo(target: readonly WaymarkDestination<Route>[]): readonly NavigationStep<Route>[] {
        const steps: NavigationStep<Route>[] = [];
        let state: NavigationState<Route> = this;
        for (;;) {
            const step = state.nextStep(target);
            if (step === undefined) return steps;
            steps.push(step);
            state = state.perform(step);
        }
    }

    /** Applies one change. A change that doesn't fit the stack is ignored. */
    perform(step: NavigationStep<Route>): NavigationState<Route> {
        switch (step.kind) {
            case "setRoot": return new NavigationState([step.destination]);
            case "selectTab": return this.selecting(step.destination, step.at, false);
            case "setPath": return this.setting(step.pushes, step.at);
            case "present": return this.with([...this.layers, [leaf(step.destination)]]);
            case "dismissLayer": return this.dismiss(step.at);
        }
    }

    /** Sets the pushes over the opener at an index of the flat path, as the system's stacks of screens report them. */
    setting(pushes: readonly WaymarkDestination<Route>[], at: number): NavigationState<Route> {
        const { stack } = this;
        if (at < 0 || at >= stack.length) return this;
        let common = commonCount(pushes, stack.slice(at + 1));
        const end = pushes.slice(0, common).findIndex((item) => item.presentation !== "push");
        if (end >= 0) common = end;
        const kept = cutLayers(this.layers, at + 1 + common);
        return this.with(pushes.slice(common).reduce(
            (layers, item) => inTopLayer(layers, (layer) => pushed(layer, item)), kept));
    }

    private with(layers: Layers<Route>): NavigationState<Route> {
        return new NavigationState<Route>([], layers);
    }

    private selecting(tab: WaymarkDestination<Route>, at: number, isUsersChoice: boolean): NavigationState<Route> {
        if (at < 0 || at > this.stack.length) return this;
        const kept = cutLayers(this.layers, at);
        return this.with(kept.length === 0
            ? [[leaf(tab)]] : inTopLayer(kept, (layer) => selecting(layer, tab, isUsersChoice)));
    }

    private indexOfTabs(tab: WaymarkDestination<Route>): number {
        const { stack } = this;
        const indexes = stack.map((_, index) => index)
            .filter((index) => index > 0 && stack[index]?.presentation === "tab");
        if (this.tabs(stack.length).length > 0) indexes.push(stack.length);
        indexes.reverse();
        const fits = (index: number) => this.tabs(index).some((item) => item[0]?.destination.route === tab.route);
        return indexes.find(fits) ?? indexes[0] ?? stack.length;
    }

    /** Returns the tabs at an index of the flat path: those over the destination below it. */
    tabs(at: number): readonly NavigationBranch<Route>[] {
        let branch = cutLayers(this.layers, at).slice(-1)[0];
        for (let tab = branch; tab !== undefined; tab = selectedTab(tab)) branch = tab;
        return branch === undefined ? [] : topOf(branch)?.tabs ?? [];
    }

    private countBelowTop(): number {
        const { stack } = this;
        let count = stack.length - 1;
        while (count > 0 && stack[count]?.presentation === "tab") count -= 1;
        return count <= 0 ? stack.length : count;
    }

    private nextStep(target: readonly WaymarkDestination<Route>[]): NavigationStep<Route> | undefined {
        const { stack } = this;
        const keep = commonCount(stack, target);
        // Layers over the kept part are dismissed first, from the top down. Tabs go with their parent layer.
        for (let index = stack.length - 1; index >= Math.max(keep, 1); index -= 1) {
            const presentation = stack[index]?.presentation;
            if (presentation !== "push" && presentation !== "tab") return { kind: "dismissLayer", at: index };
        }
        const shown = stack[keep], next = target[keep];
        if (shown === undefined && next === undefined) return undefined;
        if (next !== undefined && keep === 0) return { kind: "setRoot", destination: next };
        const isPush = keep > 0 && (shown ?? next)?.presentation === "push";
        if (isPush) {
            const opener = openerBelow(stack, keep);
            return { kind: "setPath", at: opener, pushes: [...stack.slice(opener + 1, keep), ...pushRun(target, keep)] };
        }
        if (next?.presentation === "tab") return { kind: "selectTab", at: keep, destination: next };
        if (shown !== undefined || next === undefined) return { kind: "dismissLayer", at: keep };
        return { kind: "present", destination: next };
    }
}

function openerBelow<Route extends AnyRoute>(stack: readonly WaymarkDestination<Route>[], index: number): number {
    let opener = index - 1;
    while (opener > 0 && stack[opener]?.presentation === "push") opener -= 1;
    return Math.max(opener, 0);
}

/** Returns the pushes of a stack from an index on, up to the first destination that is none. */
function pushRun<Route extends AnyRoute>(
    stack: readonly WaymarkDestination<Route>[],
    index: number,
): readonly WaymarkDestination<Route>[] {
    const rest = stack.slice(index);
    const end = rest.findIndex((item) => item.presentation !== "push");
    return end < 0 ? rest : rest.slice(0, end);
}

// Saving -------------------------------------------------------------------------------------------------------------

function writeLayers<Route extends AnyRoute>(layers: Layers<Route>): JSONValue[] {
    const branch = (nodes: Branch<Route>): JSONValue => nodes.map((node) => ({
        ...(writeStack([node.destination]) as [{ readonly [name: string]: JSONValue }])[0],
        ...(node.tabs.length === 0 ? {} : { tabs: node.tabs.map(branch) }),
        ...(node.selected === undefined ? {} : { selected: node.selected }),
    }));
    return layers.map(branch);
}

/** Returns a state in the format that is saved. */
export function writeState<Route extends AnyRoute>(state: NavigationState<Route>): JSONValue {
    return { layers: writeLayers(state.layers) };
}

/** Reads a state that was saved, by an older version of the app as well. Throws `WaymarkFormatError`. */
export function readState<Route extends AnyRoute>(table: RouteTable<Route>, json: JSONValue): NavigationState<Route> {
    const items = (value: unknown): readonly JSONValue[] => {
        if (!Array.isArray(value)) throw new WaymarkFormatError("a saved state has no list where one belongs");
        return value as readonly JSONValue[];
    };
    const branch = (value: JSONValue): Branch<Route> => {
        const nodes = items(value).map((item, index, all): Node<Route> => {
            const members = item as { readonly tabs?: JSONValue; readonly selected?: JSONValue };
            const destination = readDestination(table, item);
            const tabs = members.tabs === undefined ? [] : items(members.tabs).map(branch);
            const { selected } = members;
            if (selected === undefined) return { destination, tabs };
            if (typeof selected !== "number" || tabs[selected] === undefined || index + 1 < all.length) {
                throw new WaymarkFormatError("a saved state selects a tab that is not there");
            }
            return { destination, tabs, selected };
        });
        if (nodes.length === 0) throw new WaymarkFormatError("a saved state has an empty stack");
        return nodes;
    };
    const layers = typeof json === "object" && json !== null ? (json as { readonly layers?: JSONValue }).layers : undefined;
    return new NavigationState<Route>([], items(layers).map(branch));
}
