"""Every kind of answer over one kept connection, twice each, to a client that believes what an answer says of its length.

usage: kept_connection.py PORT, of a server of Config/examples/link-domain.yaml

Prints what is wrong, and exits with 1 where something is. An answer that neither says its length nor is known to have none
keeps http.client waiting until the server closes the connection, as it does proxies and browsers.
"""
import http.client
import sys

PORT = int(sys.argv[1])
BROWSER = {
    "Host": "links.example.com",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
}
OWN = {"Host": f"localhost:{PORT}"}
JSON = OWN | {"Content-Type": "application/json"}
LINES = OWN | {"Content-Type": "application/x-ndjson"}
LINK = "/v1/resolve?link=https%3A%2F%2Flinks.example.com%2Fp%2F1"

faults = []
connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=5)
connection.connect()
socket = connection.sock


def ask(method, target, fields, status, body=None):
    """One answer; the connection must be the same one afterwards."""
    name = f"{method} {target} for {status}"
    connection.request(method, target, body, fields)
    answer = connection.getresponse()
    if answer.will_close: faults.append(f"{name}: ends with the connection")
    content = answer.read()
    if connection.sock is not socket: sys.exit(f"{name}: the connection was closed")
    if answer.status != status: faults.append(f"{name}: status {answer.status} {content[:200]}")
    lengths = answer.headers.get_all("Content-Length", [])
    codings = answer.headers.get_all("Transfer-Encoding", [])
    if answer.status in (204, 304):
        # RFC 9110 section 8.6: 204 must not say a length, and 304 none but that of the answer in its place.
        if lengths or codings: faults.append(f"{name}: says the length {lengths} {codings}")
    elif len(lengths) + len(codings) != 1: faults.append(f"{name}: says the length {lengths} {codings}")
    elif lengths and method != "HEAD" and int(lengths[0]) != len(content): faults.append(f"{name}: {lengths} is not {len(content)}")
    return answer


def kinds():
    """One answer of each kind."""
    for target, fields in [("/v1/catalog", OWN), ("/openapi.json", OWN), ("/.well-known/apple-app-site-association", BROWSER)]:
        tag = ask("GET", target, fields, 200).headers["ETag"]
        ask("GET", target, fields | {"If-None-Match": tag}, 304)
        ask("HEAD", target, fields | {"If-None-Match": tag}, 304)
        ask("HEAD", target, fields, 200)
    for method in ("GET", "HEAD"):
        ask(method, "/healthz", OWN, 200)
        ask(method, "/readyz", OWN, 200)
        ask(method, "/metrics", OWN, 200)
        ask(method, LINK, OWN, 200)
        ask(method, "/p/1", BROWSER, 200)
        ask(method, "/c/books", BROWSER, 302)
        ask(method, "/blog/news", BROWSER, 302)
        ask(method, "/nowhere/at/all", BROWSER, 404)
        ask(method, "/favicon.ico", BROWSER, 404)
        ask(method, "/robots.txt", BROWSER, 200)
        ask(method, "/v1/nothing", OWN, 404)
        ask(method, "/v1/catalog", {"Host": "other.example"}, 421)
        ask(method, "/v1/catalog", OWN | {"Accept": "image/png"}, 406)
    ask("OPTIONS", "/v1/resolve", OWN, 204)
    ask("OPTIONS", "/c/books", BROWSER, 421)
    ask("PUT", "/v1/resolve", OWN, 405)
    ask("PUT", "/c/books", BROWSER, 421)
    ask("POST", "/v1/resolve", JSON, 200, '{"link":"https://links.example.com/p/1"}')
    ask("POST", "/v1/resolve", JSON, 404, '{"link":"https://links.example.com/nowhere"}')
    ask("POST", "/v1/resolve", JSON, 400, "{")
    ask("POST", "/v1/resolve", OWN | {"Content-Type": "text/plain"}, 415, "{}")
    ask("POST", "/v1/resolve", JSON | {"Content-Encoding": "gzip"}, 415, "{}")
    ask("POST", "/v1/resolve/batch", LINES, 200, '{"link":"https://links.example.com/p/1"}\n')
    ask("POST", "/v1/users", LINES, 200, '{"id":"ada","authorizationLevel":"none"}\n')
    ask("POST", "/v1/users", LINES, 200, "")
    ask("POST", "/v1/users?atomic=true", LINES, 400, "{}\n")
    ask("POST", "/v1/users/ben", JSON, 201, '{"authorizationLevel":"signedInUser"}')
    ask("POST", "/v1/users/ben", JSON, 200, '{"authorizationLevel":"none"}')
    ask("GET", "/v1/users/ben", OWN, 200)
    ask("DELETE", "/v1/users/ben?history=erase", OWN, 204)
    ask("GET", "/v1/users/nobody", OWN, 404)


for _ in range(2): kinds()
print(*faults, sep="\n")
sys.exit(1 if faults else 0)
