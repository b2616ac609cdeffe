"""Drives the server with mixed load for minutes and compares every answer with the right one."""

import argparse
import multiprocessing
import pathlib
import queue
import sys
import tempfile
import time

import continuations
import log
from catalogs import Swapper
from client_process import Run, run_workers
from final_check import read_back
from findings import Findings
from memory import MemoryWatch
from preparation import expect, make_fixed_users, make_tokens
from progress import Progress
from report import report
from timeline import Timeline
from waymark import DidNotStart, Server, cpu_seconds, unwind_when_terminated

# The number of processes that the clients share.
PROCESSES = 4


HELP = """Drives the release server with mixed load for minutes and compares every answer with the engine's.

Starts the server on a free port with a new database, credentials and three catalogs that are swapped as it runs, by
a changed file and by SIGHUP, broken ones among them. Clients resolve, write, list and redeem over connections that stay
open, and compare every answer: links with what the offline commands say before, users with a model of their own. At
the end, and again after a restart, every user and every change is read back.

Prints requests by kind and status, reloads, and the server's memory: after a warm-up, at the end, its maximum and slope.
Exits with 1 on anything wrong: an answer, a 5xx, a connection that ends unannounced, an error in the log, a write that is
lost, or memory that grows by more than 10 % and 5 MiB from the second quarter of the run to its end.
"""


def refuse(message):
    """Ends with the code of a wrong command line (sysexits.h, EX_USAGE)."""
    print(f"soak: {message}", file=sys.stderr)
    raise SystemExit(64)


def arguments():
    """Reads the options."""
    parser = argparse.ArgumentParser(
        prog="scripts/prove soak", allow_abbrev=False, description=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = refuse
    parser.add_argument("--minutes", type=float, default=10, help="how long, 0.1 to 1440; 0.5 is a quick look")
    parser.add_argument("--connections", type=int, default=16, help="how many clients there are, 1 to 999")
    parser.add_argument("--links", type=int, default=None, help=(
        "of how many links the whole answers are known, 50 to 5000; by default 600, below 2 minutes 200"))
    parser.add_argument("--binary", required=True)
    options = parser.parse_args()
    if not 0.1 <= options.minutes <= 1440 or not 1 <= options.connections <= 999:
        parser.error("--minutes is 0.1 to 1440, and --connections 1 to 999")
    if options.links is None:
        options.links = 200 if options.minutes < 2 else 600
    if not 50 <= options.links <= 5000:
        parser.error("--links is 50 to 5000")
    return options


def main():
    """Prepares a run, runs it, and exits with 1 where anything is wrong."""
    options = arguments()
    unwind_when_terminated()
    progress, findings = Progress(), Findings()
    with tempfile.TemporaryDirectory(prefix="waymark-soak-") as name:
        folder = pathlib.Path(name)
        began = time.monotonic()
        expectations = expect(options, folder, progress)
        whole, outlines, questions = expectations.counts()
        print(f"soak: {questions:,} questions in {len(expectations.catalogs)} catalogs for 4 levels: {whole:,} answers "
              f"known byte by byte, {outlines:,} by code and words or by routes ({time.monotonic() - began:.0f} s)")
        soak(options, folder, expectations, progress, findings)
    if findings.all:
        raise SystemExit(f"soak: {len(findings.all)} findings or more")
    print("soak: nothing found")


def soak(options, folder, expectations, progress, findings):
    """Runs server, load and swaps for the time that is asked for; then looks back and reports."""
    duration = options.minutes * 60
    tokens, author = make_tokens(options.binary, folder)
    live = folder / "live.yaml"
    live.write_bytes(expectations.catalogs[0].file.read_bytes())
    server = start(options, folder, live, "server")
    try:
        make_fixed_users(server.port, tokens["admin"])
        timeline = Timeline(0)
        run = Run(server.port, tokens, author, expectations, timeline, multiprocessing.Event(),
                  multiprocessing.RawArray("q", options.connections))
        outcomes = multiprocessing.Queue()
        numbers = [range(options.connections)[place::PROCESSES] for place in range(PROCESSES)]
        processes = [multiprocessing.Process(target=run_workers, args=(some, run, findings.queue, outcomes),
                                             daemon=True) for some in numbers if some]
        for process in processes:
            process.start()
        watch = MemoryWatch(server, min(60, duration / 5))
        watch.start()
        swapper = Swapper(expectations.catalogs, live, server, timeline, min(4, duration / 12), findings.add)
        swapper.start()
        begin = time.monotonic()
        while (passed := time.monotonic() - begin) < duration and server.is_running:
            time.sleep(min(1, duration - passed))
            findings.drain()
            progress("seconds", min(passed, duration - 1), duration, f", {sum(run.progress):,} requests")
        passed = time.monotonic() - begin
        progress("seconds", passed, passed, f", {sum(run.progress):,} requests")
        swapper.stop()
        watch.stop()
        run.ending.set()
        passed = time.monotonic() - begin
        results = collect(processes, outcomes, options.connections, findings)
        if not server.is_running:
            findings.add("server", f"it ended by itself, its log with:\n{server.said()[-4000:]}")
            return
        processor = cpu_seconds(server.pid)
        totals = [look_back(server, tokens, results, author, findings, "read back")]
        server = start(options, folder, live, "restarted")
        totals.append(look_back(server, tokens, results, author, findings, "read back after a restart"))
        findings.drain()
        report(options, passed, processor, results, swapper, watch, totals, findings)
    finally:
        if server.is_running:
            server.kill()


def start(options, folder, catalog, name):
    """Starts the server on the database of the run."""
    # Whole histories are compared with what was acknowledged.
    arguments = ["--maximum-history-count", "1000000", "--continuation-lifetime", str(continuations.LIFETIME)]
    try:
        # All callers have one address here, and those without a good token are to be told so each time.
        return Server(options.binary, folder / "waymark.sqlite", catalog=catalog,
                      arguments=[*arguments, "--limit-per-caller", "0"], log=folder / f"{name}.log")
    except DidNotStart as fault:
        raise SystemExit(f"soak: {fault}")


def collect(processes, outcomes, count, findings):
    """Waits for what the clients know."""
    results, end = [], time.monotonic() + 120
    while len(results) < count and time.monotonic() < end:
        findings.drain()
        try:
            results.append(outcomes.get(timeout=1))
        except queue.Empty:
            continue
    if len(results) < count:
        findings.add("clients", f"{count - len(results)} clients did not end: their last requests are not answered")
    for process in processes:
        process.join(5)
    findings.drain()
    return results


def look_back(server, tokens, results, author, findings, when):
    """Reads everything back, stops the server and looks at its log."""
    totals = read_back(server.port, tokens["admin"], results, author, findings.add, when)
    code = server.stop()
    if code != 0:
        findings.add("server", f"it ended with {code} when it was asked to stop:\n{server.said()[-4000:]}")
    for line in log.faults(server.said())[:5]:
        findings.add("log", line)
    return (*totals, log.refusals(server.said()))


if __name__ == "__main__":
    main()
