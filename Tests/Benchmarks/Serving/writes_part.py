"""Measures what writes do to reads, and what it gains that concurrent writes share a commit."""

import re
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from faults import NotMeasured
from http_part import fill
from loading import Target, load, median
from targets import HERE, RESOLVE
from waymark import CHECKOUT, Server, environment

RATE, WRITERS, WRITTEN, READERS = 1000, 16, 1000, 16
# Resolves a second, where they are paced: some way below what the machine can do beside the writes.
READ_RATE = 10_000
ROUNDS, SECONDS = 5, 3


def measure(options, folder, table, progress):
    """Adds the rows of the write path."""
    database = folder / "writes.sqlite"
    fill(options, database)
    alone, beside, costs, writes = {}, {}, [], []
    with Server(options.binary, database) as server, ThreadPoolExecutor() as pool:
        script = ["-s", str(HERE / "paced.lua")]
        url = server.url + RESOLVE
        readers = {
            f"{READ_RATE:,} resolves/s": Target("resolve", server.pid, url, script, ["--", str(READ_RATE)]),
            "resolves as fast as they go": Target("resolve", server.pid, url),
        }
        writer = Target("writes", server.pid, server.url, script, ["--", str(RATE), str(WRITTEN)])
        for target in [*readers.values(), writer]:
            load(target, READERS, 1)
        # A p99 of fewer or shorter rounds says little, so --quick shortens none. The conditions alternate.
        for number in range(ROUNDS):
            progress(f"resolves without and with {RATE:,} writes/s: round {number + 1} of {ROUNDS}")
            costs.append(load(writer, WRITERS, SECONDS).cost)
            for name, reader in readers.items():
                alone.setdefault(name, []).append(load(reader, READERS, SECONDS))
                # The writes begin before the resolves, and end after them.
                writing = pool.submit(load, writer, WRITERS, SECONDS + 1)
                time.sleep(0.5)
                beside.setdefault(name, []).append(load(reader, READERS, SECONDS))
                writes.append(writing.result())
    made = median(writes)
    for name in readers:
        quiet, busy = median(alone[name]), median(beside[name])
        what = f"of {name} beside {made.rate:,.0f} writes/s"
        # Resolves without a pause leave no processor for anything else: their p99 is that of the scheduler.
        table.add(f"p99 {what}", busy.p99, ("without writes", quiet.p99), ("<=", 2) if "/s" in name else None, "ms")
        table.add(f"p50 {what}", busy.p50, ("without writes", quiet.p50), unit="ms")
    table.add("p99 of these writes", made.p99, unit="ms")
    table.add("CPU per write, without resolves", statistics.median(costs), unit="µs")
    group_commit(options, table, progress)
    if made.rate < 0.95 * RATE:
        raise NotMeasured(f"{RATE:,} writes/s were wanted, and {made.rate:,.0f} reached; is the machine busy?")


def group_commit(options, table, progress):
    """Adds what scripts/prove durability finds: writes a second of 64 connections, beside those of one."""
    progress("group commit (scripts/prove durability throughput)")
    script = CHECKOUT / "Tests/Durability/durability.py"
    quick = ["--quick"] if options.is_quick else []
    run = subprocess.run([sys.executable, "-B", script, "--binary", options.binary, *quick, "throughput"],
                         capture_output=True, text=True, cwd=CHECKOUT, env=environment())
    found = re.findall(r"\(f\) ([^,]+), medians .*?one commit per write (\d+) writes/s; 64 connections (\d+) writes/s",
                       run.stdout)
    if not found:
        said = (run.stdout + run.stderr)[-1000:]
        raise NotMeasured(f"scripts/prove durability throughput ended with {run.returncode}: {said}")
    best = max(found, key=lambda one: int(one[2]) / int(one[1]))
    for one in found:
        name, single, many = one
        # A sync of a fast disk is cheaper than the rest of a write: there the processor is the limit.
        target = (">=", 20) if one is best else None
        table.add(f"writes/s of 64 connections, {name}", int(many), ("of one", int(single)), target)
