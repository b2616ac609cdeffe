// The browser's history: an entry for each state of the app, with the state in it and the user who saw it.
import { AppRoute, appRouteTable } from "./routes/appRoute";
import { NavigationState, commonCount, readState, writeState } from "./routes/waymark-navigation";
import type { PendingLink, WaymarkNavigator } from "./routes/waymark-navigator";
import type { JSONValue, WaymarkClient } from "./routes/waymark-runtime";
import { session } from "./session";

/** What the history keeps of a state. */
interface Entry {
    readonly state: JSONValue;
    /** The user who saw it; absent for nobody. */
    readonly user?: string;
    /** The link that was refused, if the state is the gate that it was refused at. */
    readonly refused?: string;
    /** The state below a gate, if that is the entry before: closing the gate goes back there. */
    readonly below?: JSONValue;
}

/** The link of an address, in whichever place the app is served. */
function linkOf({ pathname, search }: Location): string {
    return "https://app.example" + pathname + search;
}

/** Whether a gate is shown, and the link that it holds back. */
function refusedLink({ pending, state }: WaymarkNavigator<AppRoute>): string | undefined {
    if (pending === undefined || pending.gate.length === 0) return undefined;
    return commonCount(pending.gate, state.stack) === pending.gate.length ? pending.link : undefined;
}

/**
 * The state of an entry, if it may be shown as it is: to the user who saw it, or to anybody if nobody was signed in, and a
 * gate as long as its link waits. Any other entry is a link, to be resolved anew.
 */
export function stateOf(entry: Entry | null, pending: PendingLink<AppRoute> | undefined): NavigationState<AppRoute> | undefined {
    if (entry === null || (entry.user !== undefined && entry.user !== session.user)) return undefined;
    if (entry.refused !== undefined && entry.refused !== pending?.link) return undefined;
    return readWritten(entry.state);
}

/** The state that an entry keeps; `undefined` for none. */
function readWritten(state: JSONValue | undefined): NavigationState<AppRoute> | undefined {
    try {
        return state === undefined ? undefined : readState(appRouteTable, state);
    } catch {
        // A version of the app that wrote another format.
        return undefined;
    }
}

/** Keeps the history beside the app, and opens the address that the app was started with. */
export function follow(navigator: WaymarkNavigator<AppRoute>, client: WaymarkClient<AppRoute>): void {
    let shown = navigator.state, current: Entry | null = null;
    // An entry whose link has no answer yet, and that of a gate, are replaced by what comes next: neither is a step of Back.
    // From a gate that was closed it goes back to the entry below.
    let isReplaced = true;
    // The browser goes back later than it is told to: until then nothing is written.
    let isGoingBack = false;

    /** The link of what is shown, as an address has it: one of a custom scheme may have a part of its path in the host's place. */
    const webLink = async () => {
        const link = await navigator.link;
        if (link === undefined || link.startsWith("https:")) return link;
        return client.link(navigator.state.stack, "https").catch(() => undefined);
    };
    /** Writes the address of an entry: that of the link of what is shown. */
    const writeAddress = async (entry: Entry) => {
        const link = await webLink();
        if (link === undefined || current !== entry) return;
        const { pathname, search } = new URL(link);
        history.replaceState(entry, "", pathname + search);
    };
    const write = () => {
        const { user } = session, refused = refusedLink(navigator);
        const below = refused === undefined ? undefined : isReplaced ? current?.below : writeState(shown);
        shown = navigator.state;
        current = {
            state: writeState(shown), ...(user === undefined ? {} : { user }), ...(refused === undefined ? {} : { refused }),
            ...(below === undefined ? {} : { below }),
        };
        if (isReplaced) history.replaceState(current, "");
        else history.pushState(current, "");
        isReplaced = refused !== undefined;
        void writeAddress(current);
    };
    /** Shows an entry. If it is to be resolved, its address stays until there is an answer. */
    const show = (entry: Entry | null) => {
        const state = stateOf(entry, navigator.pending);
        isReplaced = state === undefined || entry?.refused !== undefined;
        [shown, current] = [state ?? navigator.state, entry];
        if (state === undefined) void navigator.open(entry?.refused ?? linkOf(location));
        else navigator.restore(state);
    };

    /** Whether a gate was closed, so that the state of the entry before is shown. */
    const isClosed = () =>
        isReplaced && refusedLink(navigator) === undefined && readWritten(current?.below)?.equals(navigator.state) === true;
    const goBack = () => {
        [shown, isGoingBack] = [navigator.state, true];
        history.back();
    };
    /** Takes the entry below a gate that was closed. Its state is shown already, or the user went on from it. */
    const arrive = (entry: Entry | null) => {
        isGoingBack = false;
        if (stateOf(entry, navigator.pending)?.equals(shown) !== true) return show(entry);
        [current, isReplaced] = [entry, false];
        if (!navigator.state.equals(shown)) write();
    };

    navigator.subscribe(() => {
        // A problem changes nothing.
        if (isGoingBack || (isReplaced ? navigator.problem !== undefined : navigator.state.equals(shown))) return;
        if (isClosed()) goBack();
        else write();
    });
    addEventListener("popstate", ({ state }) => {
        if (isGoingBack) arrive(state as Entry | null);
        else show(state as Entry | null);
    });
    addEventListener("online", () => { if (current !== null) void writeAddress(current); });
    if (history.state === null && location.pathname === "/") write();
    else show(history.state as Entry | null);
}
