"""Drives the server with mixed load for minutes and compares every answer with the right one; see scripts/soak."""

import argparse
import collections
import json
import multiprocessing
import pathlib
import queue
import subprocess
import sys
import tempfile
import time

import catalogs
import continuations
from client_process import Run, run_workers
from connection import Connection
from engine import LEVELS, Engine
from expectations import Expectations
from final_check import read_back
from memory import MemoryWatch
from questions import Maker, Question
from server import Server
from timeline import Timeline

PROCESSES = 4

# How many findings are printed in full.
SHOWN_FINDINGS = 8


class Progress:
    """Tells how far things are: on a terminal in one line, elsewhere now and then."""

    def __init__(self):
        self._is_terminal = sys.stderr.isatty()
        self._last = 0

    def __call__(self, what, done, total, rest=""):
        is_end = done >= total
        if not is_end and time.monotonic() - self._last < (0.2 if self._is_terminal else 30):
            return
        self._last = time.monotonic()
        text = f"soak: {what}: {done:,.0f} of {total:,.0f}{rest}"
        if self._is_terminal:
            print(f"\r\033[K{text}", end="\n" if is_end else "", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)


class Findings:
    """Collects what is wrong, whoever finds it."""

    def __init__(self):
        self.all = []
        self.queue = multiprocessing.Queue()

    def add(self, kind, text):
        """Takes a finding, and shows the first few at once."""
        self.all.append((kind, text))
        if len(self.all) <= SHOWN_FINDINGS:
            print(f"\nsoak: FINDING {len(self.all)}, {kind}:\n{text}", file=sys.stderr, flush=True)

    def drain(self):
        """Takes what the clients' processes found meanwhile."""
        while True:
            try:
                self.add(*self.queue.get_nowait())
            except queue.Empty:
                return


def arguments():
    """Reads the options, which scripts/soak documents."""
    parser = argparse.ArgumentParser(prog="scripts/soak", allow_abbrev=False)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--links", type=int, default=None)
    parser.add_argument("--binary", required=True)
    options = parser.parse_args()
    if not 0.1 <= options.minutes <= 1440 or not 1 <= options.connections <= 999:
        parser.error("--minutes is 0.1 to 1440, and --connections 1 to 999")
    if options.links is None:
        options.links = 200 if options.minutes < 2 else 600
    if not 50 <= options.links <= 5000:
        parser.error("--links is 50 to 5000")
    return options


def expect(options, folder, progress):
    """Makes catalogs and questions, and has the engine answer them."""
    made = catalogs.make(folder, options.binary)
    engine = Engine(options.binary, folder, progress)
    maker = Maker()
    # Of the first links the whole bodies are known; of ten times as many more, where they lead.
    links = maker.links(options.links)
    seen = set(links)
    while len(links) < options.links * 10:
        if (link := maker.link()) not in seen:
            seen.add(link)
            links.append(link)
    questions = [Question(place, {"link": link}) for place, link in enumerate(links)]
    outlines = engine.outlines(links, made)
    answers = engine.answers("answers of the engine to links", questions[:options.links], outlines, made)
    stacks = stacks_of(answers, options.links // 10)
    leading = [question.link for question in questions[:options.links]
               if any(answers.get((question.index, place, 3), b"").startswith(b'{"link"') for place in range(3))]
    asked = [Question(len(questions) + place, maker.question(leading, [stack["stack"] for stack in stacks]))
             for place in range(options.links // 5)]
    answers |= engine.answers("answers of the engine to other questions", asked, outlines, made)
    return Expectations(made, questions + asked, outlines, answers, stacks, engine.stack_links(stacks, made))


def stacks_of(answers, count):
    """Distinct stacks of plans, evenly picked, every third with a scheme for its link."""
    found = {}
    for body in answers.values():
        if body.startswith(b'{"link":'):
            stack = json.loads(body)["stack"]
            found[repr(stack)] = stack
    stacks = list(found.values())
    return [{"stack": stack} | ({"scheme": "https"} if place % 3 == 0 else {})
            for place, stack in enumerate(stacks[:: max(1, len(stacks) // count)])]


def make_tokens(binary, folder):
    """Makes a token of each role, and one that is revoked; returns them and who the admin is in histories."""
    def token(*words):
        run = subprocess.run([binary, "token", *words, "--database", folder / "waymark.sqlite"], check=True,
                             capture_output=True, text=True)
        return run.stdout.strip()

    tokens = {name: token("create", "--role", role)
              for name, role in [("admin", "admin"), ("resolver", "resolver"), ("revoked", "admin")]}
    token("revoke", tokens["revoked"].split("_")[1])
    return tokens, "token " + tokens["admin"].split("_")[1]


def make_fixed_users(port, token):
    """Gives a user of each level but the lowest, which nobody changes during the run."""
    connection = Connection(port)
    for level in LEVELS[1:]:
        answer = connection.ask("POST", f"/v1/users/fixed-{level}", [
            ("Authorization", f"Bearer {token}"), ("Content-Type", "application/json")],
            f'{{"authorizationLevel":"{level}"}}'.encode())
        assert answer.status == 201, answer.body
    connection.close()


def main():
    options = arguments()
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
    lifetime = ["--continuation-lifetime", str(continuations.LIFETIME)]
    server = Server(options.binary, folder, live, "server", lifetime)
    try:
        make_fixed_users(server.port, tokens["admin"])
        timeline = Timeline(0)
        run = Run(server.port, tokens, author, expectations, timeline, multiprocessing.Event(),
                  multiprocessing.RawArray("q", options.connections))
        outcomes = multiprocessing.Queue()
        numbers = [range(options.connections)[place::PROCESSES] for place in range(PROCESSES)]
        processes = [multiprocessing.Process(target=run_workers, args=(some, run, findings.queue, outcomes), daemon=True)
                     for some in numbers if some]
        for process in processes:
            process.start()
        watch = MemoryWatch(server, min(60, duration / 5))
        watch.start()
        swapper = catalogs.Swapper(expectations.catalogs, live, server, timeline, min(4, duration / 12), findings.add)
        swapper.start()
        begin = time.monotonic()
        while (passed := time.monotonic() - begin) < duration and server.is_running:
            time.sleep(min(1, duration - passed))
            findings.drain()
            progress("seconds", min(passed, duration - 1), duration, f", {sum(run.progress):,} requests")
        progress("seconds", duration, duration, f", {sum(run.progress):,} requests")
        swapper.stop()
        watch.stop()
        run.ending.set()
        passed = time.monotonic() - begin
        results = collect(processes, outcomes, options.connections, findings)
        if not server.is_running:
            findings.add("server", f"it ended by itself:\n{server.log.read_text()[-4000:]}")
            return
        processor = server.processor_time()
        totals = [look_back(server, tokens, results, author, findings, "read back")]
        server = Server(options.binary, folder, live, "restarted", lifetime)
        totals.append(look_back(server, tokens, results, author, findings, "read back after a restart"))
        findings.drain()
        report(options, passed, processor, results, swapper, watch, totals, findings)
    finally:
        if server.is_running:
            server.kill()


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
        findings.add("server", f"it ended with {code} when it was asked to stop:\n{server.log.read_text()[-4000:]}")
    for line in server.faults()[:5]:
        findings.add("log", line)
    return (*totals, server.refusals())


def report(options, passed, processor, results, swapper, watch, totals, findings):
    """Prints what happened."""
    counts, statuses = collections.Counter(), collections.Counter()
    for result in results:
        counts += result.counts
        statuses += result.statuses
    requests = sum(statuses.values())
    print(f"\n{options.connections} connections for {passed:.0f} s: {requests:,} requests, {requests / passed:,.0f} a second, "
          f"{processor / max(requests, 1) * 1e6:,.0f} us of the server's processor time each")
    for kind, count in sorted(counts.items()):
        print(f"    {count:9,} {kind}")
    print("statuses: " + ", ".join(f"{status}: {count:,}" for status, count in sorted(statuses.items())))
    print("catalogs: " + ", ".join(f"{count:,} {kind}" for kind, count in sorted(swapper.counts.items()))
          + f"; {totals[0][2]} refusals in the log")
    print(f"connections closed as announced: {sum(result.announced_closes for result in results)}")
    for (users, changes, _), when in zip(totals, ["at the end", "after a restart"]):
        print(f"{when}: {users:,} users and {changes:,} changes read back")
    lines, fault = watch.judge()
    print("\n".join(lines))
    if fault:
        findings.add("memory", fault)
    if not swapper.counts["swapped by a changed file"] + swapper.counts["swapped by SIGHUP"]:
        findings.add("reload", "the catalog was never swapped; run for longer")
    print(f"findings: {len(findings.all)} told, {sum(result.findings for result in results)} by clients in all")


if __name__ == "__main__":
    main()
