"""Counts the user instructions of each kind of request (callgrind), and holds them against the table that is committed.

Instructions hardly depend on the machine, so a growth is the code's. Servers run under callgrind without their debugging
information, which Valgrind cannot read in a static binary; each kind is asked often enough to be warm, then counted.
"""

import argparse
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

from instructions_table import TASKS, InstructionTable
from targets import LINK, RESOLVE, USER
from traffic_part import WEB_LINK, end_user
from waymark import CHECKOUT, CommandFailed, DidNotStart, Server, command

WARM, COUNTED = 300, 500
# The function in which the thread of an event loop spends its life.
EVENT_LOOP = "$s8NIOPosix19SelectableEventLoopC3runyyKF"
# Counts vary by some instructions: the clock's minute, growing tables.
BROWSER = ("User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0\r\n"
           "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\nAccept-Language: de-DE,de;q=0.9,en;q=0.8\r\n")
FREE = "free"  # A user without any level.
GRANTS = [f"g{number}" for number in range(32)]
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ar")
# Features of catalogs, each in a catalog of its own: the routes, the origin and the link of a feature.
FEATURES = {
    "": ("", "", "https://a.test/plain/{n}?q=3"),
    ", a signed route elsewhere": ("  other: { signed: true }\n", "", "https://a.test/plain/{n}?q=3"),
    ", web texts in ten languages": (
        "  other: { web: { title: { %s } } }\n" % ", ".join(f"{one}: Shop" for one in LANGUAGES), "",
        "https://a.test/plain/{n}?q=3"),
    ", thirty-two grants": (
        "  other: { requires: [%s] }\ngrants: [%s]\ngates: { %s }\n" % (
            ", ".join(GRANTS), ", ".join(GRANTS), ", ".join(f"{grant}: /plain/1" for grant in GRANTS)), "",
        "https://a.test/plain/{n}?q=3"),
    ", a fragment that is a path": ("", ", { scheme: https, hosts: [f.test], fragment: path }", "https://f.test/#/plain/{n}?q=3"),
    ", behind a link": ("  other: { path: go, link: u }\n", "", "https://a.test/go?u=https%3A%2F%2Fa.test%2Fplain%2F{n}%3Fq%3D3"),
    ", a host that is a segment": (
        "  other: { path: \"live.test/{id}\", parameters: { id: int } }\n",
        ", { scheme: https, hosts: [live.test], authority: segment }", "https://live.test/{n}"),
}


def resolve(link, user=USER, **more):
    """The target of a resolve."""
    return "/v1/resolve?" + urllib.parse.urlencode({"user": user, "link": link} | more, safe="/")


def get(target, fields="", host="127.0.0.1"):
    """A kind of request that is the same each time."""
    request = f"GET {target} HTTP/1.1\r\nHost: {host}\r\n{fields}\r\n".encode()
    return lambda number: request


def post(path, body, fields=""):
    """A kind of request with a JSON body, made from its number."""
    def request(number):
        text = json.dumps(body(number) if callable(body) else body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{fields}"
        return f"{head}Content-Length: {len(text)}\r\n\r\n".encode() + text
    return request


def differing(token):
    """A resolve with nine header fields of which five differ, as proxies and tracing clients send them."""
    def request(number):
        count = number + 1
        return (f"GET {RESOLVE} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
                f"User-Agent: push-sender/2.1\r\nAccept: application/json\r\nAccept-Encoding: gzip\r\n"
                f"X-Request-Id: request-{count:08}-{count * 7}\r\n"
                f"traceparent: 00-{count * 31:032x}-{count * 17:016x}-01\r\n"
                f"X-Forwarded-For: 10.{count % 250}.{count % 241}.{count % 239}\r\nX-Real-IP: 10.{count % 251}.0.1\r\n"
                f"X-Correlation-Id: {count * 1234567:x}\r\n\r\n").encode()
    return request


class Client:
    """One connection on which whole answers are read."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=300)
        self.rest = b""

    def ask(self, request):
        """Sends a request; returns the status, the fields in small letters, and the body."""
        self.socket.sendall(request)
        while b"\r\n\r\n" not in self.rest:
            self.rest += self._more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        status = int(lines[0].split(" ", 2)[1])
        if fields.get("transfer-encoding") == "chunked":
            return status, fields, self._chunks()
        length = int(fields.get("content-length", 0))
        while len(self.rest) < length:
            self.rest += self._more()
        body, self.rest = self.rest[:length], self.rest[length:]
        return status, fields, body

    def _chunks(self):
        body = b""
        while True:
            while b"\r\n" not in self.rest:
                self.rest += self._more()
            size, _, self.rest = self.rest.partition(b"\r\n")
            size = int(size, 16)
            while len(self.rest) < size + 2:
                self.rest += self._more()
            body, self.rest = body + self.rest[:size], self.rest[size + 2:]
            if size == 0:
                return body

    def _more(self):
        more = self.socket.recv(1 << 16)
        if not more:
            raise ConnectionError("the server closed the connection")
        return more


class Counter:
    """A server under callgrind."""

    def __init__(self, bare, database, folder, name, catalog=None, arguments=()):
        self.output = folder / f"{name}.callgrind"
        self.number = 0
        more = {"catalog": catalog} if catalog else {}
        self.server = Server(
            bare, database, log=folder / f"{name}.log", patience=600, arguments=arguments, **more,
            prefix=("valgrind", "--tool=callgrind", "--separate-threads=yes", f"--callgrind-out-file={self.output}"))

    def __enter__(self):
        self.client = Client(self.server.port)
        return self

    def __exit__(self, *_):
        self.server.stop(120)

    def _control(self, option):
        run = subprocess.run(["callgrind_control", option, str(self.server.pid)], capture_output=True, text=True)
        if run.returncode:
            raise CommandFailed(f"callgrind_control {option}: {run.stdout}{run.stderr}")

    def count(self, kind, request, status, units=1, counted=COUNTED, warm=WARM):
        """Returns the instructions of one request of a kind, and those of each of its functions.

        Event loops alone are counted: timers run on other threads, more often the slower the machine is. Where a task
        answers, all threads are.
        """
        for number in range(warm):
            self._ask(kind, request(number), status)
        self._control("--zero")
        for number in range(warm, warm + counted):
            self._ask(kind, request(number), status)
        self._control("--dump")
        self.number += 1
        total, own = 0, {}
        for text in self._dumped():
            if EVENT_LOOP not in text and kind not in TASKS:
                continue
            total += int(re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)[1])
            for name, value in functions(text, counted * units).items():
                own[name] = own.get(name, 0) + value
        return total / counted / units, {name: value for name, value in own.items() if value >= 20}

    def _dumped(self):
        """The newest dumps, one of each thread."""
        deadline = time.monotonic() + 60
        while True:
            files = sorted(self.output.parent.glob(f"{self.output.name}.{self.number}-*"))
            texts = [file.read_text() for file in files]
            if texts and all(re.search(r"^(?:totals|summary): \d+", text, re.MULTILINE) for text in texts):
                return texts
            if time.monotonic() > deadline:
                raise CommandFailed(f"callgrind wrote no {self.output.name}.{self.number}")
            time.sleep(0.1)

    def _ask(self, kind, request, status):
        answered, _, body = self.client.ask(request)
        if answered != status:
            raise CommandFailed(f"{kind}: answered {answered} in place of {status}: {body[:300]!r}")


def functions(text, count):
    """The instructions that each function took itself, by its name as the compiler writes it, for one request."""
    names, own, name, passes_call = {}, {}, None, False
    for line in text.splitlines():
        if line.startswith("fn="):
            number, _, text = line[3:].partition(" ")
            if text:
                names[number] = text
            name = names.get(number, number)
        elif line.startswith("cfn="):
            number, _, text = line[4:].partition(" ")
            if text:
                names[number] = text
        elif line.startswith("calls="):
            passes_call = True  # The next line has what the called function took.
        elif line and (line[0].isdigit() or line[0] in "+-*") and name:
            if passes_call:
                passes_call = False
            else:
                own[name] = own.get(name, 0) + int(line.rsplit(" ", 1)[1])
    return {name: value / count for name, value in own.items()}


def measure(binary, folder, progress):
    """Counts every kind; returns instructions and functions by kind."""
    bare = folder / "waymark"
    subprocess.run(["objcopy", "--strip-debug", binary, bare], check=True)
    found = {}

    def count(counter, kind, request, status=200, **more):
        progress(kind)
        found[kind] = counter.count(kind, request, status, **more)

    database = folder / "guarded.sqlite"
    for user in (USER, "u78"):
        command(binary, "user", "set", user, "premiumUser", "--create", database=database)
    token = command(binary, "token", "create", "--role", "admin", "--create", database=database)
    bearer = f"Authorization: Bearer {token}\r\n"
    book = "navigation://loremipsum.com/characters/character/1"
    with Counter(bare, database, folder, "guarded") as counter:
        count(counter, "plain", get(RESOLVE, bearer))
        count(counter, "differing fields", differing(token))
        count(counter, "POST", post("/v1/resolve", {"link": LINK, "user": USER}, bearer))
        count(counter, "web link", get(WEB_LINK, f"{bearer}Waymark-User: {USER}\r\n", host="loremipsum.com"))
        count(counter, "refusal", get(resolve(LINK, FREE), bearer), 403)
        count(counter, "redemption", redemptions(counter, bearer, FREE), 403)
        count(counter, "no match", get(resolve("navigation:/characters/nowhere/7"), bearer), 404)
        count(counter, "invalid parameter", get(resolve("navigation:/characters/character/x?sheet=1"), bearer), 422)
        count(counter, "unknown origin", get(resolve("other://elsewhere/characters"), bearer), 404)
        count(counter, "bad link", get(resolve("navigation:/a%zz"), bearer), 400)
        count(counter, "explain", get(resolve(LINK, explain="true"), bearer))
        count(counter, "from with a transition", get(RESOLVE + "&from=" + urllib.parse.quote(book, safe=""), bearer))
        count(counter, "append", get(resolve("character/3") + "&mode=append&from=" + urllib.parse.quote(book, safe=""), bearer))
        count(counter, "batch line", batches(bearer, 100), units=100, counted=20, warm=10)
        count(counter, "health", get("/healthz"))
        count(counter, "user", get(f"/v1/users/{USER}", bearer))
        _, fields, _ = counter.client.ask(get("/v1/catalog", bearer)(0))
        count(counter, "catalog with ETag", get("/v1/catalog", f"{bearer}If-None-Match: {fields['etag']}\r\n"), 304)
        levels = ("signedInUser", "premiumUser")
        count(counter, "write of a user",
              post("/v1/users/u78", lambda number: {"authorizationLevel": levels[number % 2]}, bearer))
    open_database = folder / "open.sqlite"
    options, jwt = end_user(folder)
    command(binary, "user", "set", USER, "premiumUser", "--create", database=open_database)
    with Counter(bare, open_database, folder, "open") as counter:
        count(counter, "plain, without a token", get(RESOLVE))
    with Counter(bare, open_database, folder, "ended", arguments=options) as counter:
        count(counter, "JWT seen before",
              get(RESOLVE.replace(f"user={USER}&", ""), f"Authorization: Bearer {jwt}\r\n"))
    for number, (feature, (routes, origin, link)) in enumerate(FEATURES.items()):
        catalog = folder / f"feature-{number}.yaml"
        entry = "plain: root, other: root" if routes else "plain: root"
        catalog.write_text(
            "version: 1\norigins: [{ scheme: https, hosts: [a.test] }%s]\nentry: { %s }\nroutes:\n"
            "  plain: { path: \"plain/{id}\", parameters: { id: int, q: string } }\n%s" % (origin, entry, routes))
        with Counter(bare, folder / f"feature-{number}.sqlite", folder, f"feature-{number}", catalog=catalog) as counter:
            count(counter, f"a new link{feature}",
                  lambda number: get(resolve(link.replace("{n}", str(number + 10)), "nobody"))(number))
    catalog = folder / "short-links.yaml"
    catalog.write_text(
        "version: 1\norigins: [{ scheme: https, hosts: [a.test] }, { scheme: https, hosts: [go.test], shortLinks: true }]\n"
        "entry: { plain: root }\nroutes: { plain: { path: \"plain/{id}\", parameters: { id: int, q: string } } }\n")
    with Counter(bare, folder / "short-links.sqlite", folder, "short-links", catalog=catalog) as counter:
        lines = "".join(json.dumps({"code": f"code-{number}", "link": f"https://a.test/plain/{number}?q=3"}) + "\n"
                        for number in range(WARM + COUNTED + 10))
        made, _, body = counter.client.ask(
            (f"POST /v1/short-links HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n"
             f"Content-Length: {len(lines)}\r\n\r\n{lines}").encode())
        if made != 200 or body.count(b'"status":201') != WARM + COUNTED + 10:
            raise CommandFailed(f"short links: answered {made}: {body[:300]!r}")
        count(counter, "short link, its address", get(resolve("https://a.test/plain/3?q=3", "nobody")))
        count(counter, "short link", get(resolve("https://go.test/code-3", "nobody")))
        count(counter, "a new link of short links",
              lambda number: get(resolve(f"https://a.test/plain/{number + 10}?q=3", "nobody"))(number))
        count(counter, "short link new",
              lambda number: get(resolve(f"https://go.test/code-{number + 10}", "nobody"))(number))
        count(counter, "short link unknown",
              lambda number: get(resolve(f"https://go.test/guess-{number}", "nobody"))(number), 404)
    with Counter(bare, folder / "pages.sqlite", folder, "pages", catalog=CHECKOUT / "Config/examples/link-domain.yaml",
                 arguments=["--limit-pages", "0"]) as counter:
        host = page_host(counter.client)
        count(counter, "page kept", get("/p/1", BROWSER, host=host))
        count(counter, "page new", lambda number: get(f"/p/{number + 10}", BROWSER, host=host)(number))
    return found


def redemptions(counter, bearer, user):
    """Redemptions of a continuation by a user who still lacks the level: none is spent."""
    _, _, body = counter.client.ask(get(resolve(LINK, user), bearer)(0))
    return post("/v1/continuations", {"token": json.loads(body)["continuation"], "user": user}, bearer)


def batches(bearer, count):
    """A batch of so many lines."""
    body = (json.dumps({"link": LINK, "user": USER}) + "\n") * count
    text = (f"POST /v1/resolve/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n{bearer}"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()
    return lambda number: text


def page_host(client):
    """The host whose pages the example answers."""
    text = (CHECKOUT / "Config/examples/link-domain.yaml").read_text()
    return re.search(r"hosts: *\[ *([\w.-]+)", text)[1]


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench instructions", allow_abbrev=False)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--record", action="store_true", help="write the table that is committed")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a kind has grown, or a row is over its budget or lacks a reason")
    options = parser.parse_args()
    progress = lambda text: print(f"bench: instructions: {text}", file=sys.stderr, flush=True)
    table = InstructionTable.read()
    if options.check and (reason := table.reason_to_skip()):
        progress(f"not checked: {reason}")
        return 0
    with tempfile.TemporaryDirectory(prefix="waymark-bench-", dir=os.environ.get("TMPDIR", "/var/tmp")) as place:
        try:
            found = measure(options.binary, pathlib.Path(place), progress)
        except (CommandFailed, DidNotStart, OSError, subprocess.SubprocessError) as fault:
            progress(f"could not be measured: {fault}")
            return 69
    print(table.text(found))
    if options.record:
        table.record(found)
    if not options.check:
        return 0
    lines = table.faults(found)
    for line in lines:
        print(f"bench: {line}", file=sys.stderr)
    if not lines:
        progress("every kind is within its row and its budget")
    return 1 if lines else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
