// The types of the API and the console, for `tsc --checkJs` alone; they aren't part of the page.

/** A grant of the catalog. */
interface Grant {
    name: string;
    was?: string[];
    from?: 'app';
}

/** The name of a level. */
type Level = string;

interface Destination {
    route: string;
    presentation: string;
    parameters: Record<string, unknown>;
}

interface Transition {
    keep: number;
    dismiss: number;
    present: Destination[];
    unknownFrom?: number;
}

interface Step {
    outcome: string;
    route?: string;
    pattern?: string;
    segment?: string;
    parameter?: string;
    expected?: string;
    requiredLevel?: Level;
    offset?: number;
    length?: number;
    reason: string;
}

interface Gate {
    level?: Level;
    grant?: string;
    link: string;
    stack?: Destination[];
    transition?: Transition;
}

/** A plan, or a problem with its extensions: the answer to a line of a batch. */
interface Answer {
    link?: string;
    canonicalLink?: string;
    authorizationLevel?: { required: Level; user: Level };
    stack?: Destination[];
    catalogVersion?: string;
    unusedFragment?: string;
    unusedQuery?: [string, string | null][];
    requiresApp?: Record<string, string>;
    app?: string;
    unresolved?: string[];
    transition?: Transition;
    explanation?: Step[];
    type?: string;
    title?: string;
    status?: number;
    detail?: string;
    reason?: string;
    offset?: number;
    length?: number;
    route?: string;
    requiredLevel?: Level;
    userLevel?: Level;
    missing?: string[];
    gate?: Gate;
    hint?: string;
    matched?: Destination[];
    unmatched?: string[];
    suggestions?: string[];
    ways?: Destination[][];
    version?: number;
    [member: string]: unknown;
}

interface Place {
    /** The included file, relative to the catalog's folder. */
    file?: string;
    line: number;
    column: number;
}

interface Parameter {
    name: string;
    type: string;
    from?: string | string[];
    inherit?: string;
    required?: boolean;
    expected?: string;
    default?: unknown;
    values?: string[];
    min?: number;
    max?: number;
    pattern?: string;
    fields?: Parameter[];
}

interface Edge {
    route: string;
    presentation: string;
    path?: string;
    query?: string;
    aliases?: string[];
    parameters?: Parameter[];
    authorizationLevel?: Level;
    requires?: string[];
    initial?: boolean;
    linkable?: boolean;
    app?: string;
    /** The group that declares the edge. */
    group?: string;
    location: Place;
}

interface Route {
    name: string;
    description?: string;
    path?: string;
    query?: string;
    aliases?: string[];
    parameters: Parameter[];
    authorizationLevel: Level;
    requires?: string[];
    app?: string;
    opens: Edge[];
    web?: { title?: unknown; description?: unknown; fallback?: unknown; open?: string };
    location: Place;
}

/** The forms of an app on the platforms, as far as they have a page in a store. */
interface AppForms {
    ios?: { storeID?: string | number }[];
    android?: { package: string }[];
}

/** The unnamed app, and apps by name. */
type Apps = AppForms & Record<string, AppForms | undefined | object>;

interface CatalogBody {
    catalogVersion: string;
    origins: { scheme: string; authority: string; hosts: string[]; pathPrefix?: string; shortLinks?: boolean }[];
    levels?: (Level | { name: Level; was?: Level[]; from?: 'app' })[];
    grants?: (string | Grant)[];
    gates: Record<string, string | { link: string; over: string; }>;
    apps?: Apps;
    entry: Edge[];
    routes: Route[];
}

/** The counts of resolved links in a period. */
interface ReportHour {
    resolved: number;
    gated: number;
    failed: number;
}

interface ReportCounts extends ReportHour {
    routes: { route: string; catalogVersion: string; resolved: number; gated: Record<string, number>; }[];
    gates: { level?: string; grant?: string; reached: number; passed: number; }[];
    problems: Record<string, number>;
}

interface ReportBody {
    since: string;
    total: ReportCounts;
    lastHour: ReportCounts;
    hours: (ReportHour & { hour: string; })[];
    unmatched: FrequentLinks;
    pages?: ReportPages;
    log?: { dropped: number; };
}

/** The most frequent links of a kind. */
interface FrequentLinks {
    total: number;
    links: { link: string; count: number; error: number; }[];
}

/** The numbers of answers to visitors of links. */
interface PageCounts {
    page: number;
    preview: number;
    redirected: number;
}

interface VisitCounts extends PageCounts {
    unknown: number;
    routes: (PageCounts & { route: string; catalogVersion: string; })[];
}

/** The answers to visitors of links in a report. */
interface ReportPages {
    total: VisitCounts;
    lastHour: VisitCounts;
    unmatched: FrequentLinks;
}

/** The uses of links under one heading; numbers that are zero are left out. */
interface CountRow {
    code?: string;
    day?: string;
    route?: string;
    label?: string;
    opened?: number;
    passed?: number;
    arrived?: number;
    gated?: Record<string, number>;
    failed?: number;
    page?: number;
    preview?: number;
    redirected?: number;
}

interface CountsBody {
    since: string;
    until: string;
    rows: CountRow[];
    hint?: string;
}

/** An outcome of uses, with its name and its color. */
type Outcome = 'opened' | 'passed' | 'arrived' | 'gated' | 'failed' | 'page' | 'preview' | 'redirected';
type Series = [Outcome, string, string];

/** The grants of a user, each with its end. */
type Grants = Record<string, { validUntil?: string }>;

interface User {
    id: string;
    authorizationLevel: Level;
    validUntil?: string;
    levelAfter?: Level;
    currentLevel: Level;
    grants?: Grants;
    version: number;
    updatedAt: string;
}

interface UserChange {
    version: number;
    authorizationLevel?: Level;
    validUntil?: string;
    levelAfter?: Level;
    grants?: Grants;
    at: string;
    by: string;
}

/** A short link as it is now. */
interface ShortLink {
    code: string;
    link: string;
    target: string;
    route: string;
    label?: string;
    expires?: string;
    about?: string;
    state: string;
    problem?: Answer;
    createdAt: string;
}

interface ShortLinkChange {
    version: number;
    target: string;
    label?: string;
    expires?: string;
    withdrawn?: boolean;
    at: string;
    by: string;
}

/** The destination of a new short link: a link, or a route with its parameters. */
type Leads = { link: string; } | { link?: undefined; route: string; parameters: Record<string, unknown>; };

/** One answer of the server. */
interface Reply<Body> {
    ok: boolean;
    status: number;
    body: Body;
    tag: string | null;
}

/** A view: it is mounted once, and updated on every change of the fragment. */
interface View {
    title: string;
    mount(main: HTMLElement): Mounted;
}

interface Mounted {
    update(parameters: URLSearchParams, identifier: string): void | Promise<void>;
    key?(event: KeyboardEvent): boolean;
}

/**
 * The catalog in force, loaded once and indexed. Another version of an answer reloads it.
 *
 * `levels` of `catalog.js` are its levels, the lowest first, or the four of every catalog that declares none. `grants` are its
 * grants, in its order. `opens` returns the edges of a route, or of `entry` for an empty name. `search` returns the routes that
 * contain every word, matches in names first. `tabs` returns the sibling tabs of a tab.
 */
type Catalog = import('./catalog.js').Catalog;

/** The edges that open each route, with the parent's name, empty for `entry`. */
type Openers = Map<string, { parent: string; edge: Edge }[]>;

/** The optional parts of a request. */
interface Options {
    /** A text, or an object to send as JSON. */
    body?: string | object;
    type?: string;
    headers?: Record<string, string>;
    signal?: AbortSignal;
}

/** The options for drawing a stack. */
interface StackOptions {
    label: string;
    catalog?: Catalog;
    leaving?: Destination[];
    arriving?: number;
    kind?: 'gate' | 'behind' | 'part';
}

/** A mark on a range of a link's bytes. */
interface Mark {
    offset: number;
    length: number;
    kind: 'failed' | 'step';
}

type Question = Record<string, string>;

/** The session of a person who is logged in; without one, whether anybody can log in. */
interface Session {
    canLogIn?: boolean;
    name?: string;
    roles?: string[];
    token?: string;
    expiresIn?: number;
}

/** The answer to the beginning of a login or the end of a session. */
interface ConsoleAnswer extends Session {
    location?: string;
    detail?: string;
}

/** The current answer on the page. */
interface Shown {
    choose(step: number): void;
}

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, unknown>;
type Fragment = Record<string, string | number | boolean | null | undefined>;

/** The signatures of the functions, declared here so that browsers don't download them. */
interface Of {
    /** Returns the end that a control has, in UTC; one that was not changed is as it was stored. */
    endOf: (until: HTMLInputElement, stored?: string) => string;
    /** Returns links that led nowhere as a table. */
    deadLinks: (title: string, { links }: FrequentLinks) => HTMLElement;
    /** Returns the address of a view. */
    address: (view: string, parameters?: Fragment, identifier?: string) => string;
    /** Goes to an address of the console; the current address only refreshes the view. */
    go: (to: string, options?: { replace?: boolean; }) => void;
    /** Changes parameters of the current view. */
    change: (changes: Fragment, options?: { replace?: boolean; }) => void;
    /** Returns a refusal in words. */
    fault: (text: string, ...rest: Child[]) => HTMLElement;
    /** Marks an element as busy while an action runs. */
    busy: (element: Element, action: () => Promise<void>) => Promise<void>;
    /** Saves bytes as a file. */
    save: (blob: Blob, name: string) => void;
    /** Reads an answer that is not JSON; `undefined` for a refusal. */
    read: (path: string, type: string) => Promise<Blob | undefined>;
    /** Returns the numbers of a row, in the order of the heads. */
    countCells: (row: CountRow) => string[];
    /** Returns a control for one of some values, each with its text. */
    choice: (id: string, options: string[][], value?: string) => HTMLSelectElement;
    /** Returns the form of a new short link, which shows the stack, the page and the QR code, and then makes it. */
    maker: (origins: { hosts: string[]; pathPrefix?: string; }[]) => HTMLElement;
    /** Reads the destination: a link, unless the first word is a route. */
    destination: (text: string, known: Catalog) => Leads;
    make: (body: object, code: string, key: string, result: HTMLElement) => Promise<void>;
    /** Returns what browsers without the app get. */
    pageCard: (route: Route | undefined) => HTMLElement;
    /** Returns the QR code of an address, which can be saved. */
    qr: (link: string) => Promise<HTMLElement>;
    shortLinkList: (parameters: URLSearchParams) => Promise<HTMLElement>;
    /** Returns the counts of codes since they were made. */
    codeCounts: (codes: string[]) => Promise<Map<string, CountRow>>;
    badge: (state: string) => HTMLElement;
    shortLink: (code: string) => Promise<HTMLElement>;
    shortLinkChanges: (at: string) => Promise<HTMLElement | null>;
    /** Returns a card that withdraws the link, if it hasn't changed since it was read. */
    withdrawal: (at: string, tag: string | null) => HTMLElement;
    /** Creates an element. A tag may carry classes: `p.quiet`. Attributes beginning with `on` are listeners. */
    h: (tag: string, ...parts: (Attributes | Child | Child[])[]) => HTMLElement;
    /** Creates an SVG element. */
    s: (tag: string, ...parts: (Attributes | Child | Child[])[]) => SVGElement;
    /** Replaces the children of an element. */
    put: (element: Element, ...children: (Child | Child[])[]) => void;
    /** Copies a text, and says so. */
    copy: (text: string, label: string, button?: HTMLElement) => Promise<void>;
    /** Creates a card with a heading. */
    card: (title: string, tools: Child[], ...children: (Child | Child[])[]) => HTMLElement;
    /** Returns a text of the server, with its names in backticks as code. */
    prose: (text?: string) => HTMLElement;
    /** Returns whether a destination shows nothing but the tab above it, and so is no screen of its own. */
    isFrame: (destination: Destination, place: number, stack: Destination[]) => boolean;
    /** Creates a notice in place of missing content, with the reason. */
    notice: (title: string, ...text: (Child | Child[])[]) => HTMLElement;
    /** Creates a labelled control, with a hint. */
    field: (label: string, control: HTMLElement, hint?: string) => HTMLElement;
    /** Creates a control for a line of text. */
    input: (id: string, attributes?: Attributes) => HTMLInputElement;
    /** Creates a button that runs an action. */
    button: (text: string, action: (event: Event) => unknown, kind?: string) => HTMLElement;
    stackCard: (title: string, stack: Destination[], transition: Transition | undefined, current: Destination[] | undefined, known: Catalog | undefined, kind: 'gate' | undefined) => HTMLElement;
    /** Parses a stack from JSON; `undefined` for anything else. */
    stackOf: (text: string) => Destination[] | undefined;
    pair: (name: string, value: Node | string) => HTMLElement;
    /** Returns the address of a route or an edge in links. */
    addressText: (item: { path?: string; query?: string; }) => string;
    /** Returns advice on an answer. */
    advice: (answer: Answer, known: Catalog | undefined) => (Node | null)[];
    /** Announces a text to users of screen readers. */
    announce: (text: string) => void;
    apiLines: (text: string) => unknown[];
    apiParsed: (text: string) => unknown;
    ask: (question: Question, result: HTMLElement, step: number, signal: AbortSignal) => Promise<Shown | undefined>;
    associationsVerdict: (platform: string, name: string, url: string, app: string) => Promise<HTMLElement>;
    bar: (kind: string) => HTMLElement | null;
    /** Returns the body of a request. */
    body: ({ link, mode, from, partial, app }: Question, rest: Record<string, unknown>) => { app?: string | undefined; partial?: boolean | undefined; from?: string | Destination[] | undefined; mode?: string | undefined; link: string; };
    box: (known: Catalog, name: string, centre: string, boxes: Map<string, HTMLElement>, key: string, isBefore: boolean) => HTMLElement;
    /** Returns the routes that a route opens, as an expandable tree; an ancestor isn't expanded again. */
    branch: (known: Catalog, name: string, above: string[]) => HTMLElement;
    buttons: (kind: string) => HTMLElement;
    /** Returns an element that the page always has. */
    byID: (id: string) => HTMLElement;
    /** Returns a card with the same question as shell commands. */
    commandsCard: (question: Record<string, string>) => HTMLElement;
    comparison: (candidate: string) => Promise<HTMLElement>;
    controls: (name: string) => HTMLInputElement[];
    /** Creates a button that copies a text. */
    copyButton: (label: string, text: () => string) => HTMLElement;
    decoded: (text: string) => string;
    defined: (location: Place) => string;
    draw: (result: HTMLElement, question: Question, answer: Answer, ladder: Answer[], { current, known, elapsed, step }: { current?: Destination[]; known?: Catalog; elapsed: number; step: number; }) => Shown;
    edgeTable: (caption: string, head: string, rows: { name: string; edge: Edge; }[], known: Catalog) => HTMLElement;
    /** Returns a form that changes the level, if it hasn't changed since it was read. */
    editor: (path: string, user: User | undefined, tag: string | null) => HTMLElement;
    errorText: (error: unknown) => string;
    /** Returns links to a route, built by the server from valid values. */
    examples: (known: Catalog, route: Route) => HTMLElement;
    /** Returns the bytes at which a link failed: those of the problem, otherwise those of the furthest step. */
    failedBytes: (answer: Answer) => Mark[];
    findLinks: (known: Catalog, route: Route) => Promise<string[]>;
    /** Returns the row of a finding, with the number of alike ones. */
    findingRow: (finding: Finding, count: number) => (string | HTMLElement)[];
    /** Returns a card that deletes the user, if it hasn't changed since it was read. */
    remover: (path: string, user: User, tag: string | null) => HTMLElement;
    /** Returns a text that matches a pattern of characters and classes, each with an optional length. */
    fitting: (pattern: string) => string;
    flash: (button: HTMLElement, word: string) => void;
    follow: (event: MouseEvent) => void;
    graphLines: (canvas: SVGElement, boxes: Map<string, HTMLElement>, columns: string[][], known: Catalog) => void;
    history: (path: string, id: string, after: string) => Promise<HTMLElement | null>;
    icon: (path: string) => SVGElement;
    /** Returns JSON with highlighted syntax. */
    json: (value: unknown) => HTMLElement;
    jsonCard: (title: string, value: unknown) => HTMLElement;
    key: (event: KeyboardEvent, result: HTMLElement) => boolean;
    /** Returns a card with the results of the link for each level, side by side. */
    ladderCard: (ladder: Answer[], answer: Answer, question: Question) => HTMLElement;
    line: (name: string, text: string) => HTMLElement;
    linkVerdict: (answer: Answer, link: string, parts: (Node | null)[], elapsed: number) => HTMLElement;
    /** Returns a time in the format of a `datetime-local` control, in this computer's time zone. */
    localTime: (text: string | undefined) => string;
    list: (after: string) => Promise<HTMLElement>;
    load: (content: HTMLElement) => Promise<void>;
    /** Returns a link with marked ranges; offsets count UTF-8, as the server does. */
    markedLink: (link: string, marks: Mark[]) => HTMLElement;
    moment: (text: string) => string;
    moveAlong: (list: HTMLElement, step: number) => void;
    /** Draws columns from the farthest openers to the farthest opened routes. */
    neighbourhood: (known: Catalog, name: string, depth: number, drawing: HTMLElement) => () => void;
    ofClass: (inside: string) => string;
    ofEscape: (escape: string) => string;
    one: (id: string, after: string) => Promise<HTMLElement>;
    /** Returns the routes and, after a line feed, the groups that a route opens, or the routes that a group opens. */
    opened: (known: Catalog, name: string) => string[];
    /** Returns the app that opens a link, with its pages in the stores. */
    opener: (app: string, known: Catalog | undefined) => HTMLElement;
    /** Returns the routes and the groups that open a route; a group itself has none here. */
    openers: (known: Catalog, name: string) => string[];
    parameterList: ({ parameters }: Destination) => string[];
    parameterRow: (parameter: Parameter) => (string | HTMLElement)[];
    phone: ({ route, presentation }: Destination, kind: string, parameters: string[], below: Destination | undefined, { catalog }: StackOptions) => HTMLElement;
    /** Selects a level instead of a user. */
    pin: (level: Level) => void;
    press: (event: KeyboardEvent) => void;
    /** Returns the code of a problem; empty for other answers. */
    problemCode: (answer: Answer) => string;
    /** Returns the text of a problem, in a sentence or two. */
    problemText: (answer: Answer) => string;
    /** Returns a text quoted as one word of a shell. */
    quoted: (text: string) => string;
    /** Returns a refusal, with the callers that are not refused. */
    refusal: (problem: Answer, callers: string, title: string) => HTMLElement;
    /** Sends several questions in one request; returns one answer for each, in order. */
    resolveAll: (questions: object[], signal: AbortSignal) => Promise<Answer[] | Answer>;
    rows: (title: string, heads: string[], lines: Child[][]) => HTMLElement;
    routeDetail: (known: Catalog, route: Route) => HTMLElement;
    routeLink: (known: Catalog, name: string, text: string, presentation?: string) => HTMLElement;
    rung: (level: Level, answer: Answer, isNow: boolean, isUser: boolean) => HTMLElement;
    screen: (destination: Destination, place: number, count: number, below: Destination | undefined, options: StackOptions, motion: string) => HTMLElement;
    /** Draws a stack from root to top. */
    screens: (stack: Destination[], options: StackOptions) => HTMLElement;
    screensLines: (kind: string) => HTMLElement;
    /** Returns the shortest way from `entry`, with values for the parameters on it. */
    shortest: (known: Catalog, name: string) => Destination[][];
    /** Writes a question into the form, except into a control with the focus. */
    show: (question: Question) => void;
    /** Shows the files that phones read. */
    showFiles: (files: HTMLElement) => Promise<void>;
    showList: (known: Catalog, search: string, list: HTMLElement) => void;
    /** Returns a card with the stack that the app would show. */
    shown: (link: string) => Promise<HTMLElement>;
    single: (type: string, parameter: Parameter) => unknown;
    /** Returns the stack, together with the one behind a gate if there is one. */
    stage: (answer: Answer, ladder: Answer[], current: Destination[] | undefined, known: Catalog | undefined) => HTMLElement | null;
    /** Creates a listener for a form that isn't sent anywhere. */
    submit: (action: () => unknown) => (event: Event) => Promise<void>;
    /** Runs the action of a button or a form, which is busy meanwhile: pressed twice, it does nothing twice. */
    act: (event: Event, action: (event: Event) => unknown) => Promise<void>;
    suggestion: (link: string) => HTMLElement;
    tabBar: (route: string, below: Destination | undefined, catalog: Catalog | undefined) => HTMLElement;
    /** Creates a table in which the first cell of each row is its header. */
    table: (caption: string, heads: string[], rows: Child[][]) => HTMLElement;
    text: ({ name, pattern, min, max }: Parameter) => string;
    /** Puts the levels and grants of a catalog in place, and has the view drawn again that shows others. */
    takeNames: (body: CatalogBody) => void;
    /** Returns the members of a question for a level and some grants; those of the app are asserted. */
    permissions: (level: Level, names: string[]) => { level: Level; grants?: string[]; holds?: string[]; };
    /** Begins a login, or shows or ends a session. */
    askConsole: (method: string, path: string) => Promise<ConsoleAnswer>;
    endLogin: (outcome: string) => void;
    refuse: (text: string) => void;
    /** Returns the session of the person who is logged in. Its token is in memory alone, and renewed before its end. */
    session: () => Promise<Session>;
    /** Returns the member of a question for the grants that the app asserts. */
    asserted: (names: string[]) => { holds?: string[]; };
    /** Returns the members of a question for all that users can have. */
    everything: () => { level: Level; grants?: string[]; holds?: string[]; };
    /** Returns whether the user lacks a level or a grant. */
    isGated: (answer: Answer) => boolean;
    /** Returns the names of what a user lacks. */
    lacks: (answer: Answer) => string;
    /** Shows why a change of a user was refused. */
    refuseChange: (outcome: HTMLElement, problem: Answer, user: User | undefined) => void;
    /** Returns a card with a switch for each grant that is stored, if the catalog has any. */
    grantsCard: (path: string, user: User | undefined, tag: string | null) => HTMLElement | null;
    /** Returns the row of a grant, which is stored if the user hasn't changed since it was read. */
    grantRow: (path: string, name: string, user: User | undefined, tag: string | null, outcome: HTMLElement) => Child[];
    grantNames: (grants: Grants | undefined) => string;
    time: (text: string | undefined) => HTMLElement | "–";
    /** Returns the report as tables: failed links first. */
    told: (report: ReportBody) => HTMLElement;
    /** Returns a chart of stacked bars, one a day, and the same as a table. */
    chart: (title: string, days: CountRow[], series: Series[]) => HTMLElement;
    /** Returns cards with the counts, or none if the server doesn't have them. */
    countCards: () => Promise<HTMLElement[]>;
    /** Returns how often links ended at each gate, and how many were opened after one. */
    countGates: (rows: CountRow[]) => HTMLElement;
    /** Returns the ten rows with most uses as a table. */
    countList: (title: string, head: string, rows: CountRow[], name: (row: CountRow) => Child) => HTMLElement;
    /** Returns a number of a row; those of gates are added up. */
    countOf: (row: CountRow, outcome: Outcome) => number;
    /** Returns a button that saves the counts for a spreadsheet. */
    csvButton: () => HTMLElement;
    /** Returns the rows of all days, with those on which nothing was counted. */
    everyDay: (counts: CountsBody) => CountRow[];
    /** Returns the least number from which the scale of a chart can be halved: 1, 2 or 5 with zeros. */
    roundUp: (count: number) => number;
    /** Returns the sum of a number over rows. */
    sumOf: (rows: CountRow[], outcome: Outcome) => number;
    /** Returns the steps as a list; one of them is marked in the link. */
    trace: (steps: Step[], chosen: number, show: (place: number, isKept: boolean) => void) => HTMLElement;
    twig: (known: Catalog, edge: Edge, above: string[]) => HTMLElement;
    valueText: (value: unknown) => string;
    verdictText: (answer: Answer) => string;
    /** Returns the answers to visitors as tables: how many there were, by route, and for which links there was no page. */
    visits: (pages: ReportPages, since: string) => HTMLElement[];
    /** Moves along the stack by the arrow keys. */
    walk: (list: HTMLElement, event: KeyboardEvent) => void;
    /** Suggests links to start with. */
    welcome: (result: HTMLElement) => Promise<void>;
    witness: (parameter: Parameter) => unknown;
    /**
     * Returns values for the parameters that a route requires, and for the parameter of the key that opens it. A value is `undefined`
     * if none is known to fit.
     */
    witnesses: (parameters: Parameter[], opener?: string) => Record<string, unknown>;
}

/** A finding of a comparison of catalogs. */
interface Finding {
    rule: string;
    severity: string;
    /** The number of the change, from 1. */
    change: number;
    consequence?: boolean;
    message: string;
    witness?: string;
}

/** An issue of a catalog. */
interface Issue {
    code?: string;
    line?: number;
    column?: number;
    message?: string;
    hint?: string;
}
