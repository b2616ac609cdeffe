/* eslint-disable */
// Waymark's runtime: the way from a link to the screen, over gates, lost answers and restarts of the app.
import type {
    AnyRoute, WaymarkAnswer, WaymarkDenial, WaymarkDestination, JSONValue, WaymarkProblem, RouteTable, WaymarkClient,
} from "./waymark-runtime";
import { NavigationState, commonCount } from "./waymark-navigation";
import { WaymarkProblemError, readStack, writeStack } from "./waymark-runtime";

/** A link that waits until the user meets its requirements or gives it up, or until an answer arrives. */
export interface PendingLink<Route extends AnyRoute> {
    readonly link: string;
    readonly mode: "replace" | "append";
    /** The reason for which the link waits: the user was refused, or no answer arrived. */
    readonly reason: "refused" | "unanswered";
    /** The time at which the link was opened, in milliseconds since 1970. Absent for a link that version 1.0 stored. */
    readonly openedAt?: number;
    /** The way in which the deferred deep link was found, if it is one. */
    readonly arrival?: "referrer" | "pasted" | "banner";
    /** The stack that was shown when the link was opened. A link of the mode `append` continues from it. */
    readonly from: readonly WaymarkDestination<Route>[];
    /** The user of the link. Absent without a user. */
    readonly user?: string;
    /** The continuation, if the server issued one. */
    readonly token?: string;
    /** The stack of the gate that the user was sent to. Closing it gives the link up. Empty for an unanswered link. */
    readonly gate: readonly WaymarkDestination<Route>[];
}

/** Returns a pending link as text, in the format that is stored. */
export function writePendingLink<Route extends AnyRoute>(pending: PendingLink<Route>): string {
    return JSON.stringify({ ...pending, from: writeStack(pending.from), gate: writeStack(pending.gate) });
}

/** Reads a stored pending link, or returns `undefined` without a text, and for one in another format. */
export function readPendingLink<Route extends AnyRoute>(
    table: RouteTable<Route>,
    text: string | undefined,
): PendingLink<Route> | undefined {
    try {
        const { link, mode, reason, openedAt, arrival, from, user, token, gate } =
            JSON.parse(text ?? "null") as { readonly [name: string]: JSONValue };
        if (typeof link !== "string" || (mode !== "replace" && mode !== "append")) return undefined;
        return {
            link, mode, reason: reason === "unanswered" ? reason : "refused",
            from: readStack(table, from ?? null), gate: readStack(table, gate ?? null),
            ...(typeof openedAt === "number" ? { openedAt } : {}),
            ...(arrival === "referrer" || arrival === "pasted" || arrival === "banner" ? { arrival } : {}),
            ...(typeof user === "string" ? { user } : {}), ...(typeof token === "string" ? { token } : {}),
        };
    } catch {
        return undefined;
    }
}

/** The outcome of a link. */
export type WaymarkOutcome =
    /** The stack of the link is shown, or as much of it as this version of the app knows. */
    | "shown"
    /** The user was refused, and the gate is shown. */
    | "gated"
    /** The server answered with a problem, or not at all: then the link waits. What is shown has not changed. */
    | "failed"
    /** Nothing was done: no link is pending, or another link, the user or the end of the session was faster. */
    | "superseded";

/** The parts of a navigator. */
export interface WaymarkNavigatorOptions<Route extends AnyRoute> {
    readonly table: RouteTable<Route>;
    readonly client: WaymarkClient<Route>;
    /** The stack that the app begins with, and goes back to when the user signs out. */
    readonly first: readonly WaymarkDestination<Route>[];
    /** A saved state, which replaces `first` at the start. */
    readonly state?: NavigationState<Route>;
    /** The text that `store` was called with last, over launches. */
    readonly stored?: string;
    /** Stores the pending link. Called with `undefined` when no link is pending any more. */
    readonly store?: (text: string | undefined) => void;
    /** The record of the deferred deep link. Signing out clears it. Store its text afterwards. */
    readonly arrivals?: { signedOut(): void };
    /** Waits, for tests. */
    readonly pause?: (milliseconds: number) => Promise<void>;
}

type TimerGlobals = { readonly setTimeout: (body: () => void, milliseconds: number) => unknown };

const byTimer = (milliseconds: number) =>
    new Promise<void>((done) => { (globalThis as unknown as TimerGlobals).setTimeout(done, milliseconds); });

/**
 * The state that an app shows, controlled by links, by the app's own buttons and by the system.
 *
 * `open` and `resume` throw nothing: the error is in `problem`.
 */
export class WaymarkNavigator<Route extends AnyRoute> {
    private current: NavigationState<Route>;
    private kept: PendingLink<Route> | undefined;
    private readonly listeners = new Set<() => void>();
    /** Counts the links that were opened and resumed: only the answer to the last one counts. */
    private turn = 0;
    /** A stack with a known link: the last one from a link, a gate or an answer to `link`. */
    private known: { readonly stack: readonly WaymarkDestination<Route>[]; readonly link: string } | undefined;

    /**
     * The problem of the last link, for the app to show, with status 0 if no answer arrived. The user's next own step
     * clears it, and so does `clearProblem`.
     */
    problem: WaymarkProblem | undefined;

    /** The last denial, for the app to explain. */
    denial: WaymarkDenial<Route> | undefined;

    /** The first destination of the last plan that this version of the app doesn't know: ask for an update. */
    unrecognized: WaymarkDestination<Route> | undefined;

    constructor(private readonly options: WaymarkNavigatorOptions<Route>) {
        this.current = options.state ?? new NavigationState(options.first);
        this.kept = readPendingLink(options.table, options.stored);
    }

    /** What the app shows. */
    get state(): NavigationState<Route> { return this.current; }

    /** The link that waits, behind a gate or for an answer. */
    get pending(): PendingLink<Route> | undefined { return this.kept; }

    /**
     * The link of the current stack, for share sheets, handoff and the address of a browser: the link of the plan or
     * the gate as long as it is shown, otherwise the server's answer. `undefined` for a stack without a link, and if no
     * answer arrives.
     */
    get link(): Promise<string | undefined> { return this.linkOfStack(this.current.stack); }

    /** Clears the problem of the last link. */
    clearProblem(): void {
        if (this.problem === undefined) return;
        this.problem = undefined;
        this.notify();
    }

    /** Calls a function after every change, and returns a function that stops it. */
    readonly subscribe = (listener: () => void): (() => void) => {
        this.listeners.add(listener);
        return () => { this.listeners.delete(listener); };
    };

    // The app's own buttons, and the gestures of the system

    /** Pushes a route onto the top destination. */
    push(destination: WaymarkDestination<Route>): void { this.step(this.current.push(destination)); }

    /** Presents a destination as it says. */
    present(destination: WaymarkDestination<Route>): void { this.step(this.current.present(destination)); }

    /** Selects a tab, which has its stack again. `at` is the index of the tabs in the flat path. */
    select(tab: WaymarkDestination<Route>, at?: number): void { this.step(this.current.select(tab, at)); }

    /**
     * Dismisses the top destination, or with a `count` all but the first ones of the flat path. A gate that is closed by
     * it gives the pending link up.
     */
    dismiss(count?: number): void { this.close(this.current.dismiss(count)); }

    /** Sets the pushes over the opener at an index of the flat path, as the system reports them. */
    setPath(pushes: readonly WaymarkDestination<Route>[], at: number): void { this.close(this.current.setting(pushes, at)); }

    /** Shows a state of the app's own, such as an entry of a browser's history. A gate that it lacks is closed. */
    restore(state: NavigationState<Route>): void { this.close(state); }

    /** Ends the session: the pending link, tabs, layers and arrivals are cleared, and answers under way dropped. */
    signOut(): void {
        this.turn += 1;
        this.options.arrivals?.signedOut();
        this.keep(undefined);
        [this.problem, this.denial, this.unrecognized] = [undefined, undefined, undefined];
        this.show(new NavigationState(this.options.first));
    }

    // Links

    /**
     * Opens a link. A user without the required level is sent to the gate. A link without an answer waits for `resume`.
     *
     * A stack in place of a link is opened by its own link, as a button of the app's own opens a stack that may be
     * behind a gate.
     */
    async open(
        link: string | readonly WaymarkDestination<Route>[],
        options: {
            readonly mode?: "replace" | "append"; readonly userVersion?: number;
            readonly arrival?: "referrer" | "pasted" | "banner";
        } = {},
    ): Promise<WaymarkOutcome> {
        if (typeof link !== "string") return this.openStack(link);
        const [mode, openedAt] = [options.mode ?? "replace", Date.now()];
        const { user } = this.options.client;
        const found = await this.ask(
            (from) => this.options.client.resolve(link, { ...options, from }), () => true);
        if (found === undefined) return "superseded";
        const { answer, from } = found;
        if (answer.kind === "plan" && this.kept?.link === link && this.kept.mode === mode) this.keep(undefined);
        const waiting = (reason: PendingLink<Route>["reason"], denial?: WaymarkDenial<Route>) => ({
            link, mode, reason, openedAt, from, gate: denial?.gate?.stack ?? [],
            ...(options.arrival === undefined ? {} : { arrival: options.arrival }),
            ...(user === undefined ? {} : { user }),
            ...(denial?.continuation === undefined ? {} : { token: denial.continuation }),
        });
        if (answer.kind === "problem" && isPassing(answer.problem)) this.keep(waiting("unanswered"));
        return this.take(answer, (denial) => waiting("refused", denial));
    }

    private async openStack(stack: readonly WaymarkDestination<Route>[]): Promise<WaymarkOutcome> {
        this.turn += 1;
        const { turn } = this;
        const link = await this.options.client.link(stack).catch(problemOf);
        if (turn !== this.turn) return "superseded";
        return typeof link === "string" ? this.open(link) : this.fail(link);
    }

    /** Opens a link that continues from the top of the current stack. */
    append(link: string): Promise<WaymarkOutcome> { return this.open(link, { mode: "append" }); }

    /**
     * Resolves the pending link again, after the user met its requirements, or once there may be a network. A link that
     * no answer arrived to is at its end with the first that does.
     *
     * `waiting` is for levels that arrive later, such as the level of a purchase: while the same gate answers, the link is
     * resolved again for about as many milliseconds, with growing pauses. `userVersion` is the version of the user that
     * the write of the level returned.
     */
    async resume(
        options: { readonly waiting?: number; readonly userVersion?: number } = {},
    ): Promise<WaymarkOutcome> {
        const end = options.waiting ?? 0;
        for (let waited = 0, pause = 500; ; waited += pause, pause *= 2) {
            const pending = this.kept;
            if (pending === undefined) return "superseded";
            const found = await this.ask(
                (from) => this.resolve(pending, from, options.userVersion), () => this.kept === pending);
            if (found === undefined) return "superseded";
            const { answer } = found;
            const mayChange = answer.kind === "denied" ? pending.reason === "refused" && isSameGate(answer.denial, pending)
                : answer.kind === "problem" && isPassing(answer.problem);
            if (!mayChange || waited >= end) {
                if (answer.kind === "plan" || isAtEnd(pending, answer)) this.keep(undefined);
                return this.take(answer, (denial) => this.refusedAgain(pending, denial));
            }
            const turn = this.turn;
            pause = Math.min(pause, end - waited);
            await (this.options.pause ?? byTimer)(pause);
            if (turn !== this.turn || this.kept !== pending) return "superseded";
        }
    }

    private refusedAgain(pending: PendingLink<Route>, denial: WaymarkDenial<Route>): PendingLink<Route> {
        const { user } = this.options.client;
        const { user: _, ...others } = pending;
        const token = denial.continuation ?? pending.token;
        return {
            ...others, reason: "refused", gate: denial.gate?.stack ?? [],
            ...(user === undefined ? {} : { user }), ...(token === undefined ? {} : { token }),
        };
    }

    /** Redeems the token of a pending link, or resolves the link if that is impossible. */
    private async resolve(
        pending: PendingLink<Route>,
        shown: readonly WaymarkDestination<Route>[],
        userVersion: number | undefined,
    ): Promise<WaymarkAnswer<Route>> {
        const { client } = this.options;
        const { link, mode, token, user } = pending;
        const version = userVersion === undefined ? {} : { userVersion };
        if (token !== undefined && (user === undefined || user === client.user) && await client.hasUser()) {
            const answer = await client.redeem(token, { from: shown, ...version });
            if (answer.kind !== "problem" || (answer.problem.status !== 400 && answer.problem.status !== 410)) {
                return answer;
            }
        }
        // A refused link has arrived.
        const arrival = pending.reason === "unanswered" ? pending.arrival : undefined;
        return client.resolve(link, {
            mode, from: mode === "append" ? pending.from : shown, ...version, ...(arrival === undefined ? {} : { arrival }),
        });
    }

    /** Asks, and asks once more if the user navigated meanwhile. Returns `undefined` if the answer no longer counts. */
    private async ask(
        question: (from: readonly WaymarkDestination<Route>[]) => Promise<WaymarkAnswer<Route>>,
        counts: () => boolean,
    ): Promise<{ readonly answer: WaymarkAnswer<Route>; readonly from: readonly WaymarkDestination<Route>[] } | undefined> {
        this.turn += 1;
        const turn = this.turn;
        for (let isLast = false; ; isLast = true) {
            const from = this.current.stack;
            const answer = await question(from)
                .catch((error: unknown): WaymarkAnswer<Route> => ({ kind: "problem", problem: problemOf(error) }));
            if (turn !== this.turn || !counts()) return undefined;
            if (isLast || answer.kind === "problem" || isSameStack(from, this.current.stack)) return { answer, from };
        }
    }

    private take(answer: WaymarkAnswer<Route>, refused: (denial: WaymarkDenial<Route>) => PendingLink<Route>): WaymarkOutcome {
        [this.problem, this.denial, this.unrecognized] = [undefined, undefined, undefined];
        switch (answer.kind) {
            case "plan":
                this.unrecognized = answer.plan.firstUnrecognized;
                this.reach(answer.plan.recognizedPrefix, answer.plan.canonicalLink);
                return "shown";
            case "denied":
                this.denial = answer.denial;
                this.keep(refused(answer.denial));
                this.reach(answer.denial.gate?.stack ?? [], answer.denial.gate?.link);
                return "gated";
            case "problem":
                return this.fail(answer.problem);
        }
    }

    private fail(problem: WaymarkProblem): WaymarkOutcome {
        this.problem = problem;
        this.notify();
        return "failed";
    }

    /** An empty screen would explain nothing, so an answer without a stack for this app changes nothing. */
    private reach(stack: readonly WaymarkDestination<Route>[], link: string | undefined): void {
        const unknown = stack.findIndex((item) => !item.recognized);
        const known = unknown < 0 ? stack : stack.slice(0, unknown);
        if (known.length > 0 && link !== undefined) this.known = { stack: known, link };
        this.show(known.length === 0 ? this.current : this.current.showing(known));
    }

    private async linkOfStack(stack: readonly WaymarkDestination<Route>[]): Promise<string | undefined> {
        if (this.known !== undefined && isSameStack(this.known.stack, stack)) return this.known.link;
        const link = await this.options.client.link(stack).catch(() => undefined);
        if (link !== undefined && isSameStack(stack, this.current.stack)) this.known = { stack, link };
        return link;
    }

    private close(state: NavigationState<Route>): void {
        const pending = this.kept;
        if (pending !== undefined && isShown(pending.gate, this.current) && !isShown(pending.gate, state)) {
            this.denial = undefined;
            this.keep(undefined);
        }
        this.step(state);
    }

    /** Shows a state that the user chose, and clears the problem of an earlier link. */
    private step(state: NavigationState<Route>): void {
        this.problem = undefined;
        this.show(state);
    }

    private show(state: NavigationState<Route>): void {
        this.current = state;
        this.notify();
    }

    private keep(pending: PendingLink<Route> | undefined): void {
        if (pending === undefined && this.kept === undefined) return;
        this.kept = pending;
        this.options.store?.(pending === undefined ? undefined : writePendingLink(pending));
    }

    private notify(): void {
        for (const listener of [...this.listeners]) listener();
    }
}

/** Returns the problem of a failed request, with status 0 if no answer arrived. */
function problemOf(error: unknown): WaymarkProblem {
    if (error instanceof WaymarkProblemError) return error.problem;
    return { code: "", status: 0, detail: String(error), members: {} };
}

/** Returns whether a problem passes by itself: no answer arrived, or the server is away or overloaded. */
function isPassing({ status }: WaymarkProblem): boolean {
    return status === 0 || status === 429 || status >= 500;
}

/** Returns whether a problem ends a pending link: the link no longer resolves, or was waiting for any answer. */
function isAtEnd<Route extends AnyRoute>({ reason }: PendingLink<Route>, answer: WaymarkAnswer<Route>): boolean {
    if (answer.kind !== "problem") return false;
    const { status } = answer.problem;
    return reason === "unanswered" ? !isPassing(answer.problem) : status === 404 || status === 422;
}

/** Returns whether a denial sends to the gate that the user was sent to before, over any current stack. */
function isSameGate<Route extends AnyRoute>({ gate }: WaymarkDenial<Route>, pending: PendingLink<Route>): boolean {
    const top = (stack: readonly WaymarkDestination<Route>[]) => stack.slice(-1);
    return isSameStack(top(gate?.stack ?? []), top(pending.gate));
}

function isSameStack<Route extends AnyRoute>(
    one: readonly WaymarkDestination<Route>[],
    two: readonly WaymarkDestination<Route>[],
): boolean {
    return commonCount(one, two) === Math.max(one.length, two.length);
}

function isShown<Route extends AnyRoute>(gate: readonly WaymarkDestination<Route>[], state: NavigationState<Route>): boolean {
    return gate.length > 0 && commonCount(gate, state.stack) === gate.length;
}
