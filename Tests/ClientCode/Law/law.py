"""Any sequence of links, gates, redemptions, own operations and gestures leaves what a model of it says.

usage: law.py [--language NAME] [--sequences N] [--seed N] [--catalog FILE] [--bars] -- RUNNER …

Starts a server for each catalog, and the runner: a program that does one command a line on a navigator of the generated
runtime, and answers each with what it shows. After every command the model must say the same.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import gates
import model
import waymark
from branches import Branches
from model import Model, common
from sequences import Links, sequence
from service import Service

# The catalogs with their shares: those with gates have most to show.
CATALOGS = {
    "Examples/catalog.yaml": 6, "Tests/ClientCode/Law/over.yaml": 8, "Config/routes.yaml": 4, "Config/examples/link-domain.yaml": 2,
    "Config/examples/apps/wordpress-android.yaml": 2, "Config/examples/inventory.yaml": 1,
    "Config/examples/suinavigation.yaml": 1, "Config/examples/router.yaml": 1, "Config/examples/folders.yaml": 1,
    "Config/examples/apps/deeplinkdispatch.yaml": 1, "Config/examples/apps/element-x.yaml": 1,
}


class Runner:
    """A navigator of one language, in a process of its own."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def do(self, command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Broken(f"the runner ended with {self.process.wait()}")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)


class Broken(Exception):
    """A sequence that left something else than the model says."""


def plain(stack):
    """A stack with the parameters that it may leave out."""
    return [item | {"parameters": item.get("parameters", {})} for item in stack]


def compare(name, is_, wants):
    if is_ != wants:
        raise Broken(f"{name}\n  is   {json.dumps(is_)}\n  want {json.dumps(wants)}")


def check(reply, model, outcome):
    """Compares what a runner says after a command with the model."""
    if outcome is not None:
        compare("outcome", reply.get("outcome"), outcome)
    compare("stack", reply["stack"], model.tree.path)
    compare("state", reply["state"], model.tree.json())
    pending = {name: value for name, value in (reply.get("pending") or {}).items() if name not in ("token", "openedAt")}
    compare("pending link", pending, {name: value for name, value in (model.pending or {}).items() if name != "tap"})
    if model.pending:
        # A link keeps the time of its tap, however often it is resumed.
        moment, tap = reply["pending"].get("openedAt"), model.pending["tap"]
        compare("time of the tap", moment, model.times.setdefault(tap, moment) if tap else None)
        compare("whether there is a time", moment is not None, tap is not None)
    compare("problem", reply["problem"], model.has_problem)
    for redemption in reply.get("redemptions", []):
        transition, stack = redemption["transition"], redemption["stack"]
        kept = redemption["from"][:transition["keep"]]
        compare("transition of a redemption", kept + transition["present"], stack)
        compare("height of a redemption", transition["keep"] + transition["dismiss"], len(redemption["from"]))
        if common(kept, stack) != len(kept):
            raise Broken("a redemption keeps what its plan does not have")


def run(service, runner, links, number, seed, tally):
    """Runs one sequence; returns how many commands it had, and adds their outcomes to a tally."""
    rng = random.Random(seed * 1_000_003 + number)
    user = f"user{number}"
    model = Model(links.first, service.resolve, service.link)
    done = []
    try:
        check(runner.do({"do": "start", "server": service.server.url, "routes": links.routes, "first": links.first}),
              model, None)
        for command in sequence(rng, links, model, user):
            done.append(command)
            if command["do"] == "attain":
                service.attain(command["user"], command["what"])
                continue
            if command["do"] == "steal":
                model.is_token_good = model.is_token_good and not service.steals((reply.get("pending") or {}).get("token"))
                continue
            model.lost, waited = command.get("lose", 0), model.pending
            waits = command.get("waiting") and model.pending
            if waits:
                # All levels and grants arrive while the runner waits: its pauses end at once.
                path = model.pending["from"] if model.pending["mode"] == "append" else model.tree.path
                before = service.resolve(model.pending["link"], model.pending["mode"], model.user, model.holds, path, path)
                first = runner.do(command)
                if "paused" in first:
                    assert before["status"] == 403, before
                    service.attain_all(command["user"])
                    reply = runner.do({"do": "go"})
                    while "paused" in reply:
                        reply = runner.do({"do": "go"})
                else:
                    reply = first
                outcome = model.do({"do": "resume"})
            else:
                reply = runner.do(command)
                outcome = model.do(command)
                closed = command["do"] == "dismiss" and waited is not None and model.pending is None
                tally["gates closed"] += closed and service.gates.layers(waited["gate"])
            model.lost = 0
            check(reply, model, outcome)
            if outcome:
                tally[f"{command['do']} {outcome}" if command["do"] != "link" else "links"] += 1
            if waited and waited["reason"] == "unanswered" and command["do"] == "resume":
                tally[f"unanswered {outcome}"] += 1
            if outcome == "gated":
                tally["gates over"] += service.gates.layers(model.tree.path)
            tally["redemptions"] += len(reply["redemptions"])
    except (Broken, AssertionError) as error:
        lines = "\n".join(json.dumps(command) for command in done)
        raise Broken(f"sequence {number} of seed {seed}:\n{lines}\n{error}") from error
    return len(done)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--language", default="law")
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--catalog", action="append")
    parser.add_argument("--bars", action="store_true", help="tap the tabs that the catalog has")
    parser.add_argument("runner", nargs="+")
    arguments = parser.parse_args()
    catalogs = {catalog: 1 for catalog in arguments.catalog} if arguments.catalog else CATALOGS
    begin, commands, number = time.monotonic(), 0, 0
    tally = collections.Counter()
    branches = Branches(model, gates)
    runner = Runner(arguments.runner)
    for catalog, part in catalogs.items():
        with tempfile.TemporaryDirectory() as folder:
            with waymark.Server(os.environ["WAYMARK_BINARY"], pathlib.Path(folder) / "law.sqlite",
                                catalog=waymark.CHECKOUT / catalog) as server:
                with branches:
                    service = Service(server)
                    links = Links(service, random.Random(arguments.seed), has_bars=arguments.bars)
                for _ in range(-(-arguments.sequences * part // sum(catalogs.values()))):
                    number += 1
                    try:
                        # Watching costs time, and a part shows as much.
                        with branches if number % 4 == 1 else contextlib.nullcontext():
                            commands += run(service, runner, links, number, arguments.seed, tally)
                    except Broken as broken:
                        print(f"{arguments.language}: {catalog}: {broken}", file=sys.stderr)
                        sys.exit(1)
    runner.close()
    # A rare outcome is not proved.
    for kind in ("open shown", "open gated", "open failed", "open superseded", "resume shown", "resume gated", "redemptions",
                 "gates over", "gates closed", "show shown", "show gated", "links", "unanswered shown", "unanswered gated",
                 "unanswered failed"):
        assert number < 200 or tally[kind] * 100 >= number, tally
    print(f"{arguments.language}: {number} sequences of {commands} commands on {len(catalogs)} catalogs leave what the model says,"
          f" in {time.monotonic() - begin:.0f} s")
    print(f"{arguments.language}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(tally.items())))
    text, lacking = branches.report()
    print(f"{arguments.language}: of the model {text}", *lacking, sep="\n  ")
    # Commands on the bars of a router alone leave parts of the model to the other languages.
    assert number < 2000 or not lacking or arguments.bars, lacking


if __name__ == "__main__":
    main()
