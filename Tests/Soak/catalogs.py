"""Makes the catalogs of a run, and swaps them while the server answers."""

import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import threading
import time

from connection import Connection, Dropped

# The file is looked at every second, and read once it has been left alone for one; the machine may be busy.
PATIENCE = 30

# The changes that turn the sample app's catalog into a neighbour: the same links, other presentations and levels.
CHANGES = [
    ("characterSheet: sheet }", "characterSheet: popover }"),
    ("opens: { step1: push, step2: push }", "opens: { step1: fullScreenCover, step2: push }"),
    ("parameters: { id: int }\n    authorizationLevel: signedInUser\n    opens: { episode: push }",
     "parameters: { id: { type: int, max: 500 } }\n    authorizationLevel: premiumUser\n    opens: { episode: sheet }"),
]

Catalog = collections.namedtuple("Catalog", "name file version body")


def make(folder, binary):
    """Writes the catalogs into a folder and has each proved; returns them with their versions."""
    sample = pathlib.Path("Config/routes.yaml").read_text()
    neighbour = sample
    for old, new in CHANGES:
        assert old in neighbour, f"Config/routes.yaml has no longer: {old}"
        neighbour = neighbour.replace(old, new)
    texts = {"sample": sample, "neighbour": neighbour, "shop": pathlib.Path("Tests/Soak/shop.yaml").read_text()}
    found = []
    for name, text in texts.items():
        file = folder / f"{name}.yaml"
        file.write_text(text)
        subprocess.run([binary, "catalog", "check", file], check=True, stdout=subprocess.DEVNULL)
        body = subprocess.run([binary, "catalog", "show", file, "--format", "json"], check=True, capture_output=True)
        found.append(Catalog(name, file, json.loads(body.stdout)["catalogVersion"], body.stdout.strip()))
    return found


class Swapper(threading.Thread):
    """Puts one catalog after the other in force, by a changed file or by SIGHUP, now and then a broken one."""

    def __init__(self, catalogs, live_file, server, timeline, interval, report):
        super().__init__(daemon=True)
        self._catalogs, self._file, self._server = catalogs, live_file, server
        self._timeline, self._interval, self._report = timeline, interval, report
        self._connection = Connection(server.port)
        self._random = random.Random(2)
        self._ending = threading.Event()
        self._current = 0
        self.counts = collections.Counter()

    def stop(self):
        """Has the swap that is under way finished."""
        self._ending.set()
        self.join()

    def run(self):
        try:
            while not self._ending.wait(self._interval * self._random.uniform(0.5, 1.5)):
                act = self._random.random()
                if act < 0.2:
                    self._refuse()
                elif act < 0.3:
                    self._signal_alone()
                else:
                    self._swap()
        except Dropped as error:
            self._report("reload", f"/readyz: {error}")

    def _swap(self):
        others = [place for place in range(len(self._catalogs)) if place != self._current]
        self._current = self._random.choice(others)
        by_signal = self._random.random() < 0.5
        self._timeline.announce(self._current)
        # One that takes routes away, written in place, would wait for the signal.
        self._write(self._catalogs[self._current].file.read_bytes(), in_place=by_signal and self._random.random() < 0.5)
        if by_signal:
            self._server.signal(signal.SIGHUP)
        if self._await(lambda ready: ready.get("catalogVersion") == self._catalogs[self._current].version):
            self._timeline.confirm()
            self.counts["swapped by SIGHUP" if by_signal else "swapped by a changed file"] += 1

    def _signal_alone(self):
        self._server.signal(signal.SIGHUP)
        self.counts["SIGHUP without a change"] += 1

    def _refuse(self):
        """Breaks the file, and puts back what was there: the catalog in force never changes."""
        good = self._catalogs[self._current].file.read_bytes()
        broken = self._random.choice([good[: len(good) // 2] + b"\n  [", good + b"nonsense: true\n", b""])
        by_signal = self._random.random() < 0.5
        self._write(broken, in_place=self._random.random() < 0.5)
        if by_signal:
            self._server.signal(signal.SIGHUP)
        version = self._catalogs[self._current].version
        if self._await(lambda ready: "catalogRefusal" in ready and ready["catalogVersion"] == version):
            self.counts["broken and refused"] += 1
        self._write(good, in_place=self._random.random() < 0.5)
        self._await(lambda ready: "catalogRefusal" not in ready and ready["catalogVersion"] == version)

    def _write(self, data, in_place):
        """Replaces the file, in one step or in place as editors do."""
        if in_place:
            self._file.write_bytes(data)
            return
        new = self._file.with_suffix(".new")
        new.write_bytes(data)
        os.replace(new, self._file)

    def _await(self, condition):
        end = time.monotonic() + PATIENCE
        ready = None
        while time.monotonic() < end and self._server.is_running:
            answer = self._connection.ask("GET", "/readyz")
            ready = json.loads(answer.body)
            if answer.status == 200 and condition(ready):
                return True
            time.sleep(0.05)
        self._report("reload", f"the catalog file changed {PATIENCE} seconds ago, and /readyz says {ready}")
        return False
