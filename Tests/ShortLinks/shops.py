"""A shop whose links are shortened: its catalog, its databases, its servers, and what is said to them."""

import contextlib
import http.client
import json
import os
import pathlib
import subprocess

import waymark

ROUTES = 50
HOST = "shop.example"
SHORT_HOST = "go.example"


def catalog(path, changed=None):
    """Writes the catalog of the shop, in which one route may have lost its parameter; returns its path."""
    routes = [f"r{number}" for number in range(ROUTES)]
    opens = ", ".join(f"{route}: push" for route in routes if route != changed)
    lines = [
        "version: 1",
        "origins:",
        "  - { scheme: https, hosts: [shop.example] }",
        f"  - {{ scheme: https, hosts: [{SHORT_HOST}], shortLinks: true }}",
        "entry: { home: { presentation: root, initial: true } }",
        "routes:",
        f'  home: {{ path: "", opens: {{ {opens} }} }}',
    ]
    lines += [f'  {route}: {{ path: "{route}/{{id}}", parameters: {{ id: int }} }}' for route in routes if route != changed]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")
    return path


def link(number):
    """Returns one of the shop's own links."""
    return f"https://{HOST}/r{number % ROUTES}/{number}"


@contextlib.contextmanager
def postgres(folder):
    """A PostgreSQL server for as long as the block runs: the URI of its database."""
    script = waymark.CHECKOUT / "Tests/Processes/postgres.bash"
    os.makedirs(folder)
    for parent in pathlib.Path(folder).parents:  # The server's user passes through.
        if parent.stat().st_uid == os.getuid() and parent != parent.parent and parent.name.startswith("waymark-"):
            parent.chmod(0o755)

    def call(command, *words):
        return subprocess.run(["bash", "-c", f'. "$0"; {command} "$@"', script, *words], check=True, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout.strip()

    try:
        yield call("postgres_start", folder)
    finally:
        call("postgres_stop", folder)


def sql(folder, text):
    """Asks the PostgreSQL server in a folder; returns what it prints."""
    return subprocess.run(["psql", "-h", folder, "-U", "waymark", "-d", "waymark", "-qtAc", text], check=True,
                          capture_output=True, text=True).stdout.strip()


def server(options, database, **rest):
    """Starts a server of the shop on a database."""
    return waymark.Server(options.binary, database, catalog=options.catalog, arguments=("--insecure-no-auth",),
                          log=f"{options.folder}/server-{os.urandom(4).hex()}.log", **rest)


class Client:
    """One connection to a server, made anew where it broke."""

    def __init__(self, port, timeout=120):
        self.port, self.timeout, self.connection = port, timeout, None

    def request(self, method, path, body=None, kind="application/json", fields=None):
        """Sends a request; returns status and body. Raises OSError or HTTPException where the connection ends."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
        headers = dict(fields or {})
        if body is not None:
            headers["Content-Type"] = kind
        try:
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except BaseException:
            self.close()
            raise

    def make(self, **record):
        """Makes a short link; returns status and answer."""
        status, body = self.request("POST", "/v1/short-links", json.dumps(record))
        return status, json.loads(body)

    def make_each(self, lines):
        """Makes a short link of each line of NDJSON; returns the answers."""
        status, body = self.request("POST", "/v1/short-links", "".join(line + "\n" for line in lines),
                                    "application/x-ndjson")
        if status != 200:
            raise AssertionError(f"{status}: {body[:300]}")
        return [json.loads(line) for line in body.splitlines()]

    def listed(self):
        """Yields all short links."""
        after = None
        while True:
            status, body = self.request("GET", "/v1/short-links?limit=1000" + (f"&after={after}" if after else ""))
            assert status == 200, f"the list answered {status}: {body[:300]}"
            page = json.loads(body)
            yield from page["shortLinks"]
            after = page.get("next")
            if after is None:
                return

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None
