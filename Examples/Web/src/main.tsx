// The entry point: one navigator, which lives as long as the page.
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { engineTransport } from "./engine";
import { follow, stateOf } from "./history";
import { AppRoute, appRouteTable } from "./routes/appRoute";
import { WaymarkNavigator, readPendingLink } from "./routes/waymark-navigator";
import { WaymarkClient, destination } from "./routes/waymark-runtime";
import { session } from "./session";

const told = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? "";
const server = told("waymark-server"), key = told("waymark-key");
const day = 24 * 60 * 60 * 1000;

/** The link that waited at the end of the last visit, unless that was too long ago to be what the user wants now. */
const pending = readPendingLink(appRouteTable, localStorage.getItem("link") ?? undefined);
const isRecent = pending !== undefined && Date.now() - (pending.openedAt ?? Date.now()) < day;
const stored = isRecent ? localStorage.getItem("link") : null;
const state = stateOf(history.state, isRecent ? pending : undefined);

const client = new WaymarkClient(appRouteTable, {
    server, app: "browser/1.0", user: () => session.user, holds: async () => session.holds,
    ...(key === "" ? {} : { transport: engineTransport(server, key) }),
});
const navigator = new WaymarkNavigator<AppRoute>({
    table: appRouteTable,
    client,
    first: [
        destination<AppRoute>({ route: "tabBar", parameters: {} }, "root"),
        destination<AppRoute>({ route: "characters", parameters: {} }, "tab"),
    ],
    ...(state === undefined ? {} : { state }),
    ...(stored === null ? {} : { stored }),
    store: (text) => {
        if (text === undefined) localStorage.removeItem("link");
        else localStorage.setItem("link", text);
    },
});
/** Asks again for a link that got no answer, for whose sake there is a notice, or which waits since the last visit. */
const retry = () => {
    if (navigator.pending?.reason === "unanswered") void navigator.resume();
};
// A cold link is opened by its address.
if (state !== undefined || location.pathname === "/") retry();
follow(navigator, client);
addEventListener("online", () => { if (navigator.problem?.status === 0) retry(); });
navigator.subscribe(() => session.forgetFailure());

const place = document.getElementById("app");
if (place !== null) createRoot(place).render(<App navigator={navigator} />);
