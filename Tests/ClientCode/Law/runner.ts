// A navigator that does a command a line, for Tests/ClientCode/Law/law.py. With the argument `expo` it is shown by a router, which
// says what is shown, goes back, and has the bar of the tabs.
import { createInterface } from "node:readline";
import {
    AnyRoute, JSONValue, RouteTable, WaymarkClient, WaymarkTransport, readDestination, readStack, writeStack,
} from "./waymark-runtime";
import { NavigationState, readState, writeState } from "./waymark-navigation";
import { WaymarkNavigator } from "./waymark-navigator";
import { WaymarkLinks } from "./waymark-expo";
import { Router, filesOf } from "./router";

type Command = {
    readonly do: string; readonly server?: string; readonly routes?: readonly string[]; readonly first?: JSONValue;
    readonly name?: string | null; readonly names?: readonly string[]; readonly link?: string; readonly mode?: "replace" | "append"; readonly lose?: number;
    readonly meanwhile?: readonly Command[]; readonly waiting?: number; readonly destination?: JSONValue;
    readonly pushes?: JSONValue; readonly at?: number; readonly count?: number; readonly restores?: boolean;
    readonly stack?: JSONValue;
};

let table: RouteTable<AnyRoute> = { catalogVersion: "", specs: [] };
let client: WaymarkClient<AnyRoute>;
let navigator: WaymarkNavigator<AnyRoute>;
let user: string | undefined;
let held: readonly string[] = [];
let first: readonly ReturnType<typeof readDestination>[] = [];
let stored: string | undefined;
let lose = 0;
let meanwhile: readonly Command[] = [];
let redemptions: object[] = [];
let goOn: (() => void) | undefined;
const isExpo = process.argv[2] === "expo";
let files: ReturnType<typeof filesOf>;
let shown: { readonly links: WaymarkLinks<AnyRoute>; readonly router: Router; readonly end: () => void } | undefined;
const used = { back: 0, tap: 0, open: 0 };

const transport: WaymarkTransport = async (url, fields, body) => {
    const response = await fetch(url, { method: "POST", headers: fields, body });
    const answer = { status: response.status, body: await response.text() };
    const others = meanwhile;
    meanwhile = [];
    for (const other of others) await perform(other);
    if (lose > 0) {
        lose -= 1;
        throw new Error("the answer is lost");
    }
    if (url.endsWith("/v1/continuations") && answer.status === 200) {
        const { transition, stack } = JSON.parse(answer.body);
        redemptions.push({ from: JSON.parse(body).from, transition, stack });
    }
    return answer;
};

function begin(state?: NavigationState<AnyRoute>) {
    navigator = new WaymarkNavigator({
        table, client, first, ...(state === undefined ? {} : { state }), ...(stored === undefined ? {} : { stored }),
        store: (text) => { stored = text; },
        pause: (milliseconds) => new Promise((done) => {
            goOn = done;
            say({ paused: milliseconds });
        }),
    });
    if (!isExpo) return;
    shown?.end();
    const links = new WaymarkLinks<AnyRoute>({ table, navigator, ...files, patience: 60_000 }), router = new Router(files.layouts);
    shown = { links, router, end: links.connect(router) };
}

/** Returns what is shown: with a router, what that shows. */
function shownStack(): readonly ReturnType<typeof readDestination>[] {
    const { stack } = navigator.state;
    if (shown === undefined || stack.length === 0) return stack;
    const found = shown.links.stackOf(shown.router.getRootState());
    // A layout with tabs shows one of them, even where the app has selected none.
    const hasFreeTabs = files.layouts[stack[stack.length - 1]?.route ?? ""] === "tabs";
    return hasFreeTabs && found[stack.length]?.presentation === "tab" ? found.slice(0, stack.length) : found;
}

/**
 * Whether going back in a router leaves what the app means: tabs over a screen that has none in the catalog are a layout of their own
 * there, and under a screen over a layout with tabs there is always one of them.
 */
function isOfRouter(stack: readonly ReturnType<typeof readDestination>[]): boolean {
    // Tabs go together with the screen that has them.
    let top = stack.length - 1;
    for (; top > 0 && stack[top]?.presentation === "tab"; top -= 1) {
        const layout = stack[top - 1]?.route ?? "", route = stack[top]?.route ?? "", own = `${layout}/${route}`;
        const hasTab = files.screens[route]?.some((file) => file === own || file === `${own}/index`) === true;
        if (files.layouts[layout] !== "tabs" || !hasTab) return false;
    }
    return files.layouts[stack[top - 1]?.route ?? ""] !== "tabs";
}

/** Opens a link as the system hands it over, and returns the outcome. */
async function openBySystem({ links }: { readonly links: WaymarkLinks<AnyRoute> }, link: string): Promise<string | undefined> {
    let outcome: string | undefined;
    const open = navigator.open.bind(navigator);
    navigator.open = async (...given) => outcome = await open(...given);
    const path = await links.redirectSystemPath({ path: link, initial: false });
    navigator.open = open;
    if (path !== null && (path !== link || outcome !== "failed")) throw new Error(`the router is sent to ${path}`);
    used.open += 1;
    return outcome;
}

async function perform(command: Command): Promise<string | undefined> {
    const read = (json: JSONValue | undefined) => readDestination(table, json ?? null);
    switch (command.do) {
        case "start":
            table = { catalogVersion: "", specs: (command.routes ?? []).map((name) => [name, []] as const) };
            client = new WaymarkClient<AnyRoute>(
                table, { server: command.server ?? "", user: () => user, holds: async () => held, transport });
            first = readStack(table, command.first ?? null);
            [user, stored, held] = [undefined, undefined, []];
            if (isExpo) files = filesOf(JSON.parse(await (await fetch(`${command.server}/v1/catalog`)).text()));
            begin();
            return;
        case "restart":
            // A saved state is read from text, as after a launch.
            begin(command.restores
                ? readState(table, JSON.parse(JSON.stringify(writeState(navigator.state)))) : undefined);
            return;
        case "spoil":
            if (stored !== undefined) stored = JSON.stringify({ ...JSON.parse(stored), token: "x.y" });
            begin(navigator.state);
            return;
        case "age":
            // As version 1.0 stored it.
            if (stored !== undefined) {
                const { reason, openedAt, ...others } = JSON.parse(stored);
                stored = JSON.stringify(others);
            }
            begin(navigator.state);
            return;
        case "user": user = command.name ?? undefined; return;
        case "hold": held = command.names ?? []; return;
        case "push": navigator.push(read(command.destination)); return;
        case "present": navigator.present(read(command.destination)); return;
        case "select": {
            const tab = read(command.destination);
            // A router goes on to show its last screens where the app shows none.
            const hasBar = navigator.state.stack.length > 0;
            if (hasBar && command.at === undefined && Object.keys(tab.parameters).length === 0 && shown?.router.tap(tab.route) === true) used.tap += 1;
            else navigator.select(tab, command.at);
            return;
        }
        case "dismiss":
            if (shown !== undefined && command.count === undefined && navigator.state.stack.length > 1 && isOfRouter(navigator.state.stack) && shown.router.back()) used.back += 1;
            else navigator.dismiss(command.count);
            return;
        case "setPath": navigator.setPath(readStack(table, command.pushes ?? null), command.at ?? 0); return;
        case "signOut": navigator.signOut(); return;
        case "clearProblem": navigator.clearProblem(); return;
        case "link": return await navigator.link ?? "none";
        case "show": return navigator.open(readStack(table, command.stack ?? null));
        case "open":
            if (shown !== undefined && command.mode === undefined) return openBySystem(shown, command.link ?? "");
            return navigator.open(command.link ?? "", command.mode === undefined ? {} : { mode: command.mode });
        case "resume": return navigator.resume(command.waiting === undefined ? {} : { waiting: command.waiting });
        default: throw new Error(command.do);
    }
}

function say(json: object) {
    process.stdout.write(JSON.stringify(json) + "\n");
}

createInterface({ input: process.stdin }).on("line", (line) => {
    const command = JSON.parse(line) as Command;
    if (command.do === "go") {
        const done = goOn;
        goOn = undefined;
        if (done !== undefined) done();
        return;
    }
    [lose, meanwhile, redemptions] = [command.lose ?? 0, command.meanwhile ?? [], []];
    void perform(command).then((outcome) => {
        const { pending } = navigator;
        say({
            outcome: outcome ?? null, stack: writeStack(shownStack()), state: writeState(navigator.state),
            pending: pending === undefined ? null
                : { ...pending, from: writeStack(pending.from), gate: writeStack(pending.gate) },
            redemptions, problem: navigator.problem !== undefined,
        });
    });
}).on("close", () => {
    const { back, tap, open } = used;
    if (isExpo) process.stderr.write(`expo: the router went back ${back} times, and had ${tap} taps and ${open} links\n`);
});
