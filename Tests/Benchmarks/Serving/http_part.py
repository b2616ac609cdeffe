"""Measures what a resolve costs over HTTP, beside nginx and the Go peer, in one run of rounds."""

import contextlib
import urllib.request

import peers
from loading import Target, compare
from targets import RESOLVE, USERS, many
from waymark import Server, command, resident_kib


def fill(options, database):
    """Makes a database of as many premium users as the Go peer has."""
    lines = "".join(f'{{"id":"u{number}","authorizationLevel":"premiumUser"}}\n' for number in range(USERS))
    command(options.binary, "user", "import", "-", "--create", database=database, input=lines)


def measure(options, folder, table, progress):
    """Adds the rows of /v1/resolve and /healthz."""
    progress(f"storing {USERS:,} users, building the Go peer")
    database, guarded = folder / "http.sqlite", folder / "guarded.sqlite"
    for file in (database, guarded):
        fill(options, file)
    token = command(options.binary, "token", "create", "--role", "resolver", "--create", database=guarded)
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(options.binary, database))
        closed = stack.enter_context(Server(options.binary, guarded))
        with urllib.request.urlopen(server.url + RESOLVE) as answer:
            body = answer.read().decode()
        floor = stack.enter_context(peers.nginx(folder, body))
        go = stack.enter_context(peers.go_peer(folder))
        header = ["-H", f"Authorization: Bearer {token}"]
        choice, arguments = many(10_000, 1_000)
        one = compare([
            Target("nginx", floor.pid, floor.url + "/"),
            Target("go", go.pid, go.url + RESOLVE),
            Target("healthz", server.pid, server.url + "/healthz"),
            Target("resolve", server.pid, server.url + RESOLVE),
            Target("token", closed.pid, closed.url + RESOLVE, header),
        ], options, lambda text: progress(f"one user, one link: {text}"))
        mixed = compare([
            Target("nginx", floor.pid, floor.url + "/", choice, arguments),
            Target("go", go.pid, go.url + RESOLVE, choice, arguments),
            Target("resolve", server.pid, server.url + RESOLVE, choice, arguments),
        ], options, lambda text: progress(f"10,000 users, 1,000 links: {text}"))
        loaded = resident_kib(server.pid) / 1024
    against_peers(table, "`/v1/resolve`", one)
    plain, token = one["resolve"], one["token"]
    table.add("… with a service token: CPU per request", token.cost, ("without", plain.cost), ("<=", 1.1), "µs")
    table.add("… with a service token: requests/s", token.rate, ("without", plain.rate), (">=", 0.9))
    against_peers(table, "10,000 users, 1,000 links", mixed)
    table.add("`/healthz`: CPU per request", one["healthz"].cost, ("nginx", one["nginx"].cost), unit="µs")
    table.add("memory after this load", loaded, unit="MiB")


def against_peers(table, what, medians):
    """Adds the four ratios that matter."""
    ours, go, floor = medians["resolve"], medians["go"], medians["nginx"]
    table.add(f"{what}: CPU per request", ours.cost, ("Go peer", go.cost), ("<=", 0.55), "µs")
    table.add(f"{what}: requests/s", ours.rate, ("Go peer", go.rate), (">=", 1.6))
    table.add(f"{what}: requests/s", ours.rate, ("nginx", floor.rate), (">=", 0.6))
    table.add(f"{what}: p99", ours.p99, ("nginx", floor.p99), ("<=", 3), "ms")
