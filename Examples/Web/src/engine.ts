// The engine in the app, for a page that names the key of its bundles: links open while Waymark's server is away.
import { WaymarkEngine } from "./routes/waymark-engine";
import type { WaymarkTransport } from "./routes/waymark-runtime";
import { session } from "./session";

/** Fetches a file of the app. */
async function file(path: string): Promise<Response> {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response;
}

async function seed() {
    const [bundle, signature] = [await file("/catalog.bundle"), await file("/catalog.bundle.sig")];
    return { bundle: await bundle.text(), signature: await signature.text() };
}

/** The transport of the app: the server, and the engine at the level that the app knows if there is no answer in time. */
export function engineTransport(server: string, key: string): WaymarkTransport {
    const engine = new WaymarkEngine({
        module: file("/waymark-engine.wasm").then((response) => response.arrayBuffer()), keys: [key], server, seed: seed(),
        store: { read: () => localStorage.getItem("catalog"), write: (text) => localStorage.setItem("catalog", text) },
        report: console.warn,
    });
    // Without an answer the catalog in force stays.
    const refresh = () => { engine.refresh().catch(() => undefined); };
    addEventListener("online", refresh);
    refresh();
    const transport = engine.serverFirst({ level: () => session.level });
    return async (url, fields, body) => {
        const answer = await transport(url, fields, body);
        if (answer.answeredBy !== "engine") {
            const { authorizationLevel, userLevel } = JSON.parse(answer.body);
            session.learn(JSON.parse(body).user, userLevel ?? authorizationLevel?.user);
        }
        return answer;
    };
}
