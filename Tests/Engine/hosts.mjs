// Compares a form of the engine with a recording, and measures it.
// usage: node [--jitless] hosts.mjs MODULE RECORDING [LOADS RESOLVES]
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

const [module, recording, loads = '0', resolves = '0'] = process.argv.slice(2);
let made = 0;

async function engine() {
    if (module.endsWith('.wasm')) return new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(module)), {}).exports;
    return import(pathToFileURL(module).href + '?' + made++);
}

function fail(message) {
    console.error(`engine: ${message}`);
    process.exit(1);
}

let x = await engine();
const put = (bytes) => {
    const start = x.waymark_buffer(bytes.length) >>> 0;
    new Uint8Array(x.memory.buffer).set(bytes, start);
    return bytes.length;
};
const answer = () => {
    const start = x.waymark_answer() >>> 0;
    return Buffer.from(new Uint8Array(x.memory.buffer, start, x.waymark_answer_length() >>> 0));
};

const file = fs.readFileSync(recording);
const bundle = [], bodies = [];
let place = 0, count = 0, handle = 0;
const next = () => {
    const size = file.readUInt32LE(place);
    place += 4 + size;
    return file.subarray(place - size, place);
};
while (place < file.length) {
    const kind = file[place++], request = next(), status = file.readUInt32LE(place);
    place += 4;
    const want = next();
    let found, text;
    try {
        if (kind === 0) {
            if (handle) x.waymark_unload(handle);
            handle = x.waymark_load(put(request)) >>> 0;
            found = handle ? 1 : 0;
            if (handle && !bundle.length) bundle.push(request);
        } else {
            found = (kind === 1 ? x.waymark_resolve : x.waymark_link)(handle, put(request));
            if (kind === 1 && bodies.length < 20) bodies.push(request);
        }
        text = answer();
    } catch (error) {
        fail(`a trap at record ${count}: ${error.message}: ${request.subarray(0, 300)}`);
    }
    if (found !== status || !text.equals(want))
        fail(`record ${count} (${kind}): ${request.subarray(0, 600)}\nwant ${status} ${want.subarray(0, 900)}\nhave ${found} ${text.subarray(0, 900)}`);
    count++;
}
console.log(`engine: ${count} answers are equal`);

// No handle, no answer.
for (const none of [0, 77, 0xffffffff]) {
    x.waymark_unload(none);
    if (x.waymark_resolve(none, put(bodies[0])) !== 0 || x.waymark_answer_length() !== 0) fail('a handle of nothing answers');
}

// A bundle for which there is no memory: the trap ends the engine, and a new one answers.
try {
    x.waymark_load(put(new Uint8Array(300 * 2 ** 20)));
    fail('there is memory without end');
} catch (error) {
    if (!(error instanceof (globalThis.WebAssembly?.RuntimeError ?? Error))) throw error;
    x = await engine();
    handle = x.waymark_load(put(bundle[0])) >>> 0;
    if (!handle || x.waymark_resolve(handle, put(bodies[0])) === 0) fail('a new engine does not answer');
    console.log('engine: a trap ends no host');
}

const time = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
};
if (+loads) {
    if (handle) x.waymark_unload(handle);
    const run = (loads, resolves) => {
        for (let i = 0; i < loads; i++) {
            handle = x.waymark_load(put(bundle[0]));
            if (i + 1 < loads) x.waymark_unload(handle);
        }
        const begin = time();
        for (let i = 0; i < resolves; i++) x.waymark_resolve(handle, put(bodies[i % bodies.length]));
        const each = (time() - begin) * 1000 / resolves;
        x.waymark_unload(handle);
        return each;
    };
    run(10, 1000);
    const before = x.memory.buffer.byteLength, each = run(+loads, +resolves), after = x.memory.buffer.byteLength;
    console.log(`engine: ${before} bytes of memory before and ${after} after ${loads} loads and ${resolves} resolves of ${each.toFixed(1)} us`);
    if (after !== before) fail('the memory grows');
}
if (fs.existsSync(recording + '.large') && module.endsWith('.wasm')) {
    x = await engine();
    const large = fs.readFileSync(recording + '.large'), begin = time();
    handle = x.waymark_load(put(large));
    const [took, size] = [time() - begin, x.memory.buffer.byteLength];
    console.log(`engine: 10,000 routes load within ${took.toFixed(0)} ms and ${(size / 2 ** 20).toFixed(0)} MiB`);
    if (!handle || size > 100 * 2 ** 20) fail('a large bundle does not load, or not in 100 MiB');
}
