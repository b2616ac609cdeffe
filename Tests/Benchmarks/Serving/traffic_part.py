"""Measures what people really send beside the Go peer: fields that differ, bodies, web links, end users, new connections."""

import base64
import contextlib
import hashlib
import hmac
import json
import time

import peers
from http_part import fill
from loading import Target, compare
from targets import HERE, LINK, RESOLVE, USER
from waymark import Server, command

WEB_LINK = "/" + LINK.split("://", 1)[1].split("/", 1)[1]


def base64url(data):
    """Writes bytes as JWTs have them (RFC 7515 section 2)."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def end_user(folder):
    """Makes a key file and a token of the user that the other rows name; returns the server's options and the token."""
    secret = hashlib.sha256(b"a secret of this run").digest()
    keys = folder / "keys.json"
    keys.write_text(json.dumps({"keys": [{"kty": "oct", "alg": "HS256", "kid": "k", "k": base64url(secret)}]}))
    keys.chmod(0o600)
    claims = {"iss": "https://id.example", "aud": "waymark", "sub": USER, "exp": int(time.time()) + 86_400}
    signed = ".".join(base64url(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": "k"}, claims))
    token = f"{signed}.{base64url(hmac.new(secret, signed.encode(), hashlib.sha256).digest())}"
    return ["--jwt-issuer", "https://id.example", "--jwt-audience", "waymark", "--jwt-keys", str(keys)], token


def measure(options, folder, table, progress):
    """Adds the rows of real traffic, whose targets are ratios of CPU per request to the Go peer's."""
    progress("storing users, building the Go peer")
    files = [folder / f"{name}.sqlite" for name in ("open", "guarded", "ended")]
    for file in files:
        fill(options, file)
    token = command(options.binary, "token", "create", "--role", "resolver", "--create", database=files[1])
    jwt_options, jwt = end_user(folder)
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(options.binary, files[0]))
        guarded = stack.enter_context(Server(options.binary, files[1]))
        ended = stack.enter_context(Server(options.binary, files[2], arguments=jwt_options))
        go = stack.enter_context(peers.go_peer(folder))
        fields, bearer = ["-s", str(HERE / "fields.lua")], "Authorization: Bearer "
        close = ["-H", "Connection: close"]
        found = compare([
            Target("go", go.pid, go.url + RESOLVE),
            Target("go, fields differ", go.pid, go.url + RESOLVE, [*fields, "-H", bearer + token]),
            Target("go, new connections", go.pid, go.url + RESOLVE, close),
            Target("differ", guarded.pid, guarded.url + RESOLVE, [*fields, "-H", bearer + token]),
            Target("repeat", server.pid, server.url + RESOLVE),
            Target("post", server.pid, server.url + "/v1/resolve", ["-s", str(HERE / "post.lua")], ["--", LINK, USER]),
            Target("web", server.pid, server.url + WEB_LINK, ["-H", "Host: loremipsum.com", "-H", f"Waymark-User: {USER}"]),
            Target("jwt", ended.pid, ended.url + RESOLVE.replace(f"user={USER}&", ""), ["-H", bearer + jwt]),
            Target("refusal", server.pid, server.url + RESOLVE.replace(USER, "nobody"), refuses=True),
            Target("close", server.pid, server.url + RESOLVE, close),
        ], options, lambda text: progress(f"real traffic: {text}"))
    for name, words, beside, limit in [
        ("differ", "header fields that differ, with a service token", "go, fields differ", 0.40),
        ("post", "`POST /v1/resolve`", "go", 0.45), ("web", "a web link", "go", 0.40),
        ("jwt", "with an end user's JWT", "go", 0.5), ("close", "a new connection for each", "go, new connections", 1.0),
        ("repeat", "header fields that repeat", "go", 0.40),
        ("refusal", "a refusal with gate and continuation, beside the peer's grant", "go", 0.55),
    ]:
        label = "Go peer" + beside[2:]
        table.add(f"{words}: CPU per request", found[name].cost, (label, found[beside].cost), ("<=", limit), "µs")
