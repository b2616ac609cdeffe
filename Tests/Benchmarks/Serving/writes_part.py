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
from server import Server, environment
from targets import CHECKOUT, HERE, RESOLVE

RATE, WRITERS, WRITTEN, READERS = 1000, 16, 1000, 16
ROUNDS, SECONDS = 5, 3


def measure(options, folder, table, progress):
    """Adds the rows of the write path."""
    database = folder / "writes.sqlite"
    fill(options, database)
    alone, beside, writes, costs = [], [], [], []
    with Server(options, database) as server, ThreadPoolExecutor() as pool:
        reader = Target("resolve", server.pid, server.url + RESOLVE)
        writer = Target("writes", server.pid, server.url, ["-s", str(HERE / "writes.lua")],
                        ["--", str(RATE), str(WRITTEN)])
        load(reader, READERS, 1)
        load(writer, WRITERS, 1)
        # A p99 of fewer or shorter rounds says little, so --quick shortens none. The conditions alternate.
        for number in range(ROUNDS):
            progress(f"resolves without and with {RATE:,} writes/s: round {number + 1} of {ROUNDS}")
            alone.append(load(reader, READERS, SECONDS))
            costs.append(load(writer, WRITERS, SECONDS).cost)
            # The writes begin before the resolves, and end after them.
            writing = pool.submit(load, writer, WRITERS, SECONDS + 1)
            time.sleep(0.5)
            beside.append(load(reader, READERS, SECONDS))
            writes.append(writing.result())
    quiet, busy, made = median(alone), median(beside), median(writes)
    what = f"of a resolve beside {made.rate:,.0f} writes/s, {READERS} connections"
    table.add(f"p99 {what}", busy.p99, ("without writes", quiet.p99), ("<=", 2), "ms")
    table.add(f"p50 {what}", busy.p50, ("without writes", quiet.p50), unit="ms")
    table.add("p99 of these writes", made.p99, unit="ms")
    table.add("CPU per write, without resolves", statistics.median(costs), unit="µs")
    group_commit(options, table, progress)
    if made.rate < 0.95 * RATE:
        raise NotMeasured(f"{RATE:,} writes/s were wanted, and {made.rate:,.0f} reached; is the machine busy?")


def group_commit(options, table, progress):
    """Adds what scripts/durability finds: writes a second of 64 connections, beside those of one."""
    progress("group commit (scripts/durability throughput)")
    script = CHECKOUT / "Tests/Durability/durability.py"
    quick = ["--quick"] if options.is_quick else []
    run = subprocess.run([sys.executable, "-B", script, "--binary", options.binary, *quick, "throughput"],
                         capture_output=True, text=True, cwd=CHECKOUT, env=environment())
    found = re.findall(r"\(f\) ([^,]+), medians .*?one commit per write (\d+) writes/s; 64 connections (\d+) writes/s",
                       run.stdout)
    if not found:
        said = (run.stdout + run.stderr)[-1000:]
        raise NotMeasured(f"scripts/durability throughput ended with {run.returncode}: {said}")
    best = max(found, key=lambda one: int(one[2]) / int(one[1]))
    for one in found:
        name, single, many = one
        # A sync of a fast disk is cheaper than the rest of a write: there the processor is the limit.
        target = (">=", 20) if one is best else None
        table.add(f"writes/s of 64 connections, {name}", int(many), ("of one", int(single)), target)
