/* eslint-disable */
// Waymark's runtime: plans, their reading by an app that is older than the catalog, and the client of a server. It has
// no dependency. The client needs `fetch`, or a transport of your own.

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

/** The data for reading plans, written by `waymark generate typescript`. `Route` is the type of its routes. */
export interface RouteTable<Route extends AnyRoute> {
    readonly catalogVersion: string;
    readonly specs: RouteSpecs;
    /** The name of the app for which the table was generated. Absent for the routes of every app. */
    readonly appName?: string;
    /** For the compiler only: never set. */
    readonly route?: Route;
}

/** The presentations of this version. Others, and `custom:<name>`, are strings. */
export type KnownPresentation =
    | "root" | "tab" | "push" | "sheet" | "bottomSheet" | "fullScreenCover" | "popover" | "alert" | "confirmationDialog";

/** The presentation of a destination. The type is open, because catalogs may add one. */
export type WaymarkPresentation = KnownPresentation | (string & {});

/** A destination of a route that the app knows. */
export type KnownDestination<Route extends AnyRoute> =
    Route & { readonly presentation: WaymarkPresentation; readonly recognized: true };

/** A destination of a route that this version of the app doesn't know, or knows with other parameters. */
export interface UnrecognizedDestination {
    readonly route: string;
    readonly parameters: RawParameters;
    readonly presentation: WaymarkPresentation;
    readonly recognized: false;
}

/** One element of a navigation stack. */
export type WaymarkDestination<Route extends AnyRoute> = KnownDestination<Route> | UnrecognizedDestination;

/** Returns whether this version of the app knows a destination. Then `switch (destination.route)` is exhaustive. */
export function isKnown<Route extends AnyRoute>(
    destination: WaymarkDestination<Route>,
): destination is KnownDestination<Route> {
    return destination.recognized;
}

/** Creates a destination of a route that the app knows. */
export function destination<Route extends AnyRoute>(route: Route, presentation: WaymarkPresentation): KnownDestination<Route> {
    return { ...route, presentation, recognized: true };
}

/** The transition from the stack that the app shows to another. */
export interface WaymarkTransition<Route extends AnyRoute> {
    readonly keep: number;
    readonly dismiss: number;
    readonly present: readonly WaymarkDestination<Route>[];
    readonly unknownFrom?: number;
}

/** The answer to a link that the user may open. */
export interface RoutePlan<Route extends AnyRoute> {
    readonly link: string;
    readonly canonicalLink?: string;
    readonly authorizationLevel?: { readonly required: string; readonly user: string };
    /** The grants that the stack requires, in the order of the catalog's gates, if there are any. */
    readonly grants?: { readonly required: readonly string[] };
    readonly stack: readonly WaymarkDestination<Route>[];
    readonly unusedFragment?: string;
    readonly unusedQuery?: readonly (readonly [name: string, value: string | null])[];
    /** The versions of the app that the stack requires, by platform, if the request names no app. */
    readonly requiresApp?: { readonly [platform: string]: string };
    readonly unresolved?: readonly string[];
    readonly transition?: WaymarkTransition<Route>;
    readonly catalogVersion: string;
    /** The stack below the first destination that this version of the app doesn't know. */
    readonly recognizedPrefix: readonly KnownDestination<Route>[];
    /** The first destination that this version of the app doesn't know. */
    readonly firstUnrecognized?: UnrecognizedDestination;
}

/** The denial of a link, with the gate for the first missing requirement: a level or a grant. */
export interface WaymarkDenial<Route extends AnyRoute> {
    readonly route: string;
    readonly requiredLevel: string;
    readonly userLevel: string;
    /** The grants that the user lacks, in the order of the catalog's gates. Absent if a level is missing first. */
    readonly missing?: readonly string[];
    readonly gate?: {
        /** The level that a user obtains there. Absent for a grant. */
        readonly level?: string;
        /** The grant that a user obtains there. Absent for a level. */
        readonly grant?: string;
        readonly link: string;
        readonly stack: readonly WaymarkDestination<Route>[];
        readonly transition?: WaymarkTransition<Route>;
    };
    readonly continuation?: string;
}

/** An answer that is neither a plan nor a denial (RFC 9457). */
export interface WaymarkProblem {
    readonly code: string;
    readonly status: number;
    readonly detail: string;
    readonly members: RawParameters;
}

/** The version of the app that a link requires. */
export interface WaymarkUpdate {
    /** The first destination that the app is too old for. */
    readonly route: string;
    readonly platform: string;
    readonly requiredVersion: string;
    readonly appVersion: string;
    /** The app's page in the store, if the catalog has it. */
    readonly storeLink?: string;
}

/** Another app that has a link. */
export interface WaymarkOtherApp {
    /** The first destination that is in that app alone. */
    readonly route: string;
    /** The name of the app in the catalog. */
    readonly app: string;
    /** The link to open in the app, if there is one. */
    readonly link?: string;
    /** The app's page in the store, if the catalog has it. */
    readonly storeLink?: string;
}

/** The answer to a link. `answeredBy` says whether the server gave it or the engine in the app. Absent if neither did. */
export type WaymarkAnswer<Route extends AnyRoute> = { readonly answeredBy?: WaymarkAnswerer } & (
    | { readonly kind: "plan"; readonly plan: RoutePlan<Route> }
    | { readonly kind: "denied"; readonly denial: WaymarkDenial<Route> }
    | { readonly kind: "problem"; readonly problem: WaymarkProblem });

/** What gave an answer: the server, or the engine in the app. */
export type WaymarkAnswerer = "server" | "engine";

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

/** Reads one destination. A destination that the app doesn't know is unrecognized. */
export function readDestination<Route extends AnyRoute>(table: RouteTable<Route>, json: JSONValue): WaymarkDestination<Route> {
    const route = text(json, "route", "a destination");
    const presentation = text(json, "presentation", "a destination");
    const given = isObject(json) ? own(json, "parameters") : undefined;
    const parameters = isObject(given) ? given : {};
    const specs = parametersOf(table.specs, route);
    const recognized = specs !== undefined && allFit(parameters, specs);
    return { route, parameters, presentation, recognized } as unknown as WaymarkDestination<Route>;
}

/** Reads a stack. */
export function readStack<Route extends AnyRoute>(table: RouteTable<Route>, json: JSONValue): WaymarkDestination<Route>[] {
    if (!Array.isArray(json)) throw new WaymarkFormatError("a stack isn't a list");
    return json.map((item: JSONValue) => readDestination(table, item));
}

function readTransition<Route extends AnyRoute>(table: RouteTable<Route>, json: JSONValue): WaymarkTransition<Route> {
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
): WaymarkAnswer<Route> {
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
    const denial: WaymarkDenial<Route> = {
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

function readProblem(status: number, json: JSONValue): WaymarkProblem {
    const members = isObject(json) ? json : {};
    const type = own(members, "type");
    const detail = own(members, "detail");
    const code = typeof type === "string" ? type.replace(/^urn:waymark:problem:/, "") : "";
    return { code, status, detail: typeof detail === "string" ? detail : "", members };
}

/** Returns the update that the link requires, or nothing for other problems. */
export function appUpdate({ code, members }: WaymarkProblem): WaymarkUpdate | undefined {
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

/** Returns the app that has the link, if it is another one, or nothing for other problems. */
export function otherApp({ code, members }: WaymarkProblem): WaymarkOtherApp | undefined {
    if (code !== "other-app") return undefined;
    const [link, storeLink] = [own(members, "link"), own(members, "storeLink")];
    return {
        route: text(members, "route", "a problem"),
        app: text(members, "app", "a problem"),
        ...(typeof link === "string" ? { link } : {}),
        ...(typeof storeLink === "string" ? { storeLink } : {}),
    };
}

/** Returns a stack in the format of servers. */
export function writeStack<Route extends AnyRoute>(stack: readonly WaymarkDestination<Route>[]): JSONValue {
    return stack.map(({ route, presentation, parameters }) => ({
        route, presentation, parameters: parameters as RawParameters,
    }));
}

// Client -------------------------------------------------------------------------------------------------------------

/** The transport to the server: sends JSON by POST, and rejects if no answer arrives. */
export type WaymarkTransport = (
    url: string,
    fields: { readonly [name: string]: string },
    body: string,
) => Promise<WaymarkResponse>;

/** What a transport returns. Without `answeredBy` the server answered. */
export interface WaymarkResponse {
    readonly status: number;
    readonly body: string;
    readonly answeredBy?: WaymarkAnswerer;
}

/** The part of the Fetch standard that the default transport needs. */
type Fetch = (url: string, init: {
    readonly method: string; readonly headers: { readonly [name: string]: string }; readonly body: string;
}) => Promise<{ readonly status: number; text(): Promise<string> }>;

/** The usual transport, by `fetch`. */
export const byFetch: WaymarkTransport = async (url, fields, body) => {
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
            /** The user to resolve for, or a function that names the user that is signed in now. Absent without a user. */
            readonly user?: string | (() => string | undefined);
            /**
             * The app and its version, such as `ios/3.1.0` or `browser/2.4`, which every request names: places of a
             * catalog may require one, and the server counts the links that apps open. Without it `browser/0`, an app
             * of unknown version. The client adds the name of the app for which the table was generated:
             * `driver.ios/3.1.0`.
             */
            readonly app?: string;
            /** Called before each request, so that the token may be renewed. */
            readonly token?: () => Promise<string | undefined>;
            /**
             * Called before each request, for the levels and grants that the device knows of (`from: app`), such as a PIN
             * that was entered. The server takes no others.
             */
            readonly holds?: () => Promise<readonly string[]>;
            readonly transport?: WaymarkTransport;
        },
    ) {}

    /** Resolves a link from the stack that the app shows. */
    async resolve(
        link: string,
        options: {
            readonly from?: readonly WaymarkDestination<Route>[];
            readonly mode?: "replace" | "append";
            /** The minimum version of the user for the answer, as returned by a write. */
            readonly userVersion?: number;
            /** The way in which the deferred deep link was found. The server counts it. */
            readonly arrival?: "referrer" | "pasted" | "banner";
        } = {},
    ): Promise<WaymarkAnswer<Route>> {
        return this.answer("/v1/resolve", {
            link,
            ...this.asker(options.userVersion),
            ...(options.from === undefined ? {} : { from: writeStack(options.from) }),
            mode: options.mode ?? "replace",
            ...(options.arrival === undefined ? {} : { arrival: options.arrival }),
        });
    }

    /**
     * Resolves a denied link again after the user obtained the level. `userVersion` is the version of the user that the
     * write of the level returned, and `from` the stack that the app shows now, which decides the transition.
     */
    async redeem(
        continuation: string,
        options: { readonly from?: readonly WaymarkDestination<Route>[]; readonly userVersion?: number } = {},
    ): Promise<WaymarkAnswer<Route>> {
        return this.answer("/v1/continuations", {
            token: continuation,
            ...this.asker(options.userVersion),
            ...(options.from === undefined ? {} : { from: writeStack(options.from) }),
        });
    }

    /** The user that is signed in now. Absent without a user, and if only the token names the user. */
    get user(): string | undefined {
        const { user } = this.options;
        return typeof user === "function" ? user() : user;
    }

    /** Returns whether the requests name a user, by id or by token. */
    async hasUser(): Promise<boolean> {
        return this.user !== undefined || (await this.options.token?.()) !== undefined;
    }

    /** Returns the link to a stack, without a signature. Throws a `WaymarkProblemError`. */
    async link(to: readonly WaymarkDestination<Route>[], scheme?: string): Promise<string> {
        const { status, json } = await this.send("/v1/links", {
            stack: writeStack(to), ...(scheme === undefined ? {} : { scheme }),
        });
        if (status !== 200) throw new WaymarkProblemError(readProblem(status, json));
        return text(json, "link", "an answer");
    }

    /** The app of the requests, with its name. A page in a browser is no app of the catalog. */
    private get app(): string | undefined {
        const { table: { appName }, options: { app } } = this;
        return appName !== undefined && app !== undefined && /^(ios|android)\//.test(app) ? `${appName}.${app}` : app;
    }

    private asker(userVersion: number | undefined): { readonly [name: string]: JSONValue } {
        const { user, app } = this;
        return {
            ...(user === undefined ? {} : { user }),
            ...(userVersion === undefined ? {} : { userVersion }),
            ...(app === undefined ? {} : { app }),
        };
    }

    private async answer(path: string, body: JSONValue): Promise<WaymarkAnswer<Route>> {
        const { status, json, answeredBy } = await this.send(path, body);
        return { ...readAnswer(this.table, status, json), answeredBy };
    }

    /** Sends a request, and retries once if no answer arrives: a repeated request changes nothing. */
    private async send(
        path: string,
        body: JSONValue,
    ): Promise<{ readonly status: number; readonly json: JSONValue; readonly answeredBy: WaymarkAnswerer }> {
        const token = await this.options.token?.();
        const holds = (await this.options.holds?.()) ?? [];
        const fields = {
            "Content-Type": "application/json",
            Accept: "application/json",
            "Waymark-App": this.app ?? "browser/0",
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
        return { status: response.status, json, answeredBy: response.answeredBy ?? "server" };
    }
}

/** The error of a problem, from calls that don't return one. */
export class WaymarkProblemError extends Error {
    constructor(readonly problem: WaymarkProblem) {
        super(problem.detail);
        this.name = "WaymarkProblemError";
    }
}
