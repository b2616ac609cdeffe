"""Measures how long answers take at a steady rate that both servers keep, beside nginx's constant body."""

import contextlib
import urllib.request

import peers
from faults import NotMeasured
from loading import Target, load, median
from targets import HERE, RESOLVE, USER
from waymark import Server, command

RATE = 10_000
# A p99 of fewer rounds says little, so --quick has as many, only shorter.
ROUNDS, CONNECTIONS = 5, 32


def measure(options, folder, table, progress):
    """Adds the rows of p99, with header fields that repeat and with such that differ."""
    database = folder / "steady.sqlite"
    command(options.binary, "user", "set", USER, "premiumUser", "--create", database=database)
    # Without a token, what has the fields of a proxy is refused.
    token = command(options.binary, "token", "create", "--role", "resolver", database=database)
    bearer = {"Authorization": f"Bearer {token}"}
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(options.binary, database))
        with urllib.request.urlopen(urllib.request.Request(server.url + RESOLVE, headers=bearer)) as answer:
            floor = stack.enter_context(peers.nginx(folder, answer.read().decode()))
        for script, words in (("paced", "repeat"), ("fields", "differ")):
            choice = ["-s", str(HERE / f"{script}.lua"), "-H", f"Authorization: {bearer['Authorization']}"]
            arguments = ["--", str(RATE)]
            beside = Target("nginx", floor.pid, floor.url + "/", choice, arguments)
            ours = Target("resolve", server.pid, server.url + RESOLVE, choice, arguments)
            rounds = {beside.name: [], ours.name: []}
            for number in range(ROUNDS + 1):
                progress(f"fields that {words}: " + (f"round {number} of {ROUNDS}" if number else "warm-up"))
                for target in (beside, ours):
                    sample = load(target, CONNECTIONS, options.seconds if number else 1)
                    if number:
                        rounds[target.name].append(sample)
            medians = {name: median(some) for name, some in rounds.items()}
            table.add(f"p99 at {RATE:,} requests/s, header fields that {words}", medians["resolve"].p99,
                      ("nginx", medians["nginx"].p99), ("<=", 3), "ms")
            for name, one in medians.items():
                # A server that does not keep the pace is measured under another load.
                if one.rate < 0.95 * RATE:
                    raise NotMeasured(f"{RATE:,} requests/s were wanted; {name} had {one.rate:,.0f}. Is the machine busy?")
