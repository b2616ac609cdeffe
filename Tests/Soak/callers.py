"""Asks what must be refused, and what needs no user: credentials, roles, nonsense, the catalog, health."""

import json
from urllib.parse import quote

PROTECTED = [("GET", "/v1/resolve?link=navigation%3A%2Flogin"), ("GET", "/v1/users/shared-0"), ("GET", "/v1/catalog"),
             ("GET", "/v1/users"), ("DELETE", "/v1/users/shared-0"), ("GET", "/characters"), ("GET", "/nowhere")]

ADMINISTRATION = [("GET", "/v1/users/shared-0"), ("GET", "/v1/users/shared-0/history"), ("GET", "/v1/users"),
                  ("DELETE", "/v1/users/shared-0")]


def ask_without_credentials(worker):
    """Calls without a token, or with one that is none, is mistyped or was revoked: always 401."""
    kind = "without credentials"
    method, target = worker.random.choice(PROTECTED)
    good = worker.tokens["admin"]
    credentials = worker.random.choice([
        None, "Basic YTpi", "Bearer nonsense", f"Bearer {good[:-1]}{'a' if good[-1] != 'a' else 'b'}",
        f"Bearer {worker.tokens['revoked']}", f"Bearer {good[:12]}", good])
    answer = worker.ask(kind, method, target, [("Authorization", credentials)] if credentials else [], token=None)
    worker.problem(kind, answer, 401, "authentication-required")
    worker.check(kind, answer.fields.get("www-authenticate", "").startswith("Bearer "), "no WWW-Authenticate", answer)


def ask_beyond_role(worker):
    """A resolver neither reads nor writes users."""
    kind = "beyond the role"
    if worker.random.random() < 0.3:
        answer = worker.ask(kind, "POST", "/v1/users/shared-0", value={"authorizationLevel": "premiumUser"})
    else:
        answer = worker.ask(kind, *worker.random.choice(ADMINISTRATION))
    worker.problem(kind, answer, 403, "insufficient-scope", required="admin")


def ask_nonsense(worker):
    """Sends requests that are wrong, each with its own problem."""
    kind = "nonsense"
    method, target, fields, data, status, code = worker.random.choice([
        ("GET", "/v1/resolve", [], None, 400, "invalid-request"),
        ("GET", "/v1/resolve?link=navigation%3A%2Flogin&utm=1", [], None, 400, "invalid-request"),
        ("GET", "/v1/resolve?link=navigation%3A%2Flogin&mode=up", [], None, 400, "invalid-request"),
        ("GET", "/v1/resolve?link=navigation%3A%2Flogin&user=a", [("Waymark-User", "b")], None, 400, "invalid-request"),
        ("POST", "/v1/resolve", [("Content-Type", "application/json")], b'{"link":', 400, "invalid-request"),
        ("POST", "/v1/resolve", [("Content-Type", "text/plain")], b"{}", 415, "unsupported-media-type"),
        ("POST", "/v1/users/shared-0", [("Content-Type", "application/json")], b'{"authorizationLevel":"king"}', 400,
         "invalid-request"),
        ("GET", "/v1/users/" + "x" * 257, [], None, 400, "invalid-request"),
        ("GET", "/v1/users?limit=0", [], None, 400, "invalid-request"),
        ("PUT", "/v1/resolve", [], b"", 405, "method-not-allowed"),
        ("DELETE", "/v1/catalog", [], None, 405, "method-not-allowed"),
        ("GET", "/v1/nowhere", [], None, 404, "not-found"),
        ("GET", "/characters", [("Host", "evil.example")], None, 421, "misdirected-request"),
        ("GET", "/v1/resolve?link=" + quote("navigation:/login"), [("Accept", "text/html")], None, 406,
         "not-acceptable"),
        ("POST", "/v1/continuations", [("Content-Type", "application/json")], b'{"token":"x","user":"y"}', 400,
         "invalid-continuation"),
    ])
    answer = worker.ask(kind, method, target, fields, data=data, token="admin")
    worker.problem(kind, answer, status, code)


def read_catalog(worker):
    """`GET /v1/catalog`, at times with the version that the client has."""
    kind = "GET /v1/catalog"
    catalogs = worker.expectations.catalogs
    known = worker.random.choice(catalogs).version if worker.random.random() < 0.5 else None
    answer = worker.ask(kind, "GET", "/v1/catalog", [("If-None-Match", f'"{known}"')] if known else [])
    tags = {f'"{catalogs[place].version}"': catalogs[place] for place in worker.possible(answer)}
    tag = answer.fields.get("etag")
    worker.check(kind, tag in tags, f"the catalogs in force were {list(tags)}", answer)
    if answer.status == 304:
        worker.check(kind, tag == f'"{known}"', "another catalog than the client has", answer)
    else:
        worker.check(kind, answer.status == 200 and answer.body == tags[tag].body and tag != f'"{known}"',
                     "wrong catalog", answer)


def ask_health(worker):
    """The health endpoints need no credentials."""
    kind = "health"
    answer = worker.ask(kind, "GET", "/healthz", token=None)
    worker.check(kind, answer.status == 200, "not alive", answer)
    answer = worker.ask(kind, "GET", "/readyz", token=None)
    body = json.loads(answer.body)
    versions = {worker.expectations.catalogs[place].version for place in worker.possible(answer)}
    worker.check(kind, answer.status == 200 and body["status"] == "ready" and body["catalogVersion"] in versions,
                 "not ready", answer)
