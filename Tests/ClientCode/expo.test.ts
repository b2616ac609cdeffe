// The links of the app of the page on Expo Router, through its native intent and a router: `scripts/prove generated` compiles and
// runs it, with a server of the page's catalog.
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import type { NativeIntent } from "expo-router";
import { AppRoute } from "./appRoute";
import { appRouteLayouts, appRouteScreens } from "./appRouteScreens";
import { makeLinks, session } from "./makeLinks";
import { Router } from "./router";
import type { RouterState } from "./waymark-expo";
import { destination } from "./waymark-runtime";

const server = process.env.SERVER ?? "";

async function setLevel(authorizationLevel: string): Promise<void> {
    const response = await fetch(`${server}/v1/users/ann`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ authorizationLevel }),
    });
    ok(response.status < 300);
}

/** The focused files of a router, the lowest first. */
function files({ index, routes }: RouterState): string[] {
    const isTabs = routes.some(({ name }) => name === "orders");
    return routes.flatMap(({ name, state }, place) => {
        if (isTabs && place !== index) return [];
        return name === "__root" ? files(state ?? { routes: [] }) : [name, ...(state === undefined ? [] : files(state).map((file) => `${name}/${file}`))];
    });
}

test("the files of the routes are those of their paths", () => {
    deepEqual(appRouteLayouts, { "": "stack", "(tabs)": "tabs" });
    deepEqual(appRouteScreens, {
        tabs: "(tabs)", home: "(tabs)/index", orders: "(tabs)/orders", product: "product/[id]", login: "login",
    });
});

test("a link is refused at its start, waits over the login, and goes on; gestures come back", async () => {
    const links = makeLinks(server), intent: NativeIntent = links;
    // The first connection takes its time.
    await setLevel("guest");
    // Nobody is signed in, and the app is started by the link.
    equal(await intent.redirectSystemPath?.({ path: "https://shop.example/orders", initial: true }), "/login");
    const router = new Router(appRouteLayouts, { "(tabs)": ["index", "orders"] }), end = links.connect(router);
    deepEqual(files(router.getRootState()), ["login"]);
    deepEqual([links.current.denial?.requiredLevel, links.current.pending?.link], ["member", "https://shop.example/orders"]);
    ok(links.current === links.current);

    await setLevel("member");
    session.user = "ann";
    equal(await links.navigator.resume(), "shown");
    deepEqual(files(router.getRootState()), ["(tabs)", "(tabs)/orders"]);
    equal(links.current.pending, undefined);

    // While it runs: the router stays, and follows the navigator. Its keys stay, too.
    const key = router.getRootState().routes[0]?.state?.routes[0]?.key;
    equal(await intent.redirectSystemPath?.({ path: "shop://product/7", initial: false }), null);
    deepEqual(files(router.getRootState()), ["(tabs)", "(tabs)/index", "product/[id]"]);
    equal(router.getRootState().routes[0]?.state?.routes[0]?.key, key);
    equal(links.href(links.navigator.state.stack), "/product/7");
    ok(router.back());
    deepEqual(links.navigator.state.stack.map(({ route }) => route), ["tabs", "home"]);
    ok(router.tap("orders"));
    deepEqual(links.navigator.state.stack.map(({ route }) => route), ["tabs", "orders"]);

    // A screen that the app pushes by the router itself is read by its file.
    const inner = router.getRootState().routes[0]?.state;
    router.resetRoot({
        routes: [{ name: "__root", state: { routes: [...inner?.routes ?? [], { name: "product/[id]", params: { id: "8" } }] } }],
    });
    deepEqual(links.navigator.state.stack[2], destination<AppRoute>({ route: "product", parameters: { id: 8 } }, "push"));

    // Leaving the gate gives the link up, and what is no link of the catalog is the router's.
    session.user = undefined;
    equal(await links.navigator.open("https://shop.example/orders"), "gated");
    links.navigator.signOut();
    equal(links.current.pending, undefined);
    equal(await intent.redirectSystemPath?.({ path: "https://shop.example/imprint", initial: false }), "https://shop.example/imprint");
    end();
});

test("a start without a link shows the first stack, and one without an answer does not wait for ever", async () => {
    const links = makeLinks(server);
    equal(await links.redirectSystemPath({ path: "shop:///", initial: true }), "/");
    equal(await links.redirectSystemPath({ path: "exp://192.168.0.2:8081/--/", initial: true }), "/");
    const slow = makeLinks(server, () => new Promise(() => undefined));
    equal(await slow.redirectSystemPath({ path: "https://shop.example/product/7", initial: true }), "/");
    const lost = makeLinks(server, () => Promise.reject(new Error("there is no network")));
    equal(await lost.redirectSystemPath({ path: "https://shop.example/product/7", initial: true }), "/");
    equal(lost.current.pending?.reason, "unanswered");
    // Over a restart it is asked again.
    equal(await makeLinks(server).redirectSystemPath({ path: "", initial: true }), "/product/7");
});
