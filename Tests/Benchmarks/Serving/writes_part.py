"""Measures what writes do to reads, and what it gains that concurrent writes share a commit."""

import re
import statistics
import subprocess
import sys

from faults import NotMeasured
from http_part import fill
from loading import Target, load, median
from server import Server, environment
from targets import CHECKOUT, HERE, RESOLVE

RATE, WRITERS, READERS = 1000, 16, 16


def measure(options, folder, table, progress):
    """Adds the rows of the write path."""
    database = folder / "writes.sqlite"
    fill(options, database)
    alone, beside, rates = [], [], []
    with Server(options, database) as server:
        target = Target("resolve", server.pid, server.url + RESOLVE)
        load(target, READERS, 1)
        for number in range(options.rounds):
            progress(f"resolves without and with {RATE:,} writes/s: round {number + 1} of {options.rounds}")
            alone.append(load(target, READERS, options.seconds))
            writer = subprocess.Popen(
                [sys.executable, "-B", HERE / "writer.py", str(server.port), str(RATE), str(WRITERS)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                beside.append(load(target, READERS, options.seconds))
                said, fault = writer.communicate("", timeout=10)
            finally:
                writer.kill()
                writer.wait()
            if writer.returncode != 0:
                raise NotMeasured(f"the writer ended: {fault.strip()[-500:]}")
            rates.append(float(said))
    quiet, busy = median(alone), median(beside)
    reached = statistics.median(rates)
    table.add(f"p99 of a resolve beside {reached:,.0f} writes/s, {READERS} connections", busy.p99,
              ("without writes", quiet.p99), ("<=", 2), "ms")
    group_commit(options, table, progress)
    if reached < 0.95 * RATE:
        raise NotMeasured(f"{RATE:,} writes/s were wanted, and {reached:,.0f} reached; is the machine busy?")


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
