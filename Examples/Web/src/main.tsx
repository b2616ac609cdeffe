// The entry point: one navigator, which lives as long as the page.
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { follow, stateOfEntry } from "./history";
import { AppRoute, appRouteTable } from "./routes/appRoute";
import { WaymarkNavigator } from "./routes/waymark-navigator";
import { WaymarkClient, destination } from "./routes/waymark-runtime";
import { session } from "./session";

const server = document.querySelector<HTMLMetaElement>("meta[name=waymark-server]")?.content ?? "";
const stored = localStorage.getItem("link"), state = stateOfEntry();

const navigator = new WaymarkNavigator<AppRoute>({
    table: appRouteTable,
    client: new WaymarkClient(appRouteTable, {
        server, user: () => session.user, holds: async () => session.holds,
    }),
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
follow(navigator);

const place = document.getElementById("app");
if (place !== null) createRoot(place).render(<App navigator={navigator} />);
