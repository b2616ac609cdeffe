/* eslint-disable */
// Waymark's runtime: plans, what an app that is older than the catalog makes of them, the stack that it shows, and the
// client of a server. No dependency; the client needs `fetch`, or a transport of your own.

/** Any JSON value. */
export type JSONValue = null | boolean | number | string | readonly JSONValue[] | { readonly [key: string]: JSONValue };

/** The values of a destination as they were sent. */
export type RawParameters = { readonly [name: string]: JSONValue };

/** What a parameter must be. */
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

/** What plans are read by; `waymark generate typescript` writes it. `Route` is the type of its routes. */
export interface RouteTable<Route extends AnyRoute> {
    readonly catalogVersion: string;
    readonly specs: RouteSpecs;
    /** Only for the compiler: never there. */
    readonly route?: Route;
}

/** The presentations of this version; others, and `custom:<name>`, are texts. */
export type KnownPresentation =
    | "root" | "tab" | "push" | "sheet" | "bottomSheet" | "fullScreenCover" | "popover" | "alert" | "confirmationDialog";

/** The way in which a destination appears; open, since catalogs may gain one. */
export type Presentation = KnownPresentation | (string & {});

/** A destination of a route that the app knows. */
export type KnownDestination<Route extends AnyRoute> =
    Route & { readonly presentation: Presentation; readonly recognized: true };

/** A destination of a route that this version of the app does not know, or knows with other parameters. */
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

/** The way from the stack that the app shows to another. */
export interface Transition<Route extends AnyRoute> {
    readonly keep: number;
    readonly dismiss: number;
    readonly present: readonly Destination<Route>[];
    readonly unknownFrom?: number;
}

/** The answer to a link that the user may follow. */
export interface RoutePlan<Route extends AnyRoute> {
    readonly link: string;
    readonly canonicalLink?: string;
    readonly authorizationLevel?: { readonly required: string; readonly user: string };
    readonly stack: readonly Destination<Route>[];
    readonly unusedFragment?: string;
    readonly unusedQuery?: readonly (readonly [name: string, value: string | null])[];
    /** The versions of the app that the stack takes, by platform, where the request names no app. */
    readonly requiresApp?: { readonly [platform: string]: string };
    readonly unresolved?: readonly string[];
    readonly transition?: Transition<Route>;
    readonly catalogVersion: string;
    /** The stack below the first destination that this version of the app does not know. */
    readonly recognizedPrefix: readonly KnownDestination<Route>[];
    /** The first destination that this version of the app does not know. */
    readonly firstUnrecognized?: UnrecognizedDestination;
}

/** The refusal of a link, and where the user obtains the level that is missing. */
export interface Denial<Route extends AnyRoute> {
    readonly route: string;
    readonly requiredLevel: string;
    readonly userLevel: string;
    readonly gate?: {
        readonly level: string;
        readonly link: string;
        readonly stack: readonly Destination<Route>[];
        readonly transition?: Transition<Route>;
    };
    readonly continuation?: string;
}

/** An answer that is neither a plan nor a refusal (RFC 9457). */
export interface Problem {
    readonly code: string;
    readonly status: number;
    readonly detail: string;
    readonly members: RawParameters;
}

/** The version of the app that a link takes. */
export interface AppUpdate {
    /** The first destination that the app is too old for. */
    readonly route: string;
    readonly platform: string;
    readonly requiredVersion: string;
    readonly appVersion: string;
    /** The app's page in the store, where the catalog knows it. */
    readonly storeLink?: string;
}

/** What the server says of a link. */
export type Answer<Route extends AnyRoute> =
    | { readonly kind: "plan"; readonly plan: RoutePlan<Route> }
    | { readonly kind: "denied"; readonly denial: Denial<Route> }
    | { readonly kind: "problem"; readonly problem: Problem };

/** Something that is not what a server of Waymark sends. */
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
    if (typeof value !== "string") throw new WaymarkFormatError(`${name} of ${what} is no text`);
    return value;
}

function count(json: JSONValue, name: string, what: string): number {
    const value = member(json, name, what);
    if (typeof value !== "number") throw new WaymarkFormatError(`${name} of ${what} is no number`);
    return value;
}

/** Reads one destination; whatever the app does not know is unrecognized. */
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
    if (!Array.isArray(json)) throw new WaymarkFormatError("a stack is no list");
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
    if (!isObject(json)) throw new WaymarkFormatError("a plan is no object");
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
    if (problem.code !== "insufficient-authorization-level") return { kind: "problem", problem };
    const gate = own(problem.members, "gate");
    // There is none where the app that asks is too old for the gate.
    const stack = isObject(gate) ? own(gate, "stack") : undefined;
    const transition = isObject(gate) ? own(gate, "transition") : undefined;
    const continuation = own(problem.members, "continuation");
    const denial: Denial<Route> = {
        route: text(json, "route", "a refusal"),
        requiredLevel: text(json, "requiredLevel", "a refusal"),
        userLevel: text(json, "userLevel", "a refusal"),
        ...(gate === undefined ? {} : {
            gate: {
                level: text(gate, "level", "a gate"),
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

/** Returns what an app that is too old for the link must become; nothing of other problems. */
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

/** Writes a stack as servers read it. */
export function writeStack<Route extends AnyRoute>(stack: readonly Destination<Route>[]): JSONValue {
    return stack.map(({ route, presentation, parameters }) => ({
        route, presentation, parameters: parameters as RawParameters,
    }));
}

// Navigation ---------------------------------------------------------------------------------------------------------

/** One screen hierarchy of a stack: what opened it, where in the stack that stands, and what is pushed onto it. */
export interface Layer<Route extends AnyRoute> {
    readonly index: number;
    readonly opener: Destination<Route>;
    readonly pushes: readonly Destination<Route>[];
}

/** One change of what is on screen. */
export type NavigationStep<Route extends AnyRoute> =
    /** Shows this alone, in place of everything. */
    | { readonly kind: "setRoot"; readonly destination: Destination<Route> }
    /** Shows this tab at an index of the stack, in place of the one that is there. */
    | { readonly kind: "selectTab"; readonly at: number; readonly destination: Destination<Route> }
    /** Shows these pushes over the opener that stands at an index of the stack. */
    | { readonly kind: "setPath"; readonly at: number; readonly pushes: readonly Destination<Route>[] }
    /** Presents this over the top. */
    | { readonly kind: "present"; readonly destination: Destination<Route> }
    /** Dismisses the layer that begins at an index of the stack, and all over it. */
    | { readonly kind: "dismissLayer"; readonly at: number };

/** The stack is not the one that the transition begins at: the user went somewhere meanwhile. */
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

/** The stack that an app shows; immutable, so that it may live in any store. */
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
     * Goes where a plan or a transition leads: the new state, and the changes of the screen in order.
     *
     * Throws `TransitionMismatch` where the stack is not the one that was sent; resolve the link again then, with what is
     * shown now.
     */
    apply(change: RoutePlan<Route> | Transition<Route>): {
        readonly state: NavigationState<Route>; readonly steps: readonly NavigationStep<Route>[];
    } {
        const steps = this.steps(change);
        return { state: steps.reduce((state, step) => state.perform(step), this as NavigationState<Route>), steps };
    }

    /** The changes that lead where a plan or a transition does. */
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

    /** The changes that lead to a stack; what both have in common from the root on stays. */
    stepsTo(target: readonly Destination<Route>[]): readonly NavigationStep<Route>[] {
        let keep = 0;
        while (keep < this.stack.length && keep < target.length) {
            const one = this.stack[keep], two = target[keep];
            if (one === undefined || two === undefined || !sameDestination(one, two)) break;
            keep += 1;
        }
        return this.stepsKeeping(keep, target);
    }

    /** Makes one change; one that does not fit the stack makes none. */
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

    /** Takes over that the user went back, or closed a layer, until so many destinations were left. */
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
        // What is presented over the kept part goes first, from the top down; tabs go with what shows them.
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

/** The way to the server: sends JSON by POST, and rejects where no answer arrived. */
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
            /** Whose level counts; absent where the token says it. */
            readonly user?: string;
            /** The app and its version, such as `android/4.0`, for catalogs whose routes take one. */
            readonly app?: string;
            /** Asked before each request, so that it may be renewed. */
            readonly token?: () => Promise<string | undefined>;
            readonly transport?: WaymarkTransport;
        },
    ) {}

    /** Asks where a link leads from what the app shows. */
    async resolve(
        link: string,
        options: {
            readonly from?: readonly Destination<Route>[];
            readonly mode?: "replace" | "append";
            /** The version of the user that the answer must not come before, as a write answered with it. */
            readonly userVersion?: number;
        } = {},
    ): Promise<Answer<Route>> {
        return this.answer("/v1/resolve", {
            link,
            ...this.asker(options.userVersion),
            ...(options.from === undefined ? {} : { from: writeStack(options.from) }),
            mode: options.mode ?? "replace",
        });
    }

    /**
     * Asks again where a refused link leads, after the user obtained the level; `userVersion` is the version of the user that
     * the write of the level answered with.
     */
    async redeem(continuation: string, userVersion?: number): Promise<Answer<Route>> {
        return this.answer("/v1/continuations", { token: continuation, ...this.asker(userVersion) });
    }

    /** Asks for the link that leads to a stack; for services, end users' tokens may not. Throws a `WaymarkProblemError`. */
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

    /** Sends a request, and once more where no answer arrived: none of them changes anything that a repetition would. */
    private async send(path: string, body: JSONValue): Promise<{ readonly status: number; readonly json: JSONValue }> {
        const token = await this.options.token?.();
        const fields = {
            "Content-Type": "application/json",
            Accept: "application/json",
            ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
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

/** A problem, where a call has no other way to tell of it. */
export class WaymarkProblemError extends Error {
    constructor(readonly problem: Problem) {
        super(problem.detail);
        this.name = "WaymarkProblemError";
    }
}
