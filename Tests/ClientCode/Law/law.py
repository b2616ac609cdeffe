"""Any sequence of links, gates, redemptions, own operations and gestures leaves what a model of it says.

usage: law.py [--language NAME] [--sequences N] [--seed N] [--catalog FILE] -- RUNNER …

Starts a server for each catalog, and the runner: a program that does one command a line on a navigator of the generated
runtime, and answers each with what it shows. After every command the model must say the same.
"""

import argparse
import collections
import http.client
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import waymark
from model import Model, common
from sequences import Links, sequence

# The catalogs with their shares: those with gates have most to show.
CATALOGS = {
    "Examples/catalog.yaml": 6, "Config/routes.yaml": 6, "Config/examples/link-domain.yaml": 2,
    "Config/examples/apps/wordpress-android.yaml": 2, "Config/examples/inventory.yaml": 1,
    "Config/examples/suinavigation.yaml": 1, "Config/examples/router.yaml": 1, "Config/examples/folders.yaml": 1,
    "Config/examples/apps/deeplinkdispatch.yaml": 1, "Config/examples/apps/element-x.yaml": 1,
}


class Service:
    """The server as the model asks it."""

    def __init__(self, server):
        self.server = server
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)

    def send(self, method, target, body=None):
        self.connection.request(method, target, None if body is None else json.dumps(body),
                                {"Content-Type": "application/json"})
        response = self.connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text else None

    def resolve(self, link, mode, user, stack):
        """What a navigator that resolves a link must show: the plan's stack, or the gate's."""
        named = {"user": user} if user else {}
        status, answer = self.send("POST", "/v1/resolve", {"link": link, "mode": mode, "from": stack} | named)
        if status == 200:
            transition = answer["transition"]
            assert stack[:transition["keep"]] + transition["present"] == answer["stack"], (stack, answer)
            assert transition["keep"] + transition["dismiss"] == len(stack), (stack, answer)
        found = answer if status == 200 else answer.get("gate", {})
        return {"status": status} | ({"stack": found["stack"]} if "stack" in found else {})

    def set_level(self, user, level):
        status, _ = self.send("POST", f"/v1/users/{user}", {"authorizationLevel": level})
        assert status in (200, 201), status


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
    pending = {name: value for name, value in (reply.get("pending") or {}).items() if name != "token"}
    compare("pending link", pending, model.pending or {})
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
    model = Model(links.first, None, service.resolve)
    done = []
    try:
        check(runner.do({"do": "start", "server": service.server.url, "routes": links.routes, "first": links.first}),
              model, None)
        for command in sequence(rng, links, model, user):
            done.append(command)
            if command["do"] == "level":
                service.set_level(command["user"], command["level"])
                continue
            if command["do"] == "steal":
                steal(service, reply)
                continue
            model.lost = command.get("lose", 0)
            waits = command.get("waiting") and model.pending
            if waits:
                # The level arrives while the runner waits: its pauses end at once.
                before = service.resolve(model.pending["link"], model.pending["mode"], model.user,
                                         model.pending["from"] if model.pending["mode"] == "append" else model.tree.path)
                first = runner.do(command)
                if "paused" in first:
                    assert before["status"] == 403, before
                    service.set_level(command["user"], command["level"])
                    if command.get("meanwhile"):
                        raise AssertionError("not both")
                    reply = runner.do({"do": "go"})
                    while "paused" in reply:
                        reply = runner.do({"do": "go"})
                else:
                    reply = first
                outcome = model.do({"do": "resume"})
            else:
                reply = runner.do(command)
                outcome = model.do(command)
            model.lost = 0
            check(reply, model, outcome)
            if outcome:
                tally[f"{command['do']} {outcome}"] += 1
            tally["redemptions"] += len(reply["redemptions"])
    except (Broken, AssertionError) as error:
        lines = "\n".join(json.dumps(command) for command in done)
        raise Broken(f"sequence {number} of seed {seed}:\n{lines}\n{error}") from error
    return len(done)


def steal(service, reply):
    """Redeems the token of the pending link for somebody else, who has every level."""
    token = (reply.get("pending") or {}).get("token")
    if token:
        service.send("POST", "/v1/continuations", {"token": token, "user": "thief"})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--language", default="law")
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--catalog", action="append")
    parser.add_argument("runner", nargs="+")
    arguments = parser.parse_args()
    catalogs = {catalog: 1 for catalog in arguments.catalog} if arguments.catalog else CATALOGS
    begin, commands, number = time.monotonic(), 0, 0
    tally = collections.Counter()
    runner = Runner(arguments.runner)
    for catalog, part in catalogs.items():
        with tempfile.TemporaryDirectory() as folder:
            with waymark.Server(os.environ["WAYMARK_BINARY"], pathlib.Path(folder) / "law.sqlite",
                                catalog=waymark.CHECKOUT / catalog) as server:
                service = Service(server)
                links = Links(service, random.Random(arguments.seed))
                service.set_level("thief", links.levels[-1])
                for _ in range(-(-arguments.sequences * part // sum(catalogs.values()))):
                    number += 1
                    try:
                        commands += run(service, runner, links, number, arguments.seed, tally)
                    except Broken as broken:
                        print(f"{arguments.language}: {catalog}: {broken}", file=sys.stderr)
                        sys.exit(1)
    runner.close()
    # A rare outcome is not proved.
    for kind in ("open shown", "open gated", "open failed", "open superseded", "resume shown", "resume gated", "redemptions"):
        assert number < 200 or tally[kind] * 100 >= number, tally
    print(f"{arguments.language}: {number} sequences of {commands} commands on {len(catalogs)} catalogs leave what the model says,"
          f" in {time.monotonic() - begin:.0f} s")
    print(f"{arguments.language}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(tally.items())))


if __name__ == "__main__":
    main()
