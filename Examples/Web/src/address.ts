// The addresses of the app: those of its links, so that each screen can be shared, bookmarked and reloaded.
import { AppRoute } from "./routes/appRoute";
import { WaymarkDestination, isKnown } from "./routes/waymark-runtime";

/** The host of the links, in whichever place the app is served. */
const links = "https://app.example";

/** The link of an address. */
export function linkOf({ pathname, search }: { readonly pathname: string; readonly search: string }): string {
    return links + pathname + search;
}

/** The part of a destination in the path or the query of its stack's link. */
function part(route: AppRoute): string {
    switch (route.route) {
        case "tabBar": return "";
        case "character": return `/character/${route.parameters.id}`;
        case "episode": return `/episode/${route.parameters.id}`;
        case "step": return `/step/${route.parameters.number}`;
        case "characterSheet": return `?sheet=${encodeURIComponent(route.parameters.title ?? "")}`;
        case "onboarding": case "login": case "registration": case "characters": case "episodes": case "favorites":
        case "settings": case "profile": case "paywall": return `/${route.route}`;
        default: {
            const nothing: never = route;
            return nothing;
        }
    }
}

/** The address of a stack. A cover stands at the root: the stack below it is that of the history's entry. */
export function addressOf(stack: readonly WaymarkDestination<AppRoute>[]): string {
    const cover = stack.map(({ presentation }) => presentation).lastIndexOf("fullScreenCover");
    return stack.slice(Math.max(cover, 0)).map((item) => isKnown(item) ? part(item) : "").join("") || "/";
}
