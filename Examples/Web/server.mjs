// The app's own backend: its files, and the sessions of its users, whose levels it writes to Waymark.
// Usage: node server.mjs PORT WAYMARK_URL [SECONDS until a purchase arrives [KEY of the bundles, for the engine]]
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const [port = "8000", waymark = "http://127.0.0.1:8080", delay = "2", key = ""] = process.argv.slice(2);
const files = new Map([
    ["/app.js", "text/javascript"], ["/style.css", "text/css"], ["/waymark-engine.wasm", "application/wasm"],
    ["/catalog.bundle", "application/json"], ["/catalog.bundle.sig", "application/json"],
]);
/** What the page is told: where Waymark's server is, and whose bundles it trusts. */
const told = new Map([["waymark-server", waymark], ["waymark-key", key]]);

/** Writes the level of a user. A real backend sends the token of a service with the role `admin`. */
async function write(user, authorizationLevel) {
    const response = await fetch(`${waymark}/v1/users/${encodeURIComponent(user)}`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ authorizationLevel }),
    });
    if (!response.ok) throw new Error(`Waymark answers ${response.status}`);
}

/** Does what a user has asked for, at once but for a purchase, which a store reports later. */
async function act({ action, user }) {
    if (action === "signIn") await write(user, "signedInUser");
    else if (action === "buy") setTimeout(() => { write(user, "premiumUser").catch(console.error); }, Number(delay) * 1000);
}

async function answer(request, response) {
    const path = new URL(request.url, "http://localhost").pathname;
    if (request.method === "POST" && path === "/session") {
        const parts = [];
        for await (const part of request) parts.push(part);
        await act(JSON.parse(Buffer.concat(parts).toString()));
        response.writeHead(204).end();
        return;
    }
    const type = files.get(path);
    const body = await readFile(new URL(`.build/public${type ? path : "/index.html"}`, import.meta.url));
    response.writeHead(200, { "Content-Type": type ?? "text/html; charset=utf-8" });
    // Every address that is no file is a link into the app.
    response.end(type ? body : body.toString().replace(
        /(name="([\w-]+)" content=)""/g, (_, start, name) => `${start}"${told.get(name) ?? ""}"`));
}

createServer((request, response) => {
    answer(request, response).catch((error) => {
        console.error(error);
        response.writeHead(500).end();
    });
}).listen(Number(port), "127.0.0.1", function () {
    console.log(`Listening on http://localhost:${this.address().port}`);
});
