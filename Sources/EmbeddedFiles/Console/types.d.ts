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
    location?: Place;
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
    opens: Edge[];
    location?: Place;
}

interface CatalogBody {
    catalogVersion: string;
    origins: { scheme: string; authority: string; hosts: string[]; pathPrefix?: string }[];
    levels?: (Level | { name: Level; was?: Level[]; from?: 'app' })[];
    grants?: (string | Grant)[];
    gates: Record<string, string | { link: string; over: string; }>;
    apps?: object;
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

type Catalog = import('./catalog.js').Catalog;

/** The optional parts of a request. */
interface Options {
    body?: string;
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
    stackCard: (title: string, stack: Destination[], transition: Transition | undefined, current: Destination[] | undefined, known: Catalog | undefined, kind: 'gate' | undefined) => HTMLElement;
    stackOf: (text: string) => Destination[] | undefined;
    pair: (name: string, value: Node | string) => HTMLElement;
    addressText: (item: { path?: string; query?: string; }) => string;
    advice: (answer: Answer) => (Node | null)[];
    announce: (text: string) => void;
    apiLines: (text: string) => unknown[];
    apiParsed: (text: string) => unknown;
    ask: (question: Question, result: HTMLElement, step: number, signal: AbortSignal) => Promise<Shown | undefined>;
    associationsVerdict: (platform: string, name: string, url: string, app: string) => Promise<HTMLElement>;
    bar: (kind: string) => HTMLElement | null;
    body: ({ link, mode, from, partial }: Question, rest: Record<string, unknown>) => { partial?: boolean | undefined; from?: string | Destination[] | undefined; mode?: string | undefined; link: string; };
    box: (known: Catalog, name: string, centre: string, boxes: Map<string, HTMLElement>, key: string, isBefore: boolean) => HTMLElement;
    branch: (known: Catalog, name: string, above: string[]) => HTMLElement;
    buttons: (kind: string) => HTMLElement;
    byID: (id: string) => HTMLElement;
    commandsCard: (question: Record<string, string>) => HTMLElement;
    comparison: (candidate: string) => Promise<HTMLElement>;
    controls: (name: string) => HTMLInputElement[];
    copyButton: (label: string, text: () => string) => HTMLElement;
    decoded: (text: string) => string;
    defined: (location: Place | undefined) => string;
    draw: (result: HTMLElement, question: Question, answer: Answer, ladder: Answer[], { current, known, elapsed, step }: { current?: Destination[]; known?: Catalog; elapsed: number; step: number; }) => Shown;
    edgeTable: (caption: string, head: string, rows: { name: string; edge: Edge; }[], known: Catalog) => HTMLElement;
    editor: (path: string, user: User | undefined, tag: string | null) => HTMLElement;
    errorText: (error: unknown) => string;
    examples: (known: Catalog, route: Route) => HTMLElement;
    failedBytes: (answer: Answer) => Mark[];
    findLinks: (known: Catalog, route: Route) => Promise<string[]>;
    findingRow: (finding: Finding) => (string | HTMLElement)[];
    remover: (path: string, user: User, tag: string | null) => HTMLElement;
    fitting: (pattern: string) => string;
    flash: (button: HTMLElement, word: string) => void;
    follow: (event: MouseEvent) => void;
    graphLines: (canvas: SVGElement, boxes: Map<string, HTMLElement>, columns: string[][], known: Catalog) => void;
    history: (path: string, id: string, after: string) => Promise<HTMLElement | null>;
    icon: (path: string) => SVGElement;
    hasEndpoint: (path: string) => Promise<boolean>;
    json: (value: unknown) => HTMLElement;
    jsonCard: (title: string, value: unknown) => HTMLElement;
    key: (event: KeyboardEvent, result: HTMLElement) => boolean;
    ladderCard: (ladder: Answer[], answer: Answer, question: Question) => HTMLElement;
    line: (name: string, text: string) => HTMLElement;
    linkVerdict: (answer: Answer, link: string, parts: (Node | null)[], elapsed: number) => HTMLElement;
    localTime: (text: string | undefined) => string;
    list: (after: string) => Promise<HTMLElement>;
    load: (content: HTMLElement) => Promise<void>;
    markedLink: (link: string, marks: Mark[]) => HTMLElement;
    moment: (text: string) => string;
    moveAlong: (list: HTMLElement, step: number) => void;
    neighbourhood: (known: Catalog, name: string, depth: number, drawing: HTMLElement) => () => void;
    ofClass: (inside: string) => string;
    ofEscape: (escape: string) => string;
    one: (id: string, after: string) => Promise<HTMLElement>;
    opened: (known: Catalog, name: string) => string[];
    openers: (known: Catalog, name: string) => string[];
    parameterList: ({ parameters }: Destination) => string[];
    parameterRow: (parameter: Parameter) => (string | HTMLElement)[];
    phone: ({ route, presentation }: Destination, kind: string, parameters: string[], below: Destination | undefined, { catalog }: StackOptions) => HTMLElement;
    pin: (level: Level) => void;
    press: (event: KeyboardEvent) => void;
    problemCode: (answer: Answer) => string;
    problemText: (answer: Answer) => string;
    quoted: (text: string) => string;
    refusal: (problem: Answer) => HTMLElement;
    resolveAll: (questions: object[], signal: AbortSignal) => Promise<Answer[] | Answer>;
    rows: (title: string, heads: string[], lines: Child[][]) => HTMLElement;
    routeDetail: (known: Catalog, route: Route) => HTMLElement;
    routeLink: (known: Catalog, name: string, text: string) => HTMLElement;
    rung: (level: Level, answer: Answer, isNow: boolean, isUser: boolean) => HTMLElement;
    screen: (destination: Destination, place: number, count: number, below: Destination | undefined, options: StackOptions, motion: string) => HTMLElement;
    screens: (stack: Destination[], options: StackOptions) => HTMLElement;
    screensLines: (kind: string) => HTMLElement;
    shortest: (known: Catalog, name: string) => Destination[][];
    show: (question: Question) => void;
    showFiles: (files: HTMLElement) => Promise<void>;
    showList: (known: Catalog, search: string, list: HTMLElement) => void;
    shown: (link: string) => Promise<HTMLElement>;
    single: (type: string, parameter: Parameter) => unknown;
    stage: (answer: Answer, ladder: Answer[], current: Destination[] | undefined, known: Catalog | undefined) => HTMLElement | null;
    submit: (action: () => void) => (event: Event) => void;
    suggestion: (link: string) => HTMLElement;
    tabBar: (route: string, below: Destination | undefined, catalog: Catalog | undefined) => HTMLElement;
    table: (caption: string, heads: string[], rows: Child[][]) => HTMLElement;
    text: ({ name, pattern, min, max }: Parameter) => string;
    takeNames: (body: CatalogBody) => void;
    permissions: (level: Level, names: string[]) => { level: Level; grants?: string[]; holds?: string[]; };
    askConsole: (method: string, path: string) => Promise<ConsoleAnswer>;
    endLogin: (outcome: string) => void;
    refuse: (text: string) => void;
    session: () => Promise<Session>;
    asserted: (names: string[]) => { holds?: string[]; };
    everything: () => { level: Level; grants?: string[]; holds?: string[]; };
    isGated: (answer: Answer) => boolean;
    lacks: (answer: Answer) => string;
    grantsCard: (path: string, user: User | undefined, tag: string | null) => HTMLElement | null;
    grantRow: (path: string, name: string, held: { validUntil?: string } | undefined, tag: string | null, outcome: HTMLElement) => Child[];
    grantNames: (grants: Grants | undefined) => string;
    time: (text: string | undefined) => HTMLElement | "–";
    told: (report: ReportBody) => HTMLElement;
    chart: (title: string, days: CountRow[], series: Series[]) => HTMLElement;
    countCards: () => Promise<HTMLElement[]>;
    countGates: (rows: CountRow[]) => HTMLElement;
    countList: (title: string, head: string, rows: CountRow[], name: (row: CountRow) => Child) => HTMLElement;
    countOf: (row: CountRow, outcome: Outcome) => number;
    csvButton: () => HTMLElement;
    everyDay: (counts: CountsBody) => CountRow[];
    round: (number: number) => number;
    roundUp: (count: number) => number;
    sumOf: (rows: CountRow[], outcome: Outcome) => number;
    trace: (steps: Step[], chosen: number, show: (place: number, isKept: boolean) => void) => HTMLElement;
    twig: (known: Catalog, edge: Edge, above: string[]) => HTMLElement;
    valueText: (value: unknown) => string;
    verdictText: (answer: Answer) => string;
    visits: (pages: ReportPages, since: string) => HTMLElement[];
    walk: (list: HTMLElement, event: KeyboardEvent) => void;
    welcome: (result: HTMLElement) => Promise<void>;
    witness: (parameter: Parameter) => unknown;
    witnesses: (parameters: Parameter[], opener?: string) => Record<string, unknown>;
}

/** A finding of a comparison of catalogs. */
interface Finding {
    rule?: string;
    severity?: string;
    route?: string;
    message?: string;
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
