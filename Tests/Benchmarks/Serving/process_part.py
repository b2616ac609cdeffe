"""Runs the benchmarks in process (the target Benchmarks) and reads what they print."""

import pathlib
import subprocess

from faults import NotMeasured
from waymark import CHECKOUT

# Nanoseconds at most.
LIMITS = {"parse": 100, "resolve-json": 1500, "match-10": 100, "match-1000": 100, "match-100000": 100}
# The program that does the same with Foundation.
BESIDE = {"parse": "foundation-url", "resolve-json": "foundation-resolve-json"}
# A catalog with a group beside the same with each edge by hand: at most a tenth more.
GROUPS = {"groups-load": "edges-load", "groups-match": "edges-match"}


def build():
    """Builds the target beside the server's modules, which it measures as they are served; returns its program."""
    for more in (["--product", "Benchmarks"], ["--show-bin-path"]):
        done = subprocess.run(["swift", "build", "-c", "release", *more], capture_output=True, text=True, cwd=CHECKOUT)
        if done.returncode != 0:
            raise NotMeasured(f"Tests/Benchmarks does not build: {(done.stdout + done.stderr)[-2000:]}")
    return pathlib.Path(done.stdout.strip()) / "Benchmarks"


def run(program, *names):
    """Runs the benchmarks that are named, or all; returns their numbers by name: median, quartiles, allocations."""
    done = subprocess.run([program, *names], capture_output=True, text=True, cwd=CHECKOUT)
    if done.returncode != 0:
        raise NotMeasured(f"Tests/Benchmarks ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
    rows = {}
    for line in done.stdout.splitlines():
        if line.count("\t") == 4:
            name, *numbers = line.split("\t")
            try:
                rows[name] = [float(number) for number in numbers]
            except ValueError:
                continue  # A heading.
    return rows


def measure(options, folder, table, progress):
    """Adds the rows of parse, match and resolve."""
    progress("building and running Tests/Benchmarks")
    rows = run(build())
    if missing := sorted((LIMITS.keys() | GROUPS.keys() | set(BESIDE.values()) | set(GROUPS.values())) - rows.keys()):
        raise NotMeasured(f"Tests/Benchmarks did not print {', '.join(missing)}")
    for name, (nanoseconds, _, _, allocations) in rows.items():
        if name in BESIDE.values() or name in GROUPS.values():
            continue
        if name in GROUPS:
            table.add(f"in process: {name}", nanoseconds, ("edges by hand", rows[GROUPS[name]][0]), ("<=", 1.1), "ns")
            continue
        beside = ("Foundation", rows[BESIDE[name]][0]) if name in BESIDE else None
        limit = ("<=", LIMITS[name]) if name in LIMITS else None
        table.add(f"in process: {name}", nanoseconds, beside, limit, "ns", of_ratio=False)
        if name == "parse" or name.startswith("match-"):
            table.add(f"in process: {name}: allocations", allocations, target=("<=", 0))
    times = {name: row[0] for name, row in rows.items() if name.startswith("match-")}
    slowest, fastest = max(times, key=times.get), min(times, key=times.get)
    table.add(f"in process: {slowest}, the slowest match", times[slowest], (fastest, times[fastest]), ("<=", 1.3), "ns")
