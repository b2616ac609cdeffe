/* eslint-disable */
// Waymark's runtime: plans, their reading by an app that is older than the catalog, the stack that it shows, and the
// client of a server. It has no dependency; the client needs `fetch`, or a transport of your own.

/** Any JSON value. */
export type JSONValue = null | boolean | number | string | readonly JSONValue[] | { readonly [key: string]: JSONValue };

/** The values of a destination as sent. */
export type RawParameters = { readonly [name: string]: JSONValue };

/** The type of a parameter. */
export type ValueSpec =
    | "string" | "int" | "number" | "boolean" | "any"
    | { readonly words: readonly string[] }
    | { readonly list: ValueSpec }
    | { readonly fields: readonly ParameterSpec[] };

/** A parameter's name, its type, and whether every plan has it. */
export type ParameterSpec = readonly [name: string, type: ValueSpec, isAlwaysThere: boolean];

/** The parameters of each route, by its name. */
export type RouteSpecs = readonly (readonly [name: string, parameters: readonly ParameterSpec[]])[];

/** A route with its values. */
export interface AnyRoute { readonly route: string; readonly parameters: object }

/** The data for reading plans; `waymark generate typescript` writes it. `Route` is the type of its routes. */
export interface RouteTable<Route extends AnyRoute> {
    readonly catalogVersion: string;
    readonly specs: RouteSpecs;
    /** For the compiler only: never set. */
    readonly route?: Route;
}

/** The presentations of this version; others, and `custom:<name>`, are strings. */
export type KnownPresentation =
    | "root" | "tab" | "push" | "sheet" | "bottomSheet" | "fullScreenCover" | "popover" | "alert" | "confirmationDialog";

/** The presentation of a destination; open, because catalogs may add one. */
export type Presentation = KnownPresentation | (string & {});

/** A destination of a route that the app knows. */
export type KnownDestination<Route extends AnyRoute> =
    Route & { readonly presentation: Presentation; readonly recognized: true };

/** A destination of a route that this version of the app doesn't know, or knows with other parameters. */
export interface UnrecognizedDestination {
    readonly route: string;
    readonly parameters: RawParameters;
    readonly presentation: Presentation;
    readonly recognized: false;
}

/** One element of a navigation stack. */
export type Destination<Route extends AnyRoute> = KnownDestination<Route> | UnrecognizedDestination;

/** Returns whether this version of the app knows a destination; then `switch (destination.route)` is exhaustive. */
export function isKnown<Route extends AnyRoute>(
    destination: Destination<Route>,
): destination is KnownDestination<Route> {
    return destination.recognized;
}

/** Creates a destination of a route that the app knows. */
export function destination<Route extends AnyRoute>(route: Route, presentation: Presentation): KnownDestination<Route> {
    return { ...route, presentation, recognized: true };
}

/** The transition from the stack that the app shows to another. */
export interface Transition<Route extends AnyRoute> {
    readonly keep: number;
    readonly dismiss: number;
    readonly present: readonly Destination<Route>[];
    readonly unknownFrom?: number;
}

/** The answer to a link that the user may open. */
export interface RoutePlan<Route extends AnyRoute> {
    readonly link: string;
    readonly canonicalLink?: string;
    readonly authorizationLevel?: { readonly required: string; readonly user: string };
    /** The grants that the stack requires, in the order of the catalog's gates, if there are any. */
    readonly grants?: { readonly required: readonly string[] };
    readonly stack: readonly Destination<Route>[];
    readonly unusedFragment?: string;
    readonly unusedQuery?: readonly (readonly [name: string, value: string | null])[];
    /** The versions of the app that the stack requires, by platform, if the request names no app. */
    readonly requiresApp?: { readonly [platform: string]: string };
    readonly unresolved?: readonly string[];
    readonly transition?: Transition<Route>;
    readonly catalogVersion: string;
    /** The stack below the first destination that this version of the app doesn't know. */
    readonly recognizedPrefix: readonly KnownDestination<Route>[];
    /** The first destination that this version of the app doesn't know. */
    readonly firstUnrecognized?: UnrecognizedDestination;
}

/** The denial of a link, with the gate for what the user lacks first: a level or a grant. */
export interface Denial<Route extends AnyRoute> {
    readonly route: string;
    readonly requiredLevel: string;
    readonly userLevel: string;
    /** The grants that the user lacks, in the order of the catalog's gates; absent if a level is missing first. */
    readonly missing?: readonly string[];
    readonly gate?: {
        /** The level that a user obtains there; absent for a grant. */
        readonly level?: string;
        /** The grant that a user obtains there; absent for a level. */
        readonly grant?: string;
        readonly link: string;
        readonly stack: readonly Destination<Route>[];
        readonly transition?: Transition<Route>;
    };
    readonly continuation?: string;
}

/** An answer that is neither a plan nor a denial (RFC 9457). */
export interface Problem {
    readonly code: string;
    readonly status: number;
    readonly detail: string;
    readonly members: RawParameters;
}

/** The version of the app that a link requires. */
export interface AppUpdate {
    /** The first destination that the app is too old for. */
    readonly route: string;
    readonly platform: string;
    readonly requiredVersion: string;
    readonly appVersion: string;
    /** The app's page in the store, if the catalog has it. */
    readonly storeLink?: string;
}

/** The server's answer to a link. */
export type Answer<Route extends AnyRoute> =
    | { readonly kind: "plan"; readonly plan: RoutePlan<Route> }
    | { readonly kind: "denied"; readonly denial: Denial<Route> }
    | { readonly kind: "problem"; readonly problem: Problem };

/** The error of an answer that isn't in the format of a Waymark server. */
export class WaymarkFormatError extends Error {}

// Reading ------------------------------------------------------------------------------------------------------------

type Members = { readonly [name: string]: JSONValue };

function isObject(value: JSONValue | undefined): value is Members {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function own(members: Members, name: string): JSONValue | undefined {
    return Object.prototype.hasOwnProperty.call(members, name) ? members[name] : undefined;
}

function fits(value: JSONValue | undefined, spec: ValueSpec): boolean {
    if (spec === "string" || spec === "boolean") return typeof value === spec;
    if (spec === "number") return typeof value === "number";
    if (spec === "any") return value !== undefined;
    if (spec === "int") return typeof value === "number" && Number.isInteger(value);
    if ("words" in spec) return typeof value === "string" && spec.words.includes(value);
    if ("list" in spec) return Array.isArray(value) && value.every((item: JSONValue) => fits(item, spec.list));
    return isObject(value) && allFit(value, spec.fields);
}

function allFit(values: Members, specs: readonly ParameterSpec[]): boolean {
    return specs.every(([name, type, isAlwaysThere]) => {
        const value = own(values, name);
        return value === undefined ? !isAlwaysThere : fits(value, type);
    });
}

const indexes = new WeakMap<RouteSpecs, ReadonlyMap<string, readonly ParameterSpec[]>>();

function parametersOf(specs: RouteSpecs, route: string): readonly ParameterSpec[] | undefined {
    let index = indexes.get(specs);
    if (index === undefined) {
        index = new Map(specs);
        indexes.set(specs, index);
    }
    return index.get(route);
}

function member(json: JSONValue | undefined, name: string, what: string): JSONValue {
    const value = isObject(json) ? own(json, name) : undefined;
    if (value === undefined) throw new WaymarkFormatError(`${what} has no ${name}`);
    return value;
}

function text(json: JSONValue, name: string, what: string): string {
    const value = member(json, name, what);
    if (typeof value !== "string") throw new WaymarkFormatError(`${name} of ${what} isn't a text`);
    return value;
}

function count(json: JSONValue, name: string, what: string): number {
    const value = member(json, name, what);
    if (typeof value !== "number") throw new WaymarkFormatError(`${name} of ${what} isn't a number`);
    return value;
}

/** Reads one destination; one that the app doesn't know is unrecognized. */
export function readDestination<Route extends AnyRoute>(table: RouteTable<Route>, json: JSONValue): Destination<Route> {
    const route = text(json, "route", "a destination");
    const presentation = text(json, "presentation", "a destination");
    const given = isObject(json) ? own(json, "parameters") : undefined;
    const parameters = isObject(given) ? given : {};
    const specs = parametersOf(table.specs, route);
    const recognized = specs !== undefined && allFit(parameters, specs);
    return { route, parameters, presentation, recognized } as unknown as Destination<Route>;
}

/** Reads a stack. */
export function readStack<Route extends AnyRoute>(table: RouteTable<Route>, json: JSONValue): Destination<Route>[] {
    if (!Array.isArray(json)) throw new WaymarkFormatError("a stack isn't a list");
    return json.map((item: JSONValue) => readDestination(table, item));
}

function readTransition<Route extends AnyRoute>(table: RouteTable<Route>, json: JSONValue): Transition<Route> {
    const unknownFrom = isObject(json) ? own(json, "unknownFrom") : undefined;
    return {
        keep: count(json, "keep", "a transition"),
        dismiss: count(json, "dismiss", "a transition"),
        present: readStack(table, member(json, "present", "a transition")),
        ...(typeof unknownFrom === "number" ? { unknownFrom } : {}),
    };
}

/** Reads a plan. */
export function readPlan<Route extends AnyRoute>(table: RouteTable<Route>, json: JSONValue): RoutePlan<Route> {
    if (!isObject(json)) throw new WaymarkFormatError("a plan isn't an object");
    const stack = readStack(table, member(json, "stack", "a plan"));
    const unknown = stack.findIndex((item) => !isKnown(item));
    const first = unknown < 0 ? undefined : (stack[unknown] as UnrecognizedDestination);
    const { transition, ...others } = json as Members & { readonly transition?: JSONValue };
    return {
        ...(others as unknown as RoutePlan<Route>),
        link: text(json, "link", "a plan"),
        catalogVersion: text(json, "catalogVersion", "a plan"),
        stack,
        ...(transition === undefined ? {} : { transition: readTransition(table, transition) }),
        recognizedPrefix: (first === undefined ? stack : stack.slice(0, unknown)) as KnownDestination<Route>[],
        ...(first === undefined ? {} : { firstUnrecognized: first }),
    };
}

/** Reads an answer by its status and body. */
export function readAnswer<Route extends AnyRoute>(
    table: RouteTable<Route>,
    status: number,
    json: JSONValue,
): Answer<Route> {
    if (status === 200) return { kind: "plan", plan: readPlan(table, json) };
    const problem = readProblem(status, json);
    if (!["insufficient-authorization-level", "missing-grant"].includes(problem.code)) return { kind: "problem", problem };
    const gate = own(problem.members, "gate");
    // There is none if the app is too old for the gate.
    const stack = isObject(gate) ? own(gate, "stack") : undefined;
    const transition = isObject(gate) ? own(gate, "transition") : undefined;
    const continuation = own(problem.members, "continuation");
    const missing = own(problem.members, "missing");
    const [level, grant] = isObject(gate) ? [own(gate, "level"), own(gate, "grant")] : [];
    const denial: Denial<Route> = {
        route: text(json, "route", "a denial"),
        requiredLevel: text(json, "requiredLevel", "a denial"),
        userLevel: text(json, "userLevel", "a denial"),
        ...(Array.isArray(missing) ? { missing: missing.filter((name) => typeof name === "string") as string[] } : {}),
        ...(gate === undefined ? {} : {
            gate: {
                ...(typeof level === "string" ? { level } : {}),
                ...(typeof grant === "string" ? { grant } : {}),
                link: text(gate, "link", "a gate"),
                stack: readStack(table, stack ?? []),
                ...(transition === undefined ? {} : { transition: readTransition(table, transition) }),
            },
        }),
        ...(typeof continuation === "string" ? { continuation } : {}),
    };
    return { kind: "denied", denial };
}

function readProblem(status: number, json: JSONValue): Problem {
    const members = isObject(json) ? json : {};
    const type = own(members, "type");
    const detail = own(members, "detail");
    const code = typeof type === "string" ? type.replace(/^urn:waymark:problem:/, "") : "";
    return { code, status, detail: typeof detail === "string" ? detail : "", members };
}

/** Returns the update that the link requires; nothing for other problems. */
export function appUpdate({ code, members }: Problem): AppUpdate | undefined {
    if (code !== "app-update-required") return undefined;
    const storeLink = own(members, "storeLink");
    return {
        route: text(members, "route", "a problem"),
        platform: text(members, "platform", "a problem"),
        requiredVersion: text(members, "requiredVersion", "a problem"),
        appVersion: text(members, "appVersion", "a problem"),
        ...(typeof storeLink === "string" ? { storeLink } : {}),
    };
}

/** Returns a stack in the format of servers. */
export function writeStack<Route extends AnyRoute>(stack: readonly Destination<Route>[]): JSONValue {
    return stack.map(({ route, presentation, parameters }) => ({
        route, presentation, parameters: parameters as RawParameters,
    }));
}

// Navigation ---------------------------------------------------------------------------------------------------------

/**
 * One screen hierarchy of a stack: its opener, the opener's index in the stack, and the destinations pushed onto it.
 */
export interface Layer<Route extends AnyRoute> {
    readonly index: number;
    readonly opener: Destination<Route>;
    readonly pushes: readonly Destination<Route>[];
}

/** One change of the screen. */
export type NavigationStep<Route extends AnyRoute> =
    /** Replaces everything with this destination. */
    | { readonly kind: "setRoot"; readonly destination: Destination<Route> }
    /** Shows this tab at an index of the stack, in place of the current one. */
    | { readonly kind: "selectTab"; readonly at: number; readonly destination: Destination<Route> }
    /** Shows these pushes over the opener at an index of the stack. */
    | { readonly kind: "setPath"; readonly at: number; readonly pushes: readonly Destination<Route>[] }
    /** Presents this destination over the top. */
    | { readonly kind: "present"; readonly destination: Destination<Route> }
    /** Dismisses the layer that begins at an index of the stack, and everything over it. */
    | { readonly kind: "dismissLayer"; readonly at: number };

/** The error of a stack that isn't the one at which the transition begins: the user navigated in the meantime. */
export class TransitionMismatch extends Error {
    constructor(readonly expectedCount: number, readonly actualCount: number) {
        super(`the transition begins with ${expectedCount} destinations, and there are ${actualCount}`);
        this.name = "TransitionMismatch";
    }
}

function sameJSON(one: unknown, two: unknown): boolean {
    if (one === two) return true;
    if (typeof one !== "object" || typeof two !== "object" || one === null || two === null) return false;
    if (Array.isArray(one) !== Array.isArray(two)) return false;
    const keys = Object.keys(one);
    return keys.length === Object.keys(two).length
        && keys.every((key) => Object.prototype.hasOwnProperty.call(two, key)
            && sameJSON((one as Record<string, unknown>)[key], (two as Record<string, unknown>)[key]));
}

function sameDestination<Route extends AnyRoute>(one: Destination<Route>, two: Destination<Route>): boolean {
    return one.route === two.route && one.presentation === two.presentation
        && sameJSON(one.parameters, two.parameters);
}

function beginsLayer<Route extends AnyRoute>(stack: readonly Destination<Route>[], index: number): boolean {
    return index === 0 || stack[index]?.presentation !== "push";
}

function openerBelow<Route extends AnyRoute>(stack: readonly Destination<Route>[], index: number): number {
    let opener = index - 1;
    while (opener > 0 && !beginsLayer(stack, opener)) opener -= 1;
    return Math.max(opener, 0);
}

function pathTo<Route extends AnyRoute>(
    stack: readonly Destination<Route>[],
    index: number,
    target: readonly Destination<Route>[],
): Destination<Route>[] {
    const path = stack.slice(openerBelow(stack, index) + 1, index);
    for (const item of target.slice(index)) {
        if (item.presentation !== "push") break;
        path.push(item);
    }
    return path;
}

/** The stack that an app shows; immutable, so that any store can hold it. */
export class NavigationState<Route extends AnyRoute> {
    constructor(readonly stack: readonly Destination<Route>[] = []) {}

    /** The stack in layers, lowest first. */
    get layers(): readonly Layer<Route>[] {
        const layers: { index: number; opener: Destination<Route>; pushes: Destination<Route>[] }[] = [];
        this.stack.forEach((item, index) => {
            const top = layers[layers.length - 1];
            if (top === undefined || beginsLayer(this.stack, index)) layers.push({ index, opener: item, pushes: [] });
            else top.pushes.push(item);
        });
        return layers;
    }

    /**
     * Applies a plan or a transition, and returns the new state with the changes of the screen in order.
     *
     * Throws `TransitionMismatch` if the stack isn't the one that was sent; then resolve the link again with the
     * current stack.
     */
    apply(change: RoutePlan<Route> | Transition<Route>): {
        readonly state: NavigationState<Route>; readonly steps: readonly NavigationStep<Route>[];
    } {
        const steps = this.steps(change);
        return { state: steps.reduce((state, step) => state.perform(step), this as NavigationState<Route>), steps };
    }

    /** Returns the changes of the screen for a plan or a transition. */
    steps(change: RoutePlan<Route> | Transition<Route>): readonly NavigationStep<Route>[] {
        if (!("stack" in change)) return this.stepsFor(change);
        const { transition, stack } = change;
        if (transition === undefined) return this.stepsTo(stack);
        const steps = this.stepsFor(transition);
        const isOther = this.stack.slice(0, transition.keep).some((item, index) =>
            item.route !== stack[index]?.route || item.presentation !== stack[index]?.presentation);
        if (isOther || transition.keep + transition.present.length !== stack.length) {
            throw new TransitionMismatch(transition.keep + transition.dismiss, this.stack.length);
        }
        return steps;
    }

    /** Returns the changes of the screen to a stack; the common destinations from the root onwards stay. */
    stepsTo(target: readonly Destination<Route>[]): readonly NavigationStep<Route>[] {
        let keep = 0;
        while (keep < this.stack.length && keep < target.length) {
            const one = this.stack[keep], two = target[keep];
            if (one === undefined || two === undefined || !sameDestination(one, two)) break;
            keep += 1;
        }
        return this.stepsKeeping(keep, target);
    }

    /** Applies one change; a change that doesn't fit the stack has no effect. */
    perform(step: NavigationStep<Route>): NavigationState<Route> {
        switch (step.kind) {
            case "setRoot": return new NavigationState([step.destination]);
            case "selectTab":
                return step.at > this.stack.length
                    ? this : new NavigationState([...this.stack.slice(0, step.at), step.destination]);
            case "setPath":
                return step.at >= this.stack.length
                    ? this : new NavigationState([...this.stack.slice(0, step.at + 1), ...step.pushes]);
            case "present": return new NavigationState([...this.stack, step.destination]);
            case "dismissLayer": return this.userDismissed(step.at);
        }
    }

    /** Returns the state after the user went back, or closed a layer, down to a number of destinations. */
    userDismissed(count: number): NavigationState<Route> {
        return count < 0 || count >= this.stack.length ? this : new NavigationState(this.stack.slice(0, count));
    }

    private stepsFor(transition: Transition<Route>): readonly NavigationStep<Route>[] {
        const { keep, dismiss, present } = transition;
        if (keep < 0 || dismiss < 0 || keep + dismiss !== this.stack.length) {
            throw new TransitionMismatch(keep + dismiss, this.stack.length);
        }
        return this.stepsKeeping(keep, [...this.stack.slice(0, keep), ...present]);
    }

    private stepsKeeping(keep: number, target: readonly Destination<Route>[]): readonly NavigationStep<Route>[] {
        const steps: NavigationStep<Route>[] = [];
        let state: NavigationState<Route> = this;
        const add = (step: NavigationStep<Route>) => {
            steps.push(step);
            state = state.perform(step);
        };
        // Layers over the kept part are dismissed first, from the top down; tabs go with their parent layer.
        for (let index = this.stack.length - 1; index >= Math.max(keep, 1); index -= 1) {
            const presentation = this.stack[index]?.presentation;
            if (presentation !== "push" && presentation !== "tab") add({ kind: "dismissLayer", at: index });
        }
        const root = target[0], next = target[keep];
        if (keep === 0 && root !== undefined) {
            add({ kind: "setRoot", destination: root });
        } else if (state.stack.length > keep) {
            if (keep > 0 && state.stack[keep]?.presentation === "push") {
                add({ kind: "setPath", at: openerBelow(state.stack, keep), pushes: pathTo(state.stack, keep, target) });
            } else if (next?.presentation === "tab") {
                add({ kind: "selectTab", at: keep, destination: next });
            } else {
                add({ kind: "dismissLayer", at: keep });
            }
        }
        for (;;) {
            const index: number = state.stack.length;
            const item = target[index];
            if (item === undefined) return steps;
            if (item.presentation === "tab") add({ kind: "selectTab", at: index, destination: item });
            else if (item.presentation !== "push") add({ kind: "present", destination: item });
            else add({ kind: "setPath", at: openerBelow(state.stack, index), pushes: pathTo(state.stack, index, target) });
        }
    }
}

// Client -------------------------------------------------------------------------------------------------------------

/** The transport to the server: sends JSON by POST, and rejects if no answer arrives. */
export type WaymarkTransport = (
    url: string,
    fields: { readonly [name: string]: string },
    body: string,
) => Promise<{ readonly status: number; readonly body: string }>;

/** The part of the Fetch standard that the default transport needs. */
type Fetch = (url: string, init: {
    readonly method: string; readonly headers: { readonly [name: string]: string }; readonly body: string;
}) => Promise<{ readonly status: number; text(): Promise<string> }>;

const byFetch: WaymarkTransport = async (url, fields, body) => {
    const { fetch } = globalThis as unknown as { readonly fetch: Fetch };
    const response = await fetch(url, { method: "POST", headers: fields, body });
    return { status: response.status, body: await response.text() };
};

/** The client of a server, for the routes of one catalog. */
export class WaymarkClient<Route extends AnyRoute> {
    constructor(
        private readonly table: RouteTable<Route>,
        private readonly options: {
            /** The address without `/v1`. */
            readonly server: string;
            /** The user whose level counts; absent if the token names the user. */
            readonly user?: string;
            /** The app and its version, such as `android/4.0`, for catalogs whose routes require one. */
            readonly app?: string;
            /** Called before each request, so that the token may be renewed. */
            readonly token?: () => Promise<string | undefined>;
            /**
             * Called before each request, for the levels and grants that the device knows of (`from: app`), such as a PIN
             * that was entered; the server takes no others.
             */
            readonly holds?: () => Promise<readonly string[]>;
            readonly transport?: WaymarkTransport;
        },
    ) {}

    /** Resolves a link from the stack that the app shows. */
    async resolve(
        link: string,
        options: {
            readonly from?: readonly Destination<Route>[];
            readonly mode?: "replace" | "append";
            /** The minimum version of the user for the answer, as returned by a write. */
            readonly userVersion?: number;
            /** The way on which the link came over the installation of the app; the server counts it. */
            readonly arrival?: "referrer" | "pasted" | "banner";
        } = {},
    ): Promise<Answer<Route>> {
        return this.answer("/v1/resolve", {
            link,
            ...this.asker(options.userVersion),
            ...(options.from === undefined ? {} : { from: writeStack(options.from) }),
            mode: options.mode ?? "replace",
            ...(options.arrival === undefined ? {} : { arrival: options.arrival }),
        });
    }

    /**
     * Resolves a denied link again after the user obtained the level; `userVersion` is the version of the user that the
     * write of the level returned.
     */
    async redeem(continuation: string, userVersion?: number): Promise<Answer<Route>> {
        return this.answer("/v1/continuations", { token: continuation, ...this.asker(userVersion) });
    }

    /** Returns the link to a stack; for services, because end users' tokens may not. Throws a `WaymarkProblemError`. */
    async link(to: readonly Destination<Route>[], scheme?: string): Promise<string> {
        const { status, json } = await this.send("/v1/links", {
            stack: writeStack(to), ...(scheme === undefined ? {} : { scheme }),
        });
        if (status !== 200) throw new WaymarkProblemError(readProblem(status, json));
        return text(json, "link", "an answer");
    }

    private asker(userVersion: number | undefined): { readonly [name: string]: JSONValue } {
        const { user, app } = this.options;
        return {
            ...(user === undefined ? {} : { user }),
            ...(userVersion === undefined ? {} : { userVersion }),
            ...(app === undefined ? {} : { app }),
        };
    }

    private async answer(path: string, body: JSONValue): Promise<Answer<Route>> {
        const { status, json } = await this.send(path, body);
        return readAnswer(this.table, status, json);
    }

    /** Sends a request, and retries once if no answer arrives: a repeated request changes nothing. */
    private async send(path: string, body: JSONValue): Promise<{ readonly status: number; readonly json: JSONValue }> {
        const token = await this.options.token?.();
        const holds = (await this.options.holds?.()) ?? [];
        const fields = {
            "Content-Type": "application/json",
            Accept: "application/json",
            ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
            ...(holds.length === 0 ? {} : { "Waymark-Holds": holds.join(", ") }),
        };
        const transport = this.options.transport ?? byFetch;
        const url = this.options.server.replace(/\/+$/, "") + path;
        const content = JSON.stringify(body);
        const response = await transport(url, fields, content).catch(() => transport(url, fields, content));
        let json: JSONValue;
        try {
            json = JSON.parse(response.body) as JSONValue;
        } catch {
            json = {};
        }
        return { status: response.status, json };
    }
}

/** The error of a problem, from calls that don't return one. */
export class WaymarkProblemError extends Error {
    constructor(readonly problem: Problem) {
        super(problem.detail);
        this.name = "WaymarkProblemError";
    }
}
