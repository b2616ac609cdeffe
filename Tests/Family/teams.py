"""The files of the teams, swapped beneath a server that is asked without pause.

Each file has a number in defaults of its parameters, so that each destination of an answer says which text declared it.
"""

import hashlib
import json
import os
import random
import re
import signal
import threading
import time
import urllib.parse

import waymark
from cluster import Client, expect

FAMILY = waymark.CHECKOUT / "Config/examples/family"
OWN, RIDES, PAYMENTS, PEOPLE = "catalog.yaml", "teams/rides.yaml", "teams/payments.yaml", "teams/people.yaml"
# The parameter of each route that says the number of its file.
MARKED = {"rider": "own", "driver": "own", "trip": "rides", "map": "rides", "jobs": "rides", "person": "people",
          "addCard": "payments", "receipt": "payments", "payouts": "payments"}
LINKS = [f"https://go.example.com/{path}" for path in
         ("", "trip/7/receipt/3", "person/9/trip/7", "drive/trip/1/person/2/receipt/3", "drive/payouts", "drive/payouts/payout/4",
          "order", "card/add")]
# The server reads the files once none has changed for two seconds: after a longer time between two files it may read a part.
QUIET = 2
PATIENCE = 60


class Files:
    """A set of files that is a catalog: their texts, what their destinations say, and where each route stands."""

    def __init__(self, numbers, is_split=False, has_payout=True):
        self.numbers, self.is_split, self.has_payout = dict(numbers), is_split, has_payout
        own = (FAMILY / OWN).read_text()
        for path in ('""', "drive"):
            own = own.replace(f"    path: {path}\n", f"    path: {path}\n    parameters: {{ {self.marker('own')} }}\n", 1)
        rides = (FAMILY / RIDES).read_text()
        rides = rides.replace("trip: { path: \"trip/{id}\", parameters: { id: int",
                              f"trip: {{ path: \"trip/{{id}}\", parameters: {{ id: int, {self.marker('rides')}")
        rides = rides.replace("map: {}", f"map: {{ parameters: {{ {self.marker('rides')} }} }}")
        rides = rides.replace("jobs: { ", f"jobs: {{ parameters: {{ {self.marker('rides')} }}, ")
        rides = rides.replace("person: { path: \"person/{id}\", parameters: { id: int",
                              f"person: {{ path: \"person/{{id}}\", parameters: {{ id: int, {self.marker('people')}")
        payments = (FAMILY / PAYMENTS).read_text()
        payments = payments.replace("path: card/add,", f"path: card/add, parameters: {{ {self.marker('payments')} }},")
        payments = payments.replace("parameters: { id: int }, authorizationLevel: member }",
                                    f"parameters: {{ id: int, {self.marker('payments')} }}, authorizationLevel: member }}", 1)
        payments = payments.replace("payouts: { ", f"payouts: {{ parameters: {{ {self.marker('payments')} }}, ")
        if not has_payout:
            payments = payments.replace(", opens: { payout: push }", "")
            payments = "".join(line for line in payments.splitlines(True) if not line.startswith("  payout:"))
        self.texts = {OWN: own, RIDES: rides, PAYMENTS: payments}
        if is_split:
            lines = rides.splitlines(True)
            person, = (line for line in lines if line.startswith("  person:"))
            self.texts[RIDES] = "".join(line for line in lines if line is not person)
            self.texts[PEOPLE] = "# Part of the team of rides.\nroutes:\n" + person
        # The version is the digest of the catalog's own file and then of the others in the order of their names.
        text = own + "".join(self.texts[name] for name in sorted(set(self.texts) - {OWN}))
        self.version = hashlib.sha256(text.encode()).hexdigest()[:12]
        self.places = dict(self.located())

    def marker(self, kind):
        return f"{kind}: {{ type: int, default: {self.numbers[kind]} }}"

    def located(self):
        """The file and the line of each route."""
        for name, text in self.texts.items():
            lines = text.splitlines()
            for number in range(lines.index("routes:") + 1, len(lines)):
                if found := re.match(r"  (\w+):", lines[number]):
                    yield found[1], (None if name == OWN else name, number + 1)

    def fault(self, stack):
        """What is wrong with a stack that this set answers, or None."""
        for destination in stack:
            kind = MARKED.get(destination["route"])
            if kind and destination["parameters"].get(kind) != self.numbers[kind]:
                return f"{destination} is not of the number {self.numbers[kind]}"
        return None


class Answers:
    """What clients are answered, judged by the sets that were in force between the question and the answer."""

    def __init__(self, files, name):
        self.lock = threading.Lock()
        # Each set with the moment from which on it may be in force, and the moment after which it is not.
        self.sets = [[files, 0.0, None]]
        self.count, self.counts = 0, {}
        self.doubts, self.faults, self.name = [], [], name

    def may_come(self, files):
        with self.lock:
            self.sets.append([files, time.monotonic(), None])

    def is_in_force(self, files):
        now = time.monotonic()
        with self.lock:
            for one in self.sets:
                one[2] = one[2] or (None if one[0] is files else now)

    def judge(self, kind, begin, question, status, answer, latest):
        """Judges one answer; returns the index of its set, for what the same client is answered next."""
        end = time.monotonic()
        with self.lock:
            self.count += 1
            self.counts[kind] = self.counts.get(kind, 0) + 1
            possible = [(index, files) for index, (files, first, last) in enumerate(self.sets)
                        if first <= end and (last is None or last >= begin)]
        reasons = []
        for index, files in possible:
            reason = verdict(kind, question, status, answer, files)
            if reason is None and index < latest:
                reason = "an older set after a newer one"
            if reason is None:
                # An answer without a version may be of several sets.
                return index if "catalogVersion" in answer else latest
            reasons.append(f"{files.version}: {reason}")
        with self.lock:
            self.doubts.append(f"{self.name}: {question} is {status} {json.dumps(answer)[:500]}, and could be {reasons}")
        return latest


def verdict(kind, question, status, answer, files):
    """What is wrong with an answer if it is of one set, or None."""
    if kind == "catalog":
        if status != 200 or answer["catalogVersion"] != files.version:
            return "another version"
        places = {route["name"]: (route["location"].get("file"), route["location"]["line"]) for route in answer["routes"]}
        if places != files.places:
            return f"places {sorted(set(places.items()) ^ set(files.places.items()), key=str)}"
        numbers = {(route["name"], one["name"]): one.get("default") for route in answer["routes"] for one in route["parameters"]}
        wanted = {(route, kind): files.numbers[kind] for route, kind in MARKED.items()}
        return None if wanted.items() <= numbers.items() else f"defaults {numbers}"
    if question.endswith("/payout/4") and not files.has_payout:
        return None if status == 404 else "a route that is not there"
    if question.endswith("/order"):
        return files.fault(answer["gate"]["stack"]) if status == 403 and "gate" in answer else f"status {status}"
    if status != 200:
        return f"status {status}"
    return "another version" if answer["catalogVersion"] != files.version else files.fault(answer["stack"])


def ask(port, answers, is_running, seed):
    """Asks without pause, until told to stop."""
    client, generator, latest = Client(port), random.Random(seed), 0
    while is_running.is_set():
        kind, link = generator.choice(["get", "get", "post", "batch", "catalog"]), generator.choice(LINKS)
        begin = time.monotonic()
        try:
            if kind == "catalog":
                status, data, _ = client.get("/v1/catalog")
                each = [("GET /v1/catalog", status, json.loads(data))]
            elif kind == "batch":
                body = "".join(json.dumps({"link": one, "level": "member"}) + "\n" for one in LINKS)
                status, data, _ = client.request("POST", "/v1/resolve/batch", body, {"Content-Type": "application/x-ndjson"})
                lines = [json.loads(line) for line in data.splitlines() if line]
                each = [(one, line.get("status", status), line) for one, line in zip(LINKS, lines, strict=True)]
            elif kind == "post":
                status, data, _ = client.request("POST", "/v1/resolve", json.dumps({"link": link, "level": "member"}))
                each = [(link, status, json.loads(data))]
            else:
                status, data, _ = client.get(f"/v1/resolve?level=member&link={urllib.parse.quote(link, safe='')}")
                each = [(link, status, json.loads(data))]
            for question, status, answer in each:
                latest = answers.judge(kind, begin, question, status, answer, latest)
        except Exception as error:
            with answers.lock:
                answers.faults.append(f"{answers.name}: {kind} {link} fails: {error!r}")


class World:
    """A folder with the files, a server on them, clients, and what is done to the files."""

    def __init__(self, family, number, stopping):
        self.stopping = stopping
        self.family, self.name = family, f"files {number} of the seed {family.seed}"
        self.random = random.Random(f"{family.seed} files {number}")
        self.numbers = {"own": 1, "rides": 1, "people": 1, "payments": 1}
        self.highest = 1
        self.files = Files(self.numbers)
        self.root = family.folder / f"world-{number}" / "catalog"
        (self.root / "teams").mkdir(parents=True)
        self.log = []
        self.counts = {}
        for name, text in self.files.texts.items():
            (self.root / name).write_text(text)
        self.answers = Answers(self.files, self.name)

    def fault(self, text):
        with self.answers.lock:
            self.answers.faults.append(f"{self.name}: {text}\n      after {'; '.join(self.log)}")

    # Changes of the files.

    def put(self, name, text, in_place):
        """Writes one file, by rename or in place, where a part is there for a moment."""
        path = self.root / name
        if in_place and path.is_file() and not path.is_symlink():
            with path.open("r+b") as file:
                data = text.encode()
                cut = self.random.randrange(len(data))
                file.truncate(0)
                file.write(data[:cut])
                file.flush()
                self.wait(self.random.choice([0, 0.05, 0.3]))
                file.write(data[cut:])
        else:
            new = path.with_name("." + path.name + ".new")
            new.write_text(text)
            if path.is_dir() and not path.is_symlink():
                path.rmdir()
            os.rename(new, path)
        self.log.append(f"{name} {'in place' if in_place else 'by rename'}")

    def remove(self, name):
        path = self.root / name
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)
        self.log.append(f"{name} removed")

    @staticmethod
    def wait(seconds):
        """The pause between two changes: that they are apart is what is shown."""
        threading.Event().wait(seconds)

    def swap(self, files):
        """Puts a set in place of what is there, file by file; returns the longest time between two changes."""
        there = {f"teams/{path.name}" for path in (self.root / "teams").iterdir()}
        there |= {OWN} if (self.root / OWN).exists() else set()
        steps = [(name, None) for name in there - set(files.texts)]
        for name, text in files.texts.items():
            path = self.root / name
            if path.is_symlink() or not path.is_file() or path.read_text() != text:
                if name in there and self.random.random() < 0.2:
                    steps.append((name, None))
                    self.log.append(f"{name} is removed first")
                steps.append((name, text))
        steps = self.shuffled(steps)
        moments = [time.monotonic()]
        for number, (name, text) in enumerate(steps):
            if number:
                self.wait(self.random.choice([0, 0, 0.1, 0.5, 1.2]) * (0.4 if self.family.quick else 1))
            if number == len(steps) - 1:
                self.answers.may_come(files)
            if text is None:
                self.remove(name)
            else:
                self.put(name, text, self.random.random() < 0.4)
            if self.random.random() < 0.15:
                self.server.signal(signal.SIGHUP)
                self.log.append("SIGHUP")
            moments.append(time.monotonic())
        return max(after - before for before, after in zip(moments, moments[1:]))

    def shuffled(self, steps):
        """Steps in any order, in which a file that is removed first comes back later."""
        places = sorted((self.random.random(), number) for number in range(len(steps)))
        order = [steps[number] for _, number in places]
        for name in {name for name, _ in order}:
            own = [number for number, step in enumerate(order) if step[0] == name]
            for number, step in zip(own, sorted((order[number] for number in own), key=lambda step: step[1] is not None)):
                order[number] = step
        return order

    # The ends of changes.

    def ready(self):
        status, data, _ = self.client.get("/readyz")
        return json.loads(data) | {"httpStatus": status}

    def until(self, holds, what):
        """Waits for an answer of /readyz; returns whether it came."""
        deadline = time.monotonic() + PATIENCE
        while not holds(ready := self.ready()):
            if time.monotonic() > deadline or ready["httpStatus"] != 200 or self.stopping.is_set():
                self.fault(f"{what} is awaited, and /readyz says {ready}")
                return False
            self.wait(0.02)
        return True

    def come(self, files, longest):
        """Waits for a set to be in force, and settles the doubts about answers meanwhile."""
        came = self.until(lambda ready: ready["catalogVersion"] == files.version and "catalogRefusal" not in ready,
                          f"the version {files.version}")
        self.answers.is_in_force(files)
        self.files = files
        # One question afterwards must be answered by the new set.
        status, data, _ = self.client.get("/v1/catalog")
        if came and (reason := verdict("catalog", "", status, json.loads(data), files)):
            self.fault(f"GET /v1/catalog is of another set: {reason}")
        self.settle(longest)
        return came

    def settle(self, longest):
        with self.answers.lock:
            doubts, self.answers.doubts = self.answers.doubts, []
            if longest < QUIET:
                self.answers.faults += [f"{doubt}\n      after {'; '.join(self.log)}" for doubt in doubts]
            else:
                self.count("not judged, since this machine was slow")
        self.log = []

    def count(self, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1

    # The rounds.

    def following(self, **changes):
        """A set in which some files have new texts."""
        kinds = self.random.sample(sorted(self.numbers), self.random.randrange(1, len(self.numbers) + 1))
        self.highest += 1
        self.numbers |= dict.fromkeys(kinds, self.highest)
        return Files(self.numbers, **({"is_split": self.random.random() < 0.5, "has_payout": self.files.has_payout} | changes))

    def round(self, kind):
        self.log.append(kind)
        if kind != "broken":
            self.count(kind)
        return getattr(self, kind)()

    def swapped(self):
        files = self.following()
        return self.come(files, self.swap(files))

    def broken(self):
        """Breaks a file, perhaps beside changes of others, awaits the refusal, and mends."""
        former = self.files
        fault = self.random.choice(["cut", "unknown", "twice", "gone", "outside", "folder", "foreign", "unfinished"])
        self.count(f"broken: {fault}")
        name = self.random.choice([OWN, RIDES, PAYMENTS]) if fault in ("cut", "gone", "unfinished") else \
            self.random.choice([RIDES, PAYMENTS])
        self.log.append(fault)
        # Those that are changed beside it are in no set that is whole.
        beside = self.following(is_split=former.is_split)
        others = [other for other in beside.texts if other != name and self.random.random() < 0.4]
        begin = time.monotonic()
        for other in others:
            self.put(other, beside.texts[other], False)
        path, text = self.root / name, former.texts[name]
        if fault == "cut":
            self.put(name, text[:text.rindex("{") + 1], self.random.random() < 0.5)
        elif fault == "unknown":
            self.put(name, text + "  stray: { opens: { nowhere: push } }\n", self.random.random() < 0.5)
        elif fault == "twice":
            self.put("teams/twice.yaml", "routes:\n  map: {}\n", False)
        elif fault == "gone":
            self.remove(name)
        elif fault == "outside":
            outside = self.root.parent / "outside.yaml"
            outside.write_text(text)
            os.symlink("../../outside.yaml", link := path.with_name(".link"))
            os.rename(link, path)
        elif fault == "folder":
            (self.root / "teams/folder.yaml").mkdir()
        elif fault == "foreign":
            self.put(name, text + "levels: [guest, member]\n", self.random.random() < 0.5)
        else:
            with path.open("r+b") as file:  # It has no line feed at its end.
                file.truncate(0)
                file.write((text + "# unfinished").encode())
        longest = time.monotonic() - begin
        if not self.until(lambda ready: "catalogRefusal" in ready, f"a refusal of {fault} in {name}"):
            return False
        if (ready := self.ready())["catalogVersion"] != former.version:
            self.fault(f"after the refusal of {fault} in {name} the version {ready['catalogVersion']} is in force, and it was "
                       f"{former.version}")
        self.settle(longest)
        self.log.append(f"mends {fault} in {name}")
        # To a set of before, byte by byte, or a new one.
        files = former if self.random.random() < 0.3 else self.following(has_payout=former.has_payout)
        return self.come(files, self.swap(files))

    def taken(self):
        """Takes a route away in place, which waits for a signal, and brings it back."""
        files = Files(self.files.numbers, self.files.is_split, not self.files.has_payout)
        if files.has_payout:
            return self.come(files, self.swap(files))
        former = self.files
        with (self.root / PAYMENTS).open("r+b") as file:
            file.truncate(0)
            file.write(files.texts[PAYMENTS].encode())
        if not self.until(lambda ready: "SIGHUP" in ready.get("catalogRefusal", ""), "a wait for SIGHUP"):
            return False
        if (ready := self.ready())["catalogVersion"] != former.version:
            self.fault(f"a route is taken away without a signal: {ready}")
        self.answers.may_come(files)
        self.server.signal(signal.SIGHUP)
        self.log.append("SIGHUP")
        return self.come(files, 0)

    def run(self, kinds):
        is_running, threads = threading.Event(), []
        is_running.set()
        database = self.root.parent / "states.sqlite"
        arguments = ("--insecure-no-auth",)
        with waymark.Server(self.family.binary, database, catalog=self.root / OWN, arguments=arguments) as self.server:
            self.client = Client(self.server.port)
            try:
                for number in range(self.family.count(2, 1)):
                    threads.append(threading.Thread(target=ask, args=(self.server.port, self.answers, is_running,
                                                                      f"{self.name} {number}")))
                    threads[-1].start()
                all(not self.stopping.is_set() and self.round(kind) for kind in kinds)
            except Exception as error:
                self.fault(f"the round ends with {error!r}")
            finally:
                is_running.clear()
                for thread in threads:
                    thread.join()
            self.settle(0)
            if not self.server.is_running:
                self.fault("the server has ended")


def part(family):
    stopping = threading.Event()
    worlds = [World(family, number, stopping) for number in range(3)]
    checked = family.run("catalog", "check", worlds[0].root / OWN)
    expect("the version is the digest of all files in their order", f"version {worlds[0].files.version}," in checked.stdout,
           f"{worlds[0].files.version}: {checked.stdout.strip()[-200:]}{checked.stderr.strip()[:300]}")
    threads = []
    for world in worlds:
        if family.quick:
            kinds = [["swapped"], ["broken"], ["taken"]][len(threads)]
        else:
            kinds = ["taken", *world.random.choices(["swapped", "broken", "taken"], [5, 4, 1], k=24)]
        threads.append(threading.Thread(target=world.run, args=(kinds,)))
        threads[-1].start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        # This program is asked to end: the threads end what they have started.
        stopping.set()
        for thread in threads:
            thread.join()
        raise
    rounds, asked, faults = {}, {}, [fault for world in worlds for fault in world.answers.faults]
    for world in worlds:
        for total, counts in ((rounds, world.counts), (asked, world.answers.counts)):
            for kind, count in counts.items():
                total[kind] = total.get(kind, 0) + count
    sets = sum(len({one[0].version for one in world.answers.sets}) for world in worlds)
    expect("each answer is that of a set that was whole, and no request fails", not faults and len(asked) == 4,
           f"{sum(asked.values()):,} answers {asked} over {sets} sets, rounds {rounds}"
           + "".join(f"\n    {fault}" for fault in faults[:3]))
