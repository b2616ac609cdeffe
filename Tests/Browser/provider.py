"""A small identity provider on a loopback port: OpenID Connect's code flow with PKCE for one client, which it checks.

Its page has a button for each account. openssl signs what it issues.
"""

import base64
import contextlib
import hashlib
import html
import http.server
import json
import pathlib
import secrets
import subprocess
import threading
import time
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

CLIENT = "waymark"
SECRET = "a secret: with % and ü"
ACCOUNTS = {"ada": ["admin"], "bob": ["resolver", "monitor"], "eve": []}


def base64url(data):
    """Returns bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Provider:
    """The provider, with a key in a folder; what it does wrong on purpose is in its attributes."""

    def __init__(self, folder):
        self.key = pathlib.Path(folder) / "provider.pem"
        subprocess.run(["openssl", "genrsa", "-out", self.key, "2048"], check=True, capture_output=True)
        modulus = subprocess.run(["openssl", "rsa", "-in", self.key, "-noout", "-modulus"], check=True,
                                 capture_output=True, text=True).stdout.strip().partition("=")[2]
        self.modulus = base64url(bytes.fromhex(modulus))
        self.codes = {}
        self.skew = 0
        self.logouts = []
        self.issuer = ""

    def sign(self, claims):
        """Returns an ID token."""
        parts = [base64url(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "1"}, claims)]
        signed = ".".join(parts)
        signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", self.key], input=signed.encode(), check=True,
                                   capture_output=True).stdout
        return f"{signed}.{base64url(signature)}"

    def document(self):
        """Returns the document that describes the provider."""
        return {"issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys",
                "end_session_endpoint": f"{self.issuer}/logout"}

    def page(self, query):
        """Returns the page that asks who is there; each account's link goes back to the client."""
        asked = {name: values[0] for name, values in parse_qs(query).items()}
        assert asked["response_type"] == "code" and asked["client_id"] == CLIENT and asked["code_challenge_method"] == "S256"
        links = []
        for name in ACCOUNTS:
            code = secrets.token_urlsafe()
            self.codes[code] = asked | {"account": name}
            back = asked["redirect_uri"] + "?" + urlencode({"code": code, "state": asked["state"], "session_state": "x"})
            links.append(f'<p><a href="{html.escape(back)}">{name}</a>')
        refusal = asked["redirect_uri"] + "?" + urlencode({"error": "access_denied", "state": asked["state"]})
        links.append(f'<p><a href="{html.escape(refusal)}">nobody</a>')
        return "<!doctype html><title>Provider</title>" + "".join(links)

    def tokens(self, form, authorization):
        """Returns the status and the answer for a code."""
        given = {name: values[0] for name, values in parse_qs(form).items()}
        user, _, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        if (unquote(user), unquote(secret)) != (CLIENT, SECRET):
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(given["code"], None)
        digest = base64url(hashlib.sha256(given["code_verifier"].encode()).digest())
        if not asked or asked["redirect_uri"] != given["redirect_uri"] or asked["code_challenge"] != digest:
            return 400, {"error": "invalid_grant"}
        now = int(time.time()) + self.skew
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": f"id-of-{asked['account']}", "iat": now, "exp": now + 300,
                  "nonce": asked["nonce"], "preferred_username": asked["account"], "roles": ACCOUNTS[asked["account"]]}
        return 200, {"id_token": self.sign(claims), "access_token": "opaque", "token_type": "Bearer"}


@contextlib.contextmanager
def serving(folder):
    """Runs a provider; gives it."""
    provider = Provider(folder)

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self, status, text, kind="application/json", **fields):
            self.send_response(status)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(text.encode())), **fields}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

        def do_GET(self):
            parts = urlsplit(self.path)
            if parts.path == "/.well-known/openid-configuration":
                self.answer(200, json.dumps(provider.document()))
            elif parts.path == "/keys":
                self.answer(200, json.dumps({"keys": [{"kty": "RSA", "kid": "1", "n": provider.modulus, "e": "AQAB"}]}))
            elif parts.path == "/authorize":
                self.answer(200, provider.page(parts.query), "text/html")
            elif parts.path == "/logout":
                asked = parse_qs(parts.query)
                provider.logouts.append(asked["client_id"][0])
                self.answer(302, "", Location=asked["post_logout_redirect_uri"][0])
            else:
                self.answer(404, "")

        def do_POST(self):
            form = self.rfile.read(int(self.headers["Content-Length"])).decode()
            status, answer = provider.tokens(form, self.headers["Authorization"])
            self.answer(status, json.dumps(answer))

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
