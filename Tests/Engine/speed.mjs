// Measures a form of the engine: prints the nanoseconds of processor time of a load and of a resolve, a line each, after a tab.
// usage: node [--jitless] speed.mjs MODULE BUNDLE BODY
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

const [module, bundle, body] = process.argv.slice(2);
const x = module.endsWith('.wasm')
    ? new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(module)), {}).exports
    : await import(pathToFileURL(module).href);
const put = (bytes) => {
    const start = x.waymark_buffer(bytes.length) >>> 0;
    new Uint8Array(x.memory.buffer).set(bytes, start);
    return bytes.length;
};
const seconds = (count, call) => {
    const begin = process.cpuUsage();
    for (let i = 0; i < count; i++) call();
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1e6;
};
// The call is compiled by then, where there is a compiler, whose threads count as well. Steps of the clock do not show in 20 ms.
const measure = (name, call) => {
    for (let warm = 0; warm < 4; warm += seconds(10, call));
    let count = 1;
    while (seconds(count, call) < 0.02) count *= 2;
    const times = Array.from({ length: 11 }, () => seconds(count, call) / count).sort((a, b) => a - b);
    console.log(`${name}\t${(times[5] * 1e9).toFixed(1)}`);
};

const [catalog, request] = [fs.readFileSync(bundle), fs.readFileSync(body)];
measure('load', () => x.waymark_unload(x.waymark_load(put(catalog))));
const handle = x.waymark_load(put(catalog));
if (x.waymark_resolve(handle, put(request)) !== 200) throw new Error('the body has no screen');
measure('resolve', () => {
    x.waymark_resolve(handle, put(request));
    // A host takes the answer.
    return new Uint8Array(x.memory.buffer, x.waymark_answer() >>> 0, x.waymark_answer_length() >>> 0).slice();
});
