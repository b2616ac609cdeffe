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
}
declare const process: {
    readonly env: { readonly [name: string]: string | undefined };
    readonly stdin: unknown;
    readonly stdout: { write(text: string): void };
};
declare function fetch(url: string, init: {
    readonly method: string; readonly headers: { readonly [name: string]: string }; readonly body: string;
}): Promise<{ readonly status: number; text(): Promise<string> }>;
declare module "node:readline" {
    export function createInterface(options: { readonly input: unknown }): {
        on(event: "line", body: (line: string) => void): void;
    };
}
