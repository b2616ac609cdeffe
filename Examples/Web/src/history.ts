// The browser's history: an entry for each state of the app, with the state in it.
import { addressOf, linkOf } from "./address";
import { AppRoute, appRouteTable } from "./routes/appRoute";
import { NavigationState, readState, writeState } from "./routes/waymark-navigation";
import type { WaymarkNavigator } from "./routes/waymark-navigator";
import type { JSONValue } from "./routes/waymark-runtime";

function read(entry: unknown): NavigationState<AppRoute> | undefined {
    try {
        return readState(appRouteTable, entry as JSONValue);
    } catch {
        // The entry of a link that was entered, or of a version of the app that wrote another format.
        return undefined;
    }
}

/** The state of the history's entry: the app was reloaded, or came back from another page. */
export function stateOfEntry(): NavigationState<AppRoute> | undefined {
    return read(history.state);
}

/** Keeps the history beside the app, and opens the address that the app was started with. */
export function follow(navigator: WaymarkNavigator<AppRoute>): void {
    let shown = navigator.state;
    const write = (isNew: boolean) => {
        shown = navigator.state;
        const [entry, address] = [writeState(shown), addressOf(shown.stack)];
        if (isNew) history.pushState(entry, "", address);
        else history.replaceState(entry, "", address);
    };
    const start = history.state === null && location.pathname !== "/" ? linkOf(location) : undefined;
    navigator.subscribe(() => {
        if (!navigator.state.equals(shown)) write(true);
    });
    addEventListener("popstate", ({ state }) => {
        const entry = read(state);
        if (entry === undefined) {
            void navigator.open(linkOf(location));
        } else {
            shown = entry;
            navigator.restore(entry);
        }
    });
    write(false);
    if (start !== undefined) void navigator.open(start);
}
