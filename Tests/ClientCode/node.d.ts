// The parts of Node.js that the tests use, as Node's documentation has them.
declare module "node:test" {
    export function test(name: string, body: () => void | Promise<void>): void;
}
declare module "node:assert/strict" {
    export function equal(actual: unknown, expected: unknown, message?: string): void;
    export function deepEqual(actual: unknown, expected: unknown, message?: string): void;
    export function ok(value: unknown, message?: string): asserts value;
    export function throws(body: () => unknown, check: (error: unknown) => boolean): void;
    export function rejects(body: Promise<unknown>, check: (error: unknown) => boolean): Promise<void>;
}
declare module "node:fs" {
    export function readFileSync(path: string, encoding: "utf8"): string;
    export function readFileSync(path: string): Uint8Array;
}
declare module "node:crypto" {
    interface Key { export(options: { readonly format: "jwk" }): { readonly x: string } }
    export function generateKeyPairSync(type: "ed25519"): { readonly publicKey: Key; readonly privateKey: Key };
    export function sign(algorithm: null, data: Uint8Array, key: Key): Buffer;
    export function verify(algorithm: null, data: Uint8Array, key: Key, signature: Uint8Array): boolean;
    export function createPublicKey(source: { readonly key: object; readonly format: "jwk" }): Key;
}
interface Buffer extends Uint8Array {
    toString(encoding?: "utf8" | "base64url"): string;
    copy(target: Uint8Array, start?: number): number;
}
declare const Buffer: { from(source: Uint8Array | string): Buffer };
declare function setTimeout(body: () => void, milliseconds: number): unknown;
declare const process: {
    readonly argv: readonly string[];
    readonly env: { readonly [name: string]: string | undefined };
    readonly stdin: unknown;
    readonly stdout: { write(text: string): void };
    readonly stderr: { write(text: string): void };
};
declare function fetch(url: string, init?: {
    readonly method: string; readonly headers: { readonly [name: string]: string }; readonly body: string;
}): Promise<{ readonly status: number; text(): Promise<string> }>;
declare module "node:readline" {
    export function createInterface(options: { readonly input: unknown }): {
        on(event: "line", body: (line: string) => void): { on(event: "close", body: () => void): void };
    };
}
declare const console: { log(...values: unknown[]): void };
