"""Loads servers in turn with wrk, and takes medians over the rounds."""

import dataclasses
import re
import statistics
import subprocess
import sys

from faults import NotMeasured
from waymark import cpu_seconds

UNITS = {"us": 0.001, "ms": 1, "s": 1000}


@dataclasses.dataclass
class Target:
    """Is a URL of a server that is loaded. `options` and `arguments` are wrk's before and after the URL."""

    name: str
    pid: int
    url: str
    options: list = dataclasses.field(default_factory=list)
    arguments: list = dataclasses.field(default_factory=list)
    # Whether all of its answers are refusals, as they should be.
    refuses: bool = False


@dataclasses.dataclass
class Sample:
    """Is what one round saw, or the median of several: requests a second, CPU-µs per request, times in milliseconds."""

    rate: float
    cost: float
    p50: float
    p99: float


def load(target, connections, seconds):
    """Loads a server for some seconds. The CPU time is that of the server's processes alone, user and system: it does
    not depend on how much of the machine wrk got."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", *target.options, target.url]
    before = cpu_seconds(target.pid)
    run = subprocess.run(command + target.arguments, capture_output=True, text=True)
    after = cpu_seconds(target.pid)
    requests = re.search(r"(\d+) requests in", run.stdout)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", run.stdout)
    times = [re.search(rf"{share}%\s+([\d.]+)(us|ms|s)", run.stdout) for share in (50, 99)]
    if not (requests and rate and all(times)) or requests[1] == "0":
        raise NotMeasured(f"wrk got no answers from {target.name}: {run.stdout[-500:]}{run.stderr[-500:]}")
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", run.stdout)
    if target.refuses and (bad is None or bad[1] != requests[1]):
        raise NotMeasured(f"{target.name} granted what it should refuse: {target.url}")
    if bad and not target.refuses:
        raise NotMeasured(f"{bad[1]} answers of {target.name} to {target.url} were not 2xx")
    if errors := re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", run.stdout):
        if any(int(count) for count in errors.groups()[:3]):
            raise NotMeasured(f"connections to {target.name} failed: {errors[0]}")
        # Slow answers are part of what was measured: a round without them would flatter.
        print(f"bench: {errors[4]} answers of {target.name} took more than 2 s; is the machine busy?", file=sys.stderr)
    p50, p99 = (float(one[1]) * UNITS[one[2]] for one in times)
    return Sample(float(rate[1]), (after - before) * 1e6 / int(requests[1]), p50, p99)


def median(samples):
    """Takes the median of each column."""
    return Sample(*(statistics.median(column) for column in zip(*map(dataclasses.astuple, samples))))


def compare(targets, options, progress, connections=32):
    """Loads all targets in each round, so that whatever else the machine does concerns all of them; returns medians by
    name. A first, short round is not counted."""
    samples = {target.name: [] for target in targets}
    for number in range(options.rounds + 1):
        progress(f"round {number} of {options.rounds}, {len(targets)} targets" if number else "warm-up")
        for target in targets:
            sample = load(target, connections, options.seconds if number else 1)
            if number:
                samples[target.name].append(sample)
    return {name: median(some) for name, some in samples.items()}
