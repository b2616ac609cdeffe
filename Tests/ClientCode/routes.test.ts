// A use of the TypeScript code of the sample app: `scripts/prove generated` compiles and runs it, with a server.
import { deepEqual, equal, ok, rejects, throws } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ArrivalFinding, ArrivalReader, ArrivalRecord } from "./waymark-arrival";
import { AppRoute, appRouteNames, appRouteTable, catalogVersion } from "./appRoute";
import { NavigationState, NavigationStep, TransitionMismatch, readState, writeState } from "./waymark-navigation";
import { WaymarkNavigator, readPendingLink } from "./waymark-navigator";
import { appState, containerState } from "./navigator";
import {
    WaymarkDestination, JSONValue, WaymarkTransition, WaymarkClient, WaymarkFormatError, WaymarkProblemError, appUpdate, destination, isKnown,
    otherApp, readDestination, readPlan, readStack, writeStack,
} from "./waymark-runtime";

function environment(name: string): string {
    const value = process.env[name];
    ok(value, `${name} is not set`);
    return value;
}

function json(path: string): any {
    return JSON.parse(readFileSync(path, "utf8"));
}

/** Compiles only if every route has its case, with its values. */
function title(route: AppRoute): string {
    switch (route.route) {
        case "character": return `character ${route.parameters.id.toFixed(0)}`;
        case "episode": return `episode ${route.parameters.id}`;
        case "characterSheet": return route.parameters.title ?? "untitled";
        case "onboarding": case "step1": case "step2": case "login": case "registration": case "forgotpassword":
        case "tabBar": case "characters": case "episodes": case "settings": case "profile": return route.route;
        default: {
            const nothing: never = route;
            return nothing;
        }
    }
}

// @ts-expect-error a number is wanted
export const wrongType: AppRoute = { route: "character", parameters: { id: "1" } };
// @ts-expect-error an absent value is left out, and not undefined
export const explicitUndefined: AppRoute = { route: "characterSheet", parameters: { title: undefined } };
// @ts-expect-error there is no such route
export const wrongRoute: AppRoute = { route: "hologram", parameters: {} };

test("every fixture of the catalog is known", () => {
    const fixtures = json(environment("FIXTURES"));
    equal(fixtures.catalogVersion, catalogVersion);
    const stack = readStack(appRouteTable, fixtures.destinations);
    ok(stack.length > 10);
    for (const item of stack) {
        ok(isKnown(item), item.route);
        ok(appRouteNames.includes(item.route));
        ok(title(item).length > 0);
    }
    deepEqual(writeStack(stack), fixtures.destinations);
});

const newer: JSONValue = {
    link: "x:/", catalogVersion: "f", more: [1],
    stack: [
        { route: "tabBar", presentation: "root", parameters: {} },
        { route: "character", presentation: "push", parameters: { id: 1, since: [true, null] } },
        { route: "constructor", presentation: "beam", parameters: { x: { y: 1.5 } } },
        { route: "settings", presentation: "custom:flip", parameters: {} },
    ],
};

test("what an older app does not know is what it is", () => {
    const plan = readPlan(appRouteTable, newer);
    deepEqual(plan.recognizedPrefix.map(title), ["tabBar", "character 1"]);
    equal(plan.firstUnrecognized?.route, "constructor");
    equal(plan.firstUnrecognized?.presentation, "beam");
    deepEqual(writeStack(plan.stack), newer.stack);
    for (const parameters of [{}, { id: "1" }, { id: 1.5 }, { id: null }, { id: [1] }]) {
        const item = readDestination(appRouteTable, { route: "character", presentation: "push", parameters });
        equal(item.recognized, false);
    }
});

function word(step: NavigationStep<AppRoute>): string {
    return "at" in step ? `${step.kind} ${step.at}` : step.kind;
}

test("a thousand transitions of the engine lead where they should, by the same steps", () => {
    const vectors = json(environment("VECTORS"));
    const stacks: WaymarkDestination<AppRoute>[][] = vectors.stacks.map((stack: JSONValue) => readStack(appRouteTable, stack));
    ok(vectors.pairs.length > 900);
    for (const [from, to, keep, dismiss, words] of vectors.pairs) {
        const start = new NavigationState<AppRoute>(stacks[from]);
        const target = stacks[to] ?? [];
        const transition: WaymarkTransition<AppRoute> = { keep, dismiss, present: target.slice(keep) };
        const { state, steps } = start.apply(transition);
        deepEqual(state.stack, target);
        let followed: NavigationState<AppRoute> = start;
        const told = steps.map((step) => {
            followed = followed.perform(step);
            return `${word(step)} ${followed.stack.length}`;
        });
        deepEqual(told, words);
        deepEqual(start.stepsTo(target), steps);
        throws(() => new NavigationState(start.stack.slice(1)).apply({ ...transition, dismiss: dismiss + 1 }),
            (error) => error instanceof TransitionMismatch);
    }
});

// The server ---------------------------------------------------------------------------------------------------------

const server = environment("SERVER");
const user = "typescript";

/** Answers the version of the user. */
async function setLevel(authorizationLevel: string): Promise<number> {
    const response = await fetch(`${server}/v1/users/${user}`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ authorizationLevel }),
    });
    ok(response.status < 300);
    return JSON.parse(await response.text()).version;
}

test("the client resolves, is refused, and redeems", async () => {
    await setLevel("signedInUser");
    const client = new WaymarkClient(appRouteTable, { server, user });
    let state = new NavigationState<AppRoute>();
    const plain = await client.resolve("navigation:/characters/character/1", { from: state.stack });
    ok(plain.kind === "plan");
    state = state.apply(plain.plan).state;
    deepEqual(state.stack, plain.plan.stack);
    deepEqual(plain.plan.stack[2], destination<AppRoute>({ route: "character", parameters: { id: 1 } }, "push"));

    const link = "navigation:/characters/character/1?sheet=x";
    const refused = await client.resolve(link, { from: state.stack });
    ok(refused.kind === "denied");
    equal(refused.denial.gate?.level, "premiumUser");
    ok(refused.denial.gate?.transition);
    const gate = state.apply(refused.denial.gate.transition).state;
    deepEqual(gate.stack, refused.denial.gate.stack);
    ok(refused.denial.continuation);

    const version = await setLevel("premiumUser");
    const early = await client.redeem(refused.denial.continuation, { userVersion: version + 1 });
    ok(early.kind === "problem");
    equal(early.problem.code, "version-mismatch");
    const granted = await client.redeem(refused.denial.continuation, { userVersion: version, from: gate.stack });
    ok(granted.kind === "plan");
    // It follows the gate, which is what the app shows by now.
    state = new NavigationState(gate.stack).apply(granted.plan).state;
    equal(state.stack.length, 4);
    equal(state.layers.length, 2);

    // The user swipes the sheet away while an answer is on its way.
    const late = await client.resolve("navigation:/episodes", { from: state.stack });
    ok(late.kind === "plan");
    const swiped = state.dismiss(3);
    const { plan } = late;
    throws(() => swiped.apply(plan), (error) => error instanceof TransitionMismatch);
    const again = await client.resolve("navigation:/episodes", { from: swiped.stack });
    ok(again.kind === "plan");
    deepEqual(swiped.apply(again.plan).state.stack, again.plan.stack);
});

const home = [
    destination<AppRoute>({ route: "tabBar", parameters: {} }, "root"),
    destination<AppRoute>({ route: "characters", parameters: {} }, "tab"),
];

test("tabs keep their stacks, also over a restart", () => {
    const character = (id: number) => destination<AppRoute>({ route: "character", parameters: { id } }, "push");
    const episodes = destination<AppRoute>({ route: "episodes", parameters: {} }, "tab");
    let state = new NavigationState<AppRoute>(home).push(character(1)).push(character(2)).select(episodes);
    deepEqual(state.stack.map(({ route }) => route), ["tabBar", "episodes"]);
    state = readState(appRouteTable, JSON.parse(JSON.stringify(writeState(state)))).select(home[1] ?? episodes);
    deepEqual(state.stack, [...home, character(1), character(2)]);
    // A link says the whole stack of its tab, and nothing about the others.
    state = state.showing([home[0] ?? episodes, episodes]).showing([...home, character(3)]);
    deepEqual(state.stack, [...home, character(3)]);
    equal(state.dismiss().dismiss().dismiss().stack.length, 2);
    for (const json of [null, {}, { layers: [[]] }, { layers: [7] },
        { layers: [[{ route: "login", presentation: "root", selected: 0 }]] }]) {
        throws(() => readState(appRouteTable, json as JSONValue), (error) => error instanceof WaymarkFormatError);
    }
});

test("a purchase that arrives late is waited for, and the session's end forgets the link", async () => {
    await setLevel("signedInUser");
    const pauses: number[] = [], stored: (string | undefined)[] = [];
    const navigator = new WaymarkNavigator<AppRoute>({
        table: appRouteTable, client: new WaymarkClient(appRouteTable, { server, user }), first: home,
        store: (text) => stored.push(text),
        pause: async (milliseconds) => {
            pauses.push(milliseconds);
            if (pauses.length === 3) await setLevel("premiumUser");
        },
    });
    let changes = 0;
    navigator.subscribe(() => { changes += 1; });
    const link = "navigation:/characters/character/1?sheet=x";
    equal(await navigator.open(link), "gated");
    equal(changes, 1);
    equal(await navigator.resume({ waiting: 10_000 }), "shown");
    deepEqual([pauses, changes], [[500, 1000, 2000], 2]);
    equal(navigator.state.stack.length, 4);
    deepEqual([stored.length, stored[1]], [2, undefined]);

    await setLevel("signedInUser");
    equal(await navigator.open(link), "gated");
    equal(await navigator.resume({ waiting: 700 }), "gated");
    deepEqual(pauses.slice(3), [500, 200]);
    navigator.signOut();
    deepEqual([navigator.pending, navigator.state.stack, navigator.denial], [undefined, home, undefined]);
    equal(await navigator.resume(), "superseded");

    // A gate that the user closes is not come back to.
    equal(await navigator.open(link), "gated");
    navigator.dismiss();
    equal(navigator.pending, undefined);
    for (const text of ["", "7", "null", "{}", "[]", '{"link":"x:/","mode":"sideways"}']) {
        equal(readPendingLink(appRouteTable, text), undefined);
    }
});

test("a link without a network waits over a restart, and what is shown has a link", async () => {
    await setLevel("signedInUser");
    const sent: { readonly path: string; readonly app: string | undefined; readonly body: any }[] = [];
    let isLost = true, stored: string | undefined;
    const make = () => new WaymarkNavigator<AppRoute>({
        table: appRouteTable, first: home, store: (text) => { stored = text; }, ...(stored === undefined ? {} : { stored }),
        client: new WaymarkClient(appRouteTable, {
            server, user,
            transport: async (url, fields, body) => {
                sent.push({ path: url.slice(server.length), app: fields["Waymark-App"], body: JSON.parse(body) });
                if (isLost) throw new Error("there is no network");
                const response = await fetch(url, { method: "POST", headers: fields, body });
                return { status: response.status, body: await response.text() };
            },
        }),
    });
    let navigator = make();
    const link = "navigation:/onboarding/step1", begin = Date.now();
    equal(await navigator.open(link, { arrival: "pasted" }), "failed");
    deepEqual([navigator.pending?.reason, navigator.pending?.link, navigator.problem?.status], ["unanswered", link, 0]);
    const openedAt = navigator.pending?.openedAt ?? 0;
    ok(begin <= openedAt && openedAt <= Date.now());
    let changes = 0;
    navigator.subscribe(() => { changes += 1; });
    navigator.clearProblem();
    navigator.clearProblem();
    deepEqual([navigator.problem, changes, navigator.pending?.link], [undefined, 1, link]);
    equal(await navigator.link, undefined);

    navigator = make();
    deepEqual([navigator.pending?.reason, navigator.pending?.openedAt], ["unanswered", openedAt]);
    equal(await navigator.resume(), "failed");
    deepEqual([navigator.pending?.openedAt, navigator.problem?.status], [openedAt, 0]);
    isLost = false;
    equal(await navigator.resume(), "shown");
    equal(sent[sent.length - 1]?.body.arrival, "pasted");
    deepEqual([navigator.pending, stored, navigator.problem], [undefined, undefined, undefined]);

    // That of the plan takes no request, that of the app's own step one.
    const count = sent.length;
    equal(await navigator.link, "navigation:///onboarding/step1");
    equal(sent.length, count);
    equal(await navigator.open("navigation:/nowhere"), "failed");
    navigator.push(destination<AppRoute>({ route: "step2", parameters: {} }, "push"));
    equal(navigator.problem, undefined);
    equal(await navigator.link, "navigation://loremipsum.com/onboarding/step1/step2");
    equal(await navigator.link, "navigation://loremipsum.com/onboarding/step1/step2");
    deepEqual(sent.slice(count).map(({ path }) => path), ["/v1/resolve", "/v1/links"]);
    // A stack is opened by its link, and a refused one waits for its user.
    const sheet = destination<AppRoute>({ route: "characterSheet", parameters: { title: "x" } }, "sheet");
    const stack = [...home, destination<AppRoute>({ route: "character", parameters: { id: 7 } }, "push"), sheet];
    equal(await navigator.open(stack), "gated");
    deepEqual([navigator.pending?.reason, navigator.pending?.link],
        ["refused", "navigation://loremipsum.com/characters/character/7?sheet=x"]);
    equal(await navigator.link, navigator.denial?.gate?.link);
    equal(await navigator.open([sheet]), "failed");
    equal(navigator.problem?.code, "no-link");
    deepEqual([...new Set(sent.map(({ app }) => app))], ["browser/0"]);

    const old = { link, mode: "replace", from: [], user, token: "x.y", gate: writeStack<AppRoute>(home) };
    const read = readPendingLink(appRouteTable, JSON.stringify(old));
    deepEqual([read?.reason, read?.openedAt, read?.token, read?.gate], ["refused", undefined, "x.y", home]);
});

test("the client tells problems, and builds links", async () => {
    const client = new WaymarkClient(appRouteTable, { server, user });
    const lost = await client.resolve("navigation:/charcters");
    ok(lost.kind === "problem");
    equal(lost.problem.code, "no-matching-route");
    equal(lost.problem.status, 404);
    const stack = [
        destination<AppRoute>({ route: "tabBar", parameters: {} }, "root"),
        destination<AppRoute>({ route: "episodes", parameters: {} }, "tab"),
    ];
    equal(await client.link(stack, "navigation"), "navigation://loremipsum.com/episodes");
    await rejects(client.link(stack.slice(0, 0)), (error) =>
        error instanceof WaymarkProblemError && error.problem.code === "invalid-request");
});

test("a link of another app names it", () => {
    const members = { route: "trips", app: "rider", appVersion: "driver.ios/9", link: "ride:///trips" };
    const problem = { code: "other-app", status: 403, detail: "", members };
    deepEqual(otherApp(problem), { route: "trips", app: "rider", link: "ride:///trips" });
    equal(otherApp({ ...problem, code: "app-update-required" }), undefined);
    equal(appUpdate(problem), undefined);
});

test("the client says its version", async () => {
    const client = (app: string) => new WaymarkClient(appRouteTable, { server, user, app });
    const link = "navigation:/onboarding/step2";
    const old = await client("ios/3.1.9").resolve(link);
    ok(old.kind === "problem");
    deepEqual(appUpdate(old.problem), {
        route: "step2", platform: "ios", requiredVersion: "3.2", appVersion: "3.1.9",
        storeLink: "https://apps.apple.com/app/id123456789",
    });
    const plain = await new WaymarkClient(appRouteTable, { server, user }).resolve(link);
    ok(plain.kind === "plan");
    deepEqual(plain.plan.requiresApp, { ios: "3.2", android: "4.0" });
    const now = await client("android/4").resolve(link);
    ok(now.kind === "plan");
    equal(now.plan.requiresApp, undefined);

    // A gate that the app is too old for has no stack.
    const userVersion = await setLevel("signedInUser");
    const denied = await client("ios/8").resolve("navigation:/characters/character/1?sheet=x", { userVersion });
    ok(denied.kind === "denied" && denied.denial.continuation !== undefined);
    deepEqual(denied.denial.gate?.stack, []);
    const again = await client("ios/9").redeem(denied.denial.continuation);
    ok(again.kind === "denied");
    equal(again.denial.gate?.stack.length, 4);
});

test("the client of one app says its name, and reads which app opens a link", async () => {
    const sent: (string | undefined)[] = [];
    const problem = { type: "urn:waymark:problem:other-app", title: "t", status: 403, detail: "d", route: "ride", app: "rider", link: "taxi:/ride" };
    for (const app of ["ios/3.1.0", "browser/2", undefined]) {
        const client = new WaymarkClient({ ...appRouteTable, appName: "driver" }, {
            server,
            ...(app === undefined ? {} : { app }),
            transport: async (_, fields, body) => {
                sent.push(fields["Waymark-App"], JSON.parse(body).app);
                return { status: 403, body: JSON.stringify(problem) };
            },
        });
        const answer = await client.resolve("taxi:/ride");
        ok(answer.kind === "problem");
        deepEqual(otherApp(answer.problem), { route: "ride", app: "rider", link: "taxi:/ride" });
        equal(appUpdate(answer.problem), undefined);
    }
    deepEqual(sent, ["driver.ios/3.1.0", "driver.ios/3.1.0", "browser/2", "browser/2", "browser/0", undefined]);
});

test("a connection that is lost is tried once more, and no more", async () => {
    const flaky = new WaymarkClient(appRouteTable, { server: environment("FLAKY"), user });
    equal((await flaky.resolve("navigation:/onboarding")).kind, "plan");
    const dead = new WaymarkClient(appRouteTable, { server: "http://127.0.0.1:9", user });
    await rejects(dead.resolve("navigation:/onboarding"), () => true);
});

test("arrivals are read as every runtime reads them", () => {
    const { hosts, now, findings, records } = json(environment("ARRIVALS"));
    const reader = new ArrivalReader(hosts);
    ok(findings.length >= 60);
    for (const { note, kind, text, clickedAt, installedAt, want } of findings) {
        const found: ArrivalFinding = kind === "referrer"
            ? reader.findInReferrer(text, clickedAt, installedAt, now)
            : kind === "pasted" ? reader.findInPasted(text) : reader.findInBanner(text);
        deepEqual(found, typeof want === "string" ? { kind: want } : { kind: "link", link: want.link }, note);
    }
    for (const { note, steps, text } of records) {
        let record = new ArrivalRecord();
        for (const [name, one, two, want] of steps) {
            if (name === "start") equal(record.start(one, two), want, note);
            else if (name === "receive") {
                const finding: ArrivalFinding = one === null ? { kind: "absent" } : { kind: "link", link: one };
                equal(record.receive(finding, two) ?? null, want, note);
            } else if (name === "handedOver") record.handedOver();
            else if (name === "openedByLink") record.openedByLink();
            else if (name === "signedOut") record.signedOut();
            else record = new ArrivalRecord(name === "store" ? record.text : one);
        }
        equal(record.text, text, note);
    }
});

test("the state of React Navigation is the app's, with a gate over the screens of a tab, and going back closes it", () => {
    const tabs = new NavigationState<AppRoute>([
        destination<AppRoute>({ route: "tabBar", parameters: {} }, "root"),
        destination<AppRoute>({ route: "characters", parameters: {} }, "tab"),
        destination<AppRoute>({ route: "character", parameters: { id: 1 } }, "push"),
    ]);
    const shown = tabs.select(destination<AppRoute>({ route: "episodes", parameters: {} }, "tab"))
        .push(destination<AppRoute>({ route: "episode", parameters: { id: 2 } }, "push"));
    const gated = shown.present(destination<AppRoute>({ route: "login", parameters: {} }, "fullScreenCover"))
        .push(destination<AppRoute>({ route: "registration", parameters: {} }, "push"));
    for (const state of [tabs, shown, gated]) deepEqual(writeState(appState(containerState(state))), writeState(state));
    const { routes } = containerState(gated);
    deepEqual(routes.map(({ name }) => name), ["tabBar", "login", "registration"]);
    ok(appState({ routes: routes.slice(0, 1) }).equals(shown));
});
