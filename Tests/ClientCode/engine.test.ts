// The host of the engine in TypeScript, with an engine of the test's own and, where `ENGINE` names its folder, with the real one:
// as WebAssembly, and as JavaScript where there is no WebAssembly, as on a phone.
import { deepEqual, equal, ok, rejects, throws } from "node:assert/strict";
import { generateKeyPairSync, sign, verify as verifyByNode, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { AppRoute, appRouteTable } from "./appRoute";
import {
    BundleStore, EngineModule, EngineSource, EngineUser, SignedBundle, WaymarkEngine, WaymarkEngineOptions,
} from "./waymark-engine";
import { WaymarkNavigator } from "./waymark-navigator";
import { WaymarkClient, WaymarkResponse, WaymarkTransport, destination } from "./waymark-runtime";

const signer = generateKeyPairSync("ed25519");
const key = signer.publicKey.export({ format: "jwk" }).x, other = generateKeyPairSync("ed25519");

/** Signs a bundle as `waymark catalog bundle` does. */
function signed(bundle: string, by = signer): SignedBundle {
    const ed25519 = sign(null, Buffer.from(bundle), by.privateKey).toString("base64url");
    return { bundle, signature: JSON.stringify({ keyId: "0", ed25519 }) };
}

function numbered(sequence: number, catalog = ""): SignedBundle {
    return signed(JSON.stringify({ sequence, issuedAt: "", catalog }));
}

/** Verifies without WebCrypto, as an app of React Native must. */
function verify(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
    const x = Buffer.from(publicKey).toString("base64url");
    return verifyByNode(null, message, createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }), signature);
}

/**
 * An engine of JavaScript that answers each body by itself, with the catalog's text, and traps at some words. A link
 * that begins with `4` has it as the status.
 */
function made(): EngineModule & { readonly catalogs: Map<number, string> } {
    const memory = { buffer: new ArrayBuffer(65_536) }, catalogs = new Map<number, string>();
    let size = 0, last = 0;
    const text = (count: number) => Buffer.from(new Uint8Array(memory.buffer, 16, count)).toString("utf8");
    // Memory that grows is another buffer.
    const room = (count: number) => {
        if (count > memory.buffer.byteLength - 16) memory.buffer = new ArrayBuffer(count + 16);
    };
    const tell = (value: string) => {
        room(value.length * 3);
        size = Buffer.from(value).copy(new Uint8Array(memory.buffer, 16));
    };
    const answer = (path: string, handle: number, count: number): number => {
        const body = text(count), { link } = JSON.parse(body) as { readonly link?: string };
        if (body.includes("trap")) throw new Error("unreachable");
        const status = link?.startsWith("4") === true ? Number(link.slice(0, 3)) : 200;
        const type = status === 403 ? "urn:waymark:problem:missing-grant" : "urn:waymark:problem:other";
        tell(JSON.stringify({ ...(status === 200 ? {} : { type }), path, catalog: catalogs.get(handle), ...JSON.parse(body) }));
        return status;
    };
    return {
        memory, catalogs, instantiate: made,
        waymark_buffer: (count) => {
            room(count);
            return 16;
        },
        waymark_load: (count) => {
            const { catalog } = JSON.parse(text(count)) as { readonly catalog: string };
            if (catalog === "trap") throw new Error("unreachable");
            if (catalog === "faulty") {
                tell('{"code":"faulty"}');
                return 0;
            }
            catalogs.set(++last, catalog);
            return last;
        },
        waymark_resolve: (handle, count) => answer("resolve", handle, count),
        waymark_link: (handle, count) => answer("link", handle, count),
        waymark_answer: () => 16,
        waymark_answer_length: () => size,
        waymark_unload: (handle) => { catalogs.delete(handle); },
    };
}

type Engine = { readonly engine: WaymarkEngine; readonly errors: unknown[] };

function engineWith(options: Partial<WaymarkEngineOptions>): Engine {
    const errors: unknown[] = [];
    return {
        engine: new WaymarkEngine({
            module: made(), keys: [key], server: "https://links.example/", verify, report: (error) => { errors.push(error); }, ...options,
        }),
        errors,
    };
}

/** The catalog by which an engine answers. */
async function catalogOf(engine: WaymarkEngine): Promise<unknown> {
    return JSON.parse((await engine.answer("/v1/resolve", "{}")).body).catalog;
}

interface Answer { readonly status: number; readonly bundle?: SignedBundle; readonly tag?: string }

/** Has a server answer to requests for bundles, and returns what was asked. */
function serve(answer: () => Answer): { readonly url: string; readonly headers: { readonly [name: string]: string } }[] {
    const asked: { readonly url: string; readonly headers: { readonly [name: string]: string } }[] = [];
    (globalThis as any).fetch = async (url: string, { headers }: { readonly headers: { readonly [name: string]: string } }) => {
        asked.push({ url, headers });
        const { status, bundle, tag } = answer();
        const fields: { readonly [name: string]: string | undefined } = { "Waymark-Signature": bundle?.signature, ETag: tag };
        return { status, headers: { get: (name: string) => fields[name] ?? null }, text: async () => bundle?.bundle ?? "" };
    };
    return asked;
}

const platformFetch = (globalThis as any).fetch;

test("the higher number counts, of the seed and of what was kept, and a newer one is taken and kept", async () => {
    let text: string | undefined, answer: Answer = { status: 200, bundle: numbered(8, "eight"), tag: '"8"' };
    const store: BundleStore = { read: async () => text, write: (value) => { text = value; } };
    const asked = serve(() => answer);
    let { engine, errors } = engineWith({ seed: Promise.resolve(numbered(7, "seven")), store, token: async () => "t" });
    ok(await engine.ready);
    deepEqual([engine.sequence, await catalogOf(engine), engine.checkedAt], [7, "seven", undefined]);
    ok(await engine.refresh());
    deepEqual([engine.sequence, await catalogOf(engine)], [8, "eight"]);
    ok(Date.now() - (engine.checkedAt ?? 0) < 60_000);
    // Started anew, with what was kept, its tag, and an older seed.
    ({ engine, errors } = engineWith({ seed: numbered(7), store }));
    answer = { status: 304 };
    equal(await engine.refresh(), false);
    deepEqual([engine.sequence, await catalogOf(engine), engine.refused, errors], [8, "eight", undefined, []]);
    deepEqual(asked, [
        { url: "https://links.example/v1/catalog/bundle", headers: { Authorization: "Bearer t" } },
        { url: "https://links.example/v1/catalog/bundle", headers: { "If-None-Match": '"8"' } },
    ]);
    ({ engine } = engineWith({ seed: numbered(9, "nine"), store }));
    equal(await catalogOf(engine), "nine");
    // The server's of the same number changes nothing, but has a tag.
    answer = { status: 200, bundle: numbered(9, "another"), tag: '"9"' };
    equal(await engine.refresh(), false);
    equal(await catalogOf(engine), "nine");
    await engine.refresh();
    equal(asked[asked.length - 1]?.headers["If-None-Match"], '"9"');
    // A damaged file is not a catalog.
    for (const damaged of ["", "x", "\n\n", text?.replace("eight", "eigth")]) {
        text = damaged;
        ({ engine } = engineWith({ seed: numbered(7, "seven"), store }));
        equal(await catalogOf(engine), "seven");
    }
});

test("what is refused leaves the catalog in force", async () => {
    const { signature } = numbered(8);
    const cases: [Answer, RegExp][] = [
        [{ status: 404 }, /the server answers 404/],
        [{ status: 200, bundle: numbered(6) }, /number 6, which is lower than 7/],
        [{ status: 200, bundle: numbered(8, "faulty") }, /bundle 8 is faulty: {"code":"faulty"}/],
        [{ status: 200, bundle: numbered(8, "trap") }, /unreachable/],
        [{ status: 200, bundle: { bundle: numbered(9).bundle, signature } }, /signed by no key/],
        [{ status: 200, bundle: signed(numbered(9).bundle, other) }, /signed by no key/],
        [{ status: 200, bundle: signed("{}") }, /no number/],
        ...["", "{}", "null", "[", '{"ed25519":"AA"}', signature.replace(/.."}$/, '"}'), signature.replace(/."}$/, '+"}')].map(
            (text): [Answer, RegExp] => [{ status: 200, bundle: { ...numbered(8), signature: text } }, /64 bytes in base64url/]),
    ];
    for (const [answer, reason] of cases) {
        serve(() => answer);
        const { engine, errors } = engineWith({ seed: numbered(7, "seven") });
        equal(await engine.refresh(), false);
        ok(reason.test(String(engine.refused)), `${String(engine.refused)}, not ${reason}`);
        ok(errors.includes(engine.refused));
        deepEqual([engine.sequence, await catalogOf(engine), engine.checkedAt], [7, "seven", undefined]);
        serve(() => ({ status: 200, bundle: numbered(8) }));
        equal(await engine.refresh(), true);
        equal(engine.refused, undefined);
    }
    throws(() => new WaymarkEngine({ module: made(), keys: ["a key"], server: "" }), (error) => /32 bytes/.test(String(error)));
    (globalThis as any).fetch = async () => { throw new Error("there is no network"); };
    await rejects(engineWith({ seed: numbered(7) }).engine.refresh(), (error) => /no network/.test(String(error)));
});

test("WebCrypto verifies where it can, and where it cannot the bundle is refused, which is said", async () => {
    const keys = [other.publicKey.export({ format: "jwk" }).x, key];
    const plain = () => new WaymarkEngine({ module: made(), keys, server: "", seed: numbered(7) });
    equal(await plain().ready, true);
    const { crypto } = globalThis as any;
    for (const value of [undefined, {}, { subtle: { importKey: async () => { throw new Error("NotSupportedError"); } } }]) {
        Object.defineProperty(globalThis, "crypto", { value, configurable: true });
        const engine = plain();
        equal(await engine.ready, false);
        ok(/no Ed25519 here: give the engine a function `verify`/.test(String(engine.refused)));
        await rejects(engine.answer("/v1/resolve", "{}"), (error) => /has no catalog: .*no Ed25519/.test(String(error)));
    }
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
});

test("a trap is reported, and the engine made anew", async () => {
    const modules: EngineModule[] = [];
    const instantiate = (): EngineModule => {
        const module = { ...made(), instantiate };
        modules.push(module);
        return module;
    };
    const { engine, errors } = engineWith({ module: instantiate(), seed: numbered(7, "seven") });
    for (let count = 1; count < 4; count++) {
        await rejects(engine.answer("/v1/resolve", '{"link":"trap"}'), (error) => /unreachable/.test(String(error)));
        deepEqual([await catalogOf(engine), engine.sequence, errors.length, modules.length], ["seven", 7, count, count + 1]);
    }
    // A module that cannot be made again is not used again.
    const { instantiate: __, ...once } = made();
    const alone = engineWith({ module: once, seed: numbered(7) });
    await rejects(alone.engine.answer("/v1/links", '"trap"'), (error) => /unreachable/.test(String(error)));
    equal(await alone.engine.ready, false);
    await rejects(alone.engine.answer("/v1/links", "{}"), (error) => /no `instantiate`/.test(String(error)));
    // Nor one that traps with each catalog, and one without memory is a trap.
    const broken = engineWith({ module: made(), seed: numbered(7, "trap") });
    deepEqual([await broken.engine.ready, broken.errors.length], [false, 2]);
    const full = engineWith({ module: { ...made(), waymark_buffer: () => 0 }, seed: numbered(7) });
    equal(await full.engine.ready, false);
    ok(/no memory/.test(String(full.engine.refused)));
    // Nor is one that does not arrive.
    equal(await engineWith({ module: Promise.reject(new Error("no file")), seed: numbered(7) }).engine.ready, false);
    equal(await engineWith({ module: Promise.reject(new Error("no file")) }).engine.ready, false);
});

test("old catalogs leave the module", async () => {
    const module = made();
    let number = 7;
    serve(() => ({ status: 200, bundle: numbered(number, `${number}`) }));
    const { engine } = engineWith({ module, seed: numbered(7, "7") });
    for (; number < 20; number++) await engine.refresh();
    deepEqual([[...module.catalogs.values()], await catalogOf(engine)], [["19"], "19"]);
});

test("the app's claims stand for the user, in every text of UTF-8", async () => {
    const { engine } = engineWith({ seed: numbered(7, "é") });
    const claims: EngineUser = { level: () => "signedInUser", grants: () => ["beta"] };
    const ask = async (transport: WaymarkTransport, path: string, fields: { readonly [name: string]: string }, body: object) =>
        JSON.parse((await transport("https://x.example/v1/" + path, fields, JSON.stringify(body))).body) as object;
    const link = "x:/\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}é𝄞";
    deepEqual(await ask(engine.transport(claims), "resolve", { "Waymark-Holds": "a, b" }, { link, user: "u", userVersion: 3, app: "ios/1" }),
        { path: "resolve", catalog: "é", link, app: "ios/1", level: "signedInUser", grants: ["beta"], holds: ["a", "b"] });
    deepEqual(await ask(engine.transport({ grants: () => ["beta"] }), "resolve", {}, { link }), { path: "resolve", catalog: "é", link });
    deepEqual(await ask(engine.transport(claims), "links", {}, { stack: [] }), { path: "link", catalog: "é", stack: [] });
    const long = "x".repeat(200_000) + "é";
    deepEqual(await ask(engine.transport(), "resolve", {}, { link: long }), { path: "resolve", catalog: "é", link: long });
    const expired = await engine.transport()("https://x.example/v1/continuations", {}, "{}");
    deepEqual([expired.status, JSON.parse(expired.body).type], [410, "urn:waymark:problem:continuation-expired"]);
});

test("the server answers first, and the engine if it is late, away or overloaded", async () => {
    const { engine } = engineWith({ seed: numbered(7) });
    let sent = 0, respond: () => Promise<WaymarkResponse> = async () => ({ status: 200, body: "{}" });
    const server: WaymarkTransport = () => {
        sent++;
        return respond();
    };
    const ask = (patience: number, link = "x:/", path = "resolve") =>
        engine.serverFirst({}, { patience, server })(`https://x.example/v1/${path}`, {}, JSON.stringify({ link }));
    equal((await ask(1e6)).answeredBy, undefined);
    const never = () => new Promise<WaymarkResponse>(() => undefined);
    respond = never;
    deepEqual([(await ask(1)).answeredBy, (await ask(1, "403")).status], ["engine", 403]);
    respond = async () => { throw new Error("there is no network"); };
    equal((await ask(1e6)).answeredBy, "engine");
    for (const status of [429, 500, 503]) {
        respond = async () => ({ status, body: "" });
        equal((await ask(1e6)).answeredBy, "engine");
        // Without an answer of the engine, the server's answer stays.
        equal((await ask(1e6, "404")).status, status);
    }
    // A link that the engine's catalog does not have may be one of a newer: the server's answer is waited for.
    let late: (answer: WaymarkResponse) => void = () => undefined;
    respond = () => new Promise((done) => { late = done; });
    const found = ask(1, "404");
    await new Promise<void>((done) => { setTimeout(done, 20); });
    late({ status: 200, body: "late" });
    equal((await found).body, "late");
    respond = async () => { throw new Error("there is no network"); };
    await rejects(ask(1, "404"), (error) => /no network/.test(String(error)));
    equal((await ask(1, "x:/", "continuations")).status, 410);
    // The link of what is shown takes no request.
    const before = sent;
    equal((await ask(1e6, "x:/", "links")).answeredBy, "engine");
    equal(sent, before);
    respond = async () => ({ status: 200, body: "{}" });
    equal((await ask(1e6, "404", "links")).answeredBy, undefined);
    equal(sent, before + 1);
    // Without a catalog there is the server alone.
    const none = engineWith({}).engine.serverFirst({}, { patience: 0, server: async () => ({ status: 503, body: "away" }) });
    for (const path of ["resolve", "links", "continuations"]) equal((await none(`x:/v1/${path}`, {}, "{}")).body, "away");
    await rejects(engineWith({}).engine.transport()("x:/v1/continuations", {}, ""), (error) => /no catalog/.test(String(error)));
});

test("the server has 400 milliseconds", async () => {
    const { setTimeout: timer } = globalThis as any, waits: number[] = [];
    (globalThis as any).setTimeout = (body: () => void, milliseconds: number) => {
        waits.push(milliseconds);
        return timer(body, 0);
    };
    const { engine } = engineWith({ seed: numbered(7) });
    await engine.serverFirst({}, { server: () => new Promise(() => undefined) })("x:/v1/resolve", {}, "{}");
    (globalThis as any).setTimeout = timer;
    deepEqual(waits, [400]);
});

// The real engine, with the catalog of the sample app ----------------------------------------------------------------

const { ENGINE: folder, BUNDLE: file = "", SERVER: server = "" } = process.env;
const isPhone = (globalThis as any).WebAssembly === undefined;

/** Makes the real engine of the sample app; on a phone, without WebAssembly, WebCrypto and encoders of text. */
async function real(): Promise<WaymarkEngine> {
    const module: EngineSource = isPhone ? (globalThis as any).waymarkEngine : readFileSync(`${folder}/waymark-engine.wasm`);
    const engine = new WaymarkEngine({
        module, server, keys: [readFileSync(`${file}.key`, "utf8").trim()], ...(isPhone ? { verify } : {}),
        seed: { bundle: readFileSync(file, "utf8"), signature: readFileSync(`${file}.sig`, "utf8") },
    });
    ok(await engine.ready, String(engine.refused));
    return engine;
}

const home = [
    destination<AppRoute>({ route: "tabBar", parameters: {} }, "root"),
    destination<AppRoute>({ route: "characters", parameters: {} }, "tab"),
];

if (folder !== undefined) {
    test("the real engine opens links, gates and the app's own stacks", async () => {
        for (const name of isPhone ? ["TextEncoder", "TextDecoder", "crypto"] : []) {
            Object.defineProperty(globalThis, name, { value: undefined, configurable: true });
        }
        const engine = await real();
        let level: string | undefined, away = 0;
        const transport = engine.serverFirst({ level: () => level }, {
            server: async () => {
                away++;
                throw new Error("there is no network");
            },
        });
        const client = new WaymarkClient(appRouteTable, { server: "https://links.example", app: "ios/9.0", user: "ada", transport });
        const navigator = new WaymarkNavigator<AppRoute>({ table: appRouteTable, client, first: home });
        const link = "navigation:/characters/character/1?sheet=é𝄞";
        const names = () => navigator.state.stack.map(({ route }) => route);
        const gates: string[][] = [];
        for (level of [undefined, "onboardingCompleted", "signedInUser"]) {
            equal(await (gates.length === 0 ? navigator.open(link) : navigator.resume()), "gated");
            equal(await navigator.link, navigator.denial?.gate?.link);
            gates.push(names());
        }
        level = "premiumUser";
        equal(await navigator.resume(), "shown");
        deepEqual(names(), ["tabBar", "characters", "character", "characterSheet"]);
        equal(new Set(gates.map(String)).size, 3);
        ok(away > 0);
        navigator.dismiss();
        navigator.push(destination<AppRoute>({ route: "character", parameters: { id: 2 } }, "push"));
        const before = away;
        equal(await navigator.link, "navigation://loremipsum.com/characters/character/1/character/2");
        equal(away, before);
        const answer = await client.resolve(link);
        deepEqual([answer.kind, answer.answeredBy], ["plan", "engine"]);
        equal(await navigator.open("navigation:/nowhere"), "failed");
        deepEqual([navigator.problem?.status, navigator.pending?.reason], [0, "unanswered"]);
        const alone = await new WaymarkClient(appRouteTable, { server, transport: engine.transport() }).resolve("navigation:/nowhere");
        ok(alone.kind === "problem" && alone.problem.code === "no-matching-route" && alone.answeredBy === "engine");
    });
}

if (folder !== undefined && !isPhone) {
    test("the real engine and a server say the same, and the engine fetches the server's bundle", async () => {
        (globalThis as any).fetch = platformFetch;
        const engine = await real();
        equal(await engine.refresh(), true, String(engine.refused));
        equal(engine.sequence, 8);
        equal(await engine.refresh(), false);
        ok(engine.checkedAt !== undefined && engine.refused === undefined);
        const online = new WaymarkClient(appRouteTable, { server, app: "ios/9.0" });
        const offline = new WaymarkClient(appRouteTable, { server, app: "ios/9.0", transport: engine.transport() });
        for (const link of ["navigation:/onboarding/step1", "navigation:/characters/character/1", "navigation:/nowhere", "x", ""]) {
            const byServer = await online.resolve(link, { from: home }), byEngine = await offline.resolve(link, { from: home });
            deepEqual([byServer.answeredBy, byEngine.answeredBy], ["server", "engine"]);
            // Only a server issues continuations.
            const text = (answer: object) =>
                JSON.stringify({ ...answer, answeredBy: "" }, (name, value) => name === "continuation" ? undefined : value);
            equal(text(byEngine), text(byServer));
        }
    });
}
