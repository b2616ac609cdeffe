/* eslint-disable */
// Waymark's runtime: the engine in the app. It answers links as a server does, by a signed catalog and without a network.
// The level is the app's own claim: the engine decides which screen an honest user sees first, and protects nothing.
import type { WaymarkResponse, WaymarkTransport } from "./waymark-runtime";
import { byFetch } from "./waymark-runtime";

/** The functions of the engine: `waymark-engine.js` exports them, and so does an instance of `waymark-engine.wasm`. */
export interface EngineModule {
    readonly memory: { readonly buffer: ArrayBuffer };
    waymark_buffer(count: number): number;
    waymark_load(count: number): number;
    waymark_resolve(handle: number, count: number): number;
    waymark_link(handle: number, count: number): number;
    waymark_answer(): number;
    waymark_answer_length(): number;
    waymark_unload(handle: number): void;
    _initialize?(): void;
    /** Makes another module of JavaScript, with a memory of its own. */
    instantiate?(): EngineModule;
}

/** The bytes of `waymark-engine.wasm`, or the module `waymark-engine.js`. */
export type EngineSource = ArrayBuffer | Uint8Array | EngineModule;

/** The texts of the files `catalog.bundle` and `catalog.bundle.sig`, which `waymark catalog bundle` writes. */
export interface SignedBundle { readonly bundle: string; readonly signature: string }

/** The place where the last good bundle stays over launches, as one text. */
export interface BundleStore {
    read(): string | null | undefined | Promise<string | null | undefined>;
    write(text: string): unknown;
}

/** The parts of an engine. */
export interface WaymarkEngineOptions {
    readonly module: EngineSource | Promise<EngineSource>;
    /** The public keys that the app trusts, as `waymark catalog bundle` prints them. */
    readonly keys: readonly string[];
    /** The address of the server without `/v1`. */
    readonly server: string;
    /** The bundle among the files of the app, for the time before the first `refresh`. */
    readonly seed?: SignedBundle | Promise<SignedBundle>;
    readonly store?: BundleStore;
    /** Called before each `refresh`, as the client does before each request. */
    readonly token?: () => Promise<string | undefined>;
    /**
     * Returns whether 64 bytes are the Ed25519 signature (RFC 8032) of a message by a key of 32 bytes. Without it,
     * WebCrypto says so. Where WebCrypto has no Ed25519, such as in React Native, the app must give it.
     */
    readonly verify?: (key: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean | Promise<boolean>;
    /** Called with each error that changes no answer: a refused bundle, a trap of the module, a store that fails. */
    readonly report?: (error: unknown) => void;
}

/** What the app claims of its user. Without a level, the lowest one counts. */
export interface EngineUser {
    readonly level?: () => string | undefined;
    readonly grants?: () => readonly string[];
}

interface Bundle extends SignedBundle { readonly sequence: number; readonly tag?: string }

/** The parts of the Web's standards that the engine needs. */
const globals = globalThis as unknown as {
    readonly WebAssembly?: {
        compile(bytes: ArrayBuffer | Uint8Array): Promise<object>;
        instantiate(module: object, imports: object): Promise<{ readonly exports: EngineModule }>;
    };
    readonly crypto?: { readonly subtle?: {
        importKey(format: "raw", key: Uint8Array, algorithm: object, isExtractable: boolean, uses: readonly string[]): Promise<object>;
        verify(algorithm: object, key: object, signature: Uint8Array, message: Uint8Array): Promise<boolean>;
    } };
    fetch(url: string, init: { readonly headers: { readonly [name: string]: string } }): Promise<{
        readonly status: number; readonly headers: { get(name: string): string | null }; text(): Promise<string>;
    }>;
    setTimeout(body: () => void, milliseconds: number): unknown;
    clearTimeout(timer: unknown): void;
};

/**
 * The engine in the app, with the catalog in force: the last good bundle of the store or the seed, whichever has the higher
 * number, until the server has a newer one.
 *
 * Nothing is thrown at the start. Without a catalog it answers nothing, and `refused` says why.
 */
export class WaymarkEngine {
    private readonly keys: readonly Uint8Array[];
    private module: EngineModule | undefined;
    private compiled: object | undefined;
    /** Whether the module of JavaScript that was given has been used. */
    private isUsed = false;
    private bundle: Bundle | undefined;
    /** The highest number that was in force. */
    private newest = -1;
    /** The catalog in the module; 0 for none. */
    private handle = 0;
    /** The end of the last change of module and catalog: there is one at a time. */
    private changed: Promise<void>;

    /** The reason for which the last bundle was refused. `undefined` once another was confirmed. */
    refused: unknown;

    /** The time at which the server last confirmed the catalog, in milliseconds since 1970. */
    checkedAt: number | undefined;

    /** Throws for a key that is none. */
    constructor(private readonly options: WaymarkEngineOptions) {
        this.keys = options.keys.map((key) => readBytes(key, 32, "a key"));
        // It is waited for once there is a bundle: until then nobody else takes its error.
        Promise.resolve(options.module).catch(() => undefined);
        this.changed = this.start();
    }

    /** Whether the engine answers, once it has begun, or begun anew. */
    get ready(): Promise<boolean> { return this.changed.then(() => this.handle !== 0); }

    /** The number of the bundle in force. */
    get sequence(): number | undefined { return this.bundle?.sequence; }

    /**
     * Asks the server for a newer bundle, and returns whether there is one. A bundle with a wrong signature, a lower
     * number or a faulty catalog is refused, and the one in force stays. Rejects if no answer arrives.
     */
    async refresh(): Promise<boolean> {
        await this.changed;
        const token = await this.options.token?.(), tag = this.bundle?.tag;
        const response = await globals.fetch(this.options.server.replace(/\/+$/, "") + "/v1/catalog/bundle", {
            headers: {
                ...(tag === undefined ? {} : { "If-None-Match": tag }),
                ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
            },
        });
        const bundle = response.status === 304 ? "" : await response.text();
        const former = this.newest;
        try {
            if (response.status !== 304) {
                if (response.status !== 200) throw new Error(`the server answers ${response.status}`);
                const signature = response.headers.get("Waymark-Signature") ?? "", newTag = response.headers.get("ETag");
                const read = await this.verified({ bundle, signature }, newTag ?? undefined);
                await this.change(() => this.replace(read));
            }
            [this.checkedAt, this.refused] = [Date.now(), undefined];
        } catch (error) {
            this.refuse(error);
        }
        // Until the end of a trap.
        await this.changed;
        return this.newest > former;
    }

    /** Answers the body of a request, as the server does. Rejects without a catalog, and if the module traps. */
    async answer(path: "/v1/resolve" | "/v1/links", body: string): Promise<WaymarkResponse> {
        if (!await this.ready) throw this.withoutCatalog;
        return this.run((module): WaymarkResponse => {
            const count = put(body, module);
            const status = path === "/v1/links"
                ? module.waymark_link(this.handle, count) : module.waymark_resolve(this.handle, count);
            return { status, body: answerOf(module), answeredBy: "engine" };
        });
    }

    /** Returns the transport of a client that asks the engine alone. */
    transport(user: EngineUser = {}): WaymarkTransport {
        return async (url, fields, body) => {
            if (url.endsWith("/v1/links")) return this.answer("/v1/links", body);
            if (url.endsWith("/v1/resolve")) return this.answer("/v1/resolve", JSON.stringify(question(body, fields, user)));
            if (!await this.ready) throw this.withoutCatalog;
            return { status: 410, body: noContinuations, answeredBy: "engine" };
        };
    }

    /**
     * Returns the transport of a client that asks the server, and the engine if there is no answer after `patience`
     * milliseconds (400), or none at all. Links of what is shown come from the engine.
     *
     * The screens and the gates of the engine count. Where it has neither, its catalog may be too old or the link needs the
     * server: the server's answer is waited for.
     */
    serverFirst(
        user: EngineUser = {},
        { patience = 400, server = byFetch }: { readonly patience?: number; readonly server?: WaymarkTransport } = {},
    ): WaymarkTransport {
        const engine = this.transport(user);
        return async (url, fields, body) => {
            const own = async () => {
                const answer = await engine(url, fields, body);
                if (answer.status === 200 || answer.status === 410 || hasGate.test(answer.body)) return answer;
                throw new Error("the engine has no screen for the link");
            };
            if (url.endsWith("/v1/links") && this.handle !== 0) {
                const answer = await own().catch(() => undefined);
                if (answer !== undefined) return answer;
            }
            return inTime(server(url, fields, body), patience, own);
        };
    }

    private get withoutCatalog(): Error {
        return new Error("the engine has no catalog" + (this.refused === undefined ? "" : `: ${String(this.refused)}`));
    }

    // Bundles

    private async start(): Promise<void> {
        const { store, seed } = this.options, found: Bundle[] = [];
        const kept = async () => {
            const [, tag = "", signature = "", bundle = ""] = /^(.*)\n(.*)\n([^]*)$/.exec(await store?.read() ?? "") ?? [];
            if (bundle !== "") found.push(await this.verified({ bundle, signature }, tag === "" ? undefined : tag));
        };
        const given = async () => {
            if (seed !== undefined) found.push(await this.verified(await seed));
        };
        await Promise.all([kept().catch(this.refuse), given().catch(this.refuse)]);
        await this.load(found.sort((one, two) => two.sequence - one.sequence));
    }

    private async verified({ bundle, signature }: SignedBundle, tag?: string): Promise<Bundle> {
        const bytes = readSignature(signature), message = encode(bundle), verify = this.options.verify ?? verifyByWebCrypto;
        for (const key of this.keys) {
            if (!await verify(key, bytes, message)) continue;
            const { sequence } = JSON.parse(bundle) as { readonly sequence?: unknown };
            if (typeof sequence !== "number" || !Number.isSafeInteger(sequence)) throw new Error("the bundle has no number");
            return { bundle, signature: signature.trim(), sequence, ...(tag === undefined ? {} : { tag }) };
        }
        throw new Error("the bundle is signed by no key that the app trusts");
    }

    /** Takes a bundle of the server's. */
    private async replace(bundle: Bundle): Promise<void> {
        const { sequence } = bundle, former = this.newest;
        if (sequence < former) throw new Error(`the bundle has the number ${sequence}, which is lower than ${former}`);
        if (sequence === former && this.handle !== 0) {
            // The same, by its signer's word, and now with its tag.
            this.bundle = bundle;
            return;
        }
        await this.install(bundle);
        try {
            await this.options.store?.write([bundle.tag ?? "", bundle.signature, bundle.bundle].join("\n"));
        } catch (error) {
            this.options.report?.(error);
        }
    }

    private readonly refuse = (error: unknown): void => {
        this.refused = error;
        this.options.report?.(error);
    };

    // The module

    /** Does something after the changes that were begun before. */
    private change(body: () => Promise<void>): Promise<void> {
        const done = this.changed.then(body);
        this.changed = done.catch(() => undefined);
        return done;
    }

    /** Loads the first of some bundles that the module takes. */
    private async load(bundles: readonly Bundle[]): Promise<void> {
        for (const bundle of bundles) {
            try {
                return await this.install(bundle);
            } catch (error) {
                this.refuse(error);
            }
        }
    }

    private async install(bundle: Bundle): Promise<void> {
        this.module ??= await this.instance();
        const issue = this.run((module) => {
            const handle = module.waymark_load(put(bundle.bundle, module)) >>> 0;
            if (handle === 0) return answerOf(module);
            if (this.handle !== 0) module.waymark_unload(this.handle);
            this.handle = handle;
            return undefined;
        });
        if (issue !== undefined) throw new Error(`the catalog of the bundle ${bundle.sequence} is faulty: ${issue}`);
        [this.bundle, this.newest] = [bundle, bundle.sequence];
    }

    private async instance(): Promise<EngineModule> {
        const source = await this.options.module;
        if (!("waymark_load" in source)) return this.instanceOf(source);
        // The first one was made when it was imported.
        if (!this.isUsed) {
            this.isUsed = true;
            return source;
        }
        if (source.instantiate === undefined) throw new Error("the module can't be made anew: it exports no `instantiate`");
        return source.instantiate();
    }

    private async instanceOf(bytes: ArrayBuffer | Uint8Array): Promise<EngineModule> {
        const { WebAssembly } = globals;
        if (WebAssembly === undefined) throw new Error("there is no WebAssembly here: give the module waymark-engine.js");
        this.compiled ??= await WebAssembly.compile(bytes);
        const { exports } = await WebAssembly.instantiate(this.compiled, {});
        exports._initialize?.();
        return exports;
    }

    /** Calls the module. A trap ends it, and another takes its place. */
    private run<Result>(body: (module: EngineModule) => Result): Result {
        const { module, bundle } = this;
        if (module === undefined) throw new Error("the engine is being made anew");
        try {
            return body(module);
        } catch (error) {
            // Without a bundle in force it is not made anew a second time, if that traps too.
            [this.module, this.handle, this.bundle] = [undefined, 0, undefined];
            this.options.report?.(error);
            if (bundle !== undefined) void this.change(() => this.load([bundle]));
            throw error;
        }
    }
}

// Transport ----------------------------------------------------------------------------------------------------------

/** The beginning of a denial, which has the gate that leads on. */
const hasGate = /^\{"type":"urn:waymark:problem:(insufficient-authorization-level|missing-grant)"/;

/** The answer to a continuation, by which the client opens the link again. */
const noContinuations = JSON.stringify({
    type: "urn:waymark:problem:continuation-expired", title: "The continuation has expired", status: 410,
    detail: "Only a server has continuations. Open the link again.",
});

/** Returns the client's question for an engine, which knows no users: with the claims of the app in their place. */
function question(body: string, fields: { readonly [name: string]: string }, claims: EngineUser): object {
    const { user: _, userVersion: __, ...others } = JSON.parse(body) as { readonly [name: string]: unknown };
    const level = claims.level?.(), grants = claims.grants?.() ?? [], holds = fields["Waymark-Holds"];
    return {
        ...others,
        ...(level === undefined ? {} : { level }),
        ...(level === undefined || grants.length === 0 ? {} : { grants }),
        ...(holds === undefined ? {} : { holds: holds.split(", ") }),
    };
}

/** Returns the server's answer, or another once the server is away, overloaded, or keeps the caller waiting. */
function inTime(
    asked: Promise<WaymarkResponse>,
    patience: number,
    other: () => Promise<WaymarkResponse>,
): Promise<WaymarkResponse> {
    return new Promise((resolve, reject) => {
        let isAsked = false;
        const goOn = () => {
            globals.clearTimeout(timer);
            if (isAsked) return;
            isAsked = true;
            other().then(resolve, () => { asked.then(resolve, reject); });
        };
        const timer = globals.setTimeout(goOn, patience);
        asked.then((answer) => {
            if (answer.status >= 500 || answer.status === 429) return goOn();
            globals.clearTimeout(timer);
            resolve(answer);
        }, goOn);
    });
}

// Bytes --------------------------------------------------------------------------------------------------------------

async function verifyByWebCrypto(key: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
    const subtle = globals.crypto?.subtle, algorithm = { name: "Ed25519" };
    const imported = await subtle?.importKey("raw", key, algorithm, false, ["verify"]).catch(() => undefined);
    if (subtle === undefined || imported === undefined) {
        throw new Error("WebCrypto has no Ed25519 here: give the engine a function `verify`");
    }
    return subtle.verify(algorithm, imported, signature, message);
}

function readSignature(text: string): Uint8Array {
    let bytes: unknown;
    try {
        bytes = (JSON.parse(text) as { readonly ed25519?: unknown }).ed25519;
    } catch {
        // Any other text has no bytes.
    }
    return readBytes(bytes, 64, "the bundle's signature");
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Reads base64url without padding. */
function readBytes(text: unknown, count: number, what: string): Uint8Array {
    const bytes: number[] = [];
    let value = 0, bits = 0, isRead = typeof text === "string" && text.length === Math.ceil(count * 4 / 3);
    for (const digit of isRead ? text as string : "") {
        const place = digits.indexOf(digit);
        isRead &&= place >= 0;
        [value, bits] = [(value << 6 | place) & 0xFFFF, bits + 6];
        if (bits < 8) continue;
        bits -= 8;
        bytes.push(value >> bits & 0xFF);
    }
    if (!isRead) throw new Error(`${what} isn't ${count} bytes in base64url`);
    return Uint8Array.from(bytes);
}

/** Writes a text to the module's memory, and returns the number of its bytes. */
function put(text: string, module: EngineModule): number {
    const bytes = encode(text), start = module.waymark_buffer(bytes.length) >>> 0;
    if (start === 0) throw new RangeError(`the engine has no memory for ${bytes.length} bytes`);
    new Uint8Array(module.memory.buffer).set(bytes, start);
    return bytes.length;
}

function answerOf(module: EngineModule): string {
    const start = module.waymark_answer() >>> 0, count = module.waymark_answer_length() >>> 0;
    return decode(new Uint8Array(module.memory.buffer, start, count));
}

/** Returns a text in UTF-8: not every engine of JavaScript has a `TextEncoder`. */
function encode(text: string): Uint8Array {
    const bytes = new Uint8Array(text.length * 3);
    let count = 0;
    for (let place = 0; place < text.length; place++) {
        const code = text.codePointAt(place) ?? 0;
        if (code < 0x80) {
            bytes[count++] = code;
            continue;
        }
        const rest = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        if (rest === 3) place++;
        bytes[count++] = 0xFF00 >> rest + 1 & 0xFF | code >> 6 * rest;
        for (let shift = rest - 1; shift >= 0; shift--) bytes[count++] = 0x80 | code >> 6 * shift & 0x3F;
    }
    return bytes.subarray(0, count);
}

/** Reads UTF-8 that the engine wrote. */
function decode(bytes: Uint8Array): string {
    let text = "", codes: number[] = [], code = 0, rest = 0;
    for (const byte of bytes) {
        if (byte >= 0xC0) {
            rest = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
            code = byte & 0x3F >> rest;
            continue;
        }
        if (byte >= 0x80) {
            code = code << 6 | byte & 0x3F;
            if (--rest > 0) continue;
        } else {
            code = byte;
        }
        codes.push(code);
        if (codes.length < 4096) continue;
        text += String.fromCodePoint(...codes);
        codes = [];
    }
    return text + String.fromCodePoint(...codes);
}
