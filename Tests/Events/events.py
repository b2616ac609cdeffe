"""Dated changes of users and of grants that overtake each other end alike, in any order, over every replica.

Levels with and without an end, lines of an import, grants, revocations and deletions have distinct moments of the past. They arrive
in several orders, some twice, with and without an `Idempotency-Key`. Prints what happens; all parts, or those that are named:

  sqlite    each user ends with the level and the grants of a model that applies the changes in the order of their moments, over
            servers of which half are stopped or killed (SIGKILL) while clients write. A change that is sent again changes nothing
  postgres  two replicas over one PostgreSQL get the changes of a user at the same time. Users end as in the model, and both
            replicas give the same states, histories and links
  history   each answer is the documented one, with its status, state and version, and the history has each change that counted,
            in pages, with its moment and with versions that rise by one
  resolve   links open, or have their gate, by the level and the grants of the model

usage: events.py --binary FILE [--quick] [--seed NUMBER] [part …]

Exit codes: 0 all is well, 1 a violation, 69 something needed is unavailable.
"""

import collections
import concurrent.futures
import http.client
import itertools
import json
import pathlib
import random
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Cluster"))

import cluster
import model
import parts
import waymark
from cluster import Client, expect
from ports import free_port

# The documented answers to dated changes, where nobody knows what arrived before.
STATUSES = {"level": (200, 201), "line": (200,), "grant": (200, 201), "revocation": (200, 204, 404), "deletion": (200, 204, 404)}
NDJSON = {"Content-Type": "application/x-ndjson"}
cluster.say = lambda text: print(f"events: {text}", flush=True)


class User:
    """A user: the changes as they arrive, with those that are sent again, and what the model says of them."""

    def __init__(self, name, order, generator):
        self.name, self.order, self.model, self.kept, self.version = name, order, model.User(), {}, None
        self.requests = {one: self.request(one, generator) for one in order}
        every = list(order)
        for one in generator.sample(order, generator.randint(0, 2)):
            every.insert(generator.randint(every.index(one) + 1, len(every)), one)
        # Lines take no keys.
        self.deliveries = [(one, one.kind != "line" and generator.random() < 0.5) for one in every]

    def request(self, one, generator):
        """A change as a request, the same each time: method, path, body and fields."""
        at, path = {"at": model.written(generator, one.moment)}, f"/v1/users/{self.name}"
        if one.kind == "line":
            state = one.level | ({} if one.grants is None else {"grants": one.grants})
            path = generator.choice(["/v1/users", "/v1/users?atomic=true"])
            return "POST", path, json.dumps({"id": self.name} | state | at) + "\n", NDJSON
        if one.kind == "level":
            return "POST", path, json.dumps(one.level | at), {}
        for name, fields in (one.grants or {}).items():
            path += f"/grants/{name}"
        if one.kind == "grant":
            return "PUT", path, json.dumps(fields | at), {}
        return "DELETE", f"{path}?{urllib.parse.urlencode(at)}", None, {}

    def send(self, client, one, has_key):
        """Sends a change, under its key or without one."""
        *request, fields = self.requests[one]
        return client.request(*request, fields | ({"Idempotency-Key": f"{self.name}-{one.moment}"} if has_key else {}))[:2]

    def __str__(self):
        return self.name + "".join(f"\n    {self.requests[one][:3]}{' with a key' if key else ''}" for one, key in self.deliveries)


def found(link, answer):
    """The outcome that an answer has, as the model names it. An answer that has two, or none, says so."""
    gate, stack = answer.get("gate", {}), [one["route"] for one in answer.get("stack", ())]
    outcomes = [*filter(None, (gate.get("level"), gate.get("grant"), stack == [link] and "plan"))]
    return outcomes[0] if len(outcomes) == 1 else outcomes


class Events:
    def __init__(self, options, folder):
        self.binary, self.quick, self.folder = options.binary, options.quick, folder
        self.name = f"--seed {options.seed} {folder.name}"
        # Each part has its own numbers, so that one alone repeats what it does among all.
        self.random, self.wrong, self.kinds = random.Random(self.name), [], []
        folder.mkdir(mode=0o755)
        (folder / "catalog.yaml").write_text(model.CATALOG)

    def server(self, database):
        return waymark.Server(self.binary, database, catalog=self.folder / "catalog.yaml", arguments=("--insecure-no-auth",),
                              log=self.folder / f"{time.monotonic_ns()}.log")

    def agree(self, name, cases, wrong):
        """Says how many cases there were, and the first that are wrong, with their input and the seed."""
        parts.agree(name, cases, [f"{self.name}: {one}" for one in wrong])

    def answered(self, name):
        self.agree(name, len(self.kinds), self.wrong)
        cluster.say("     " + ", ".join(f"{count} {kind}" for kind, count in sorted(collections.Counter(self.kinds).items())))

    def users(self, count, orders):
        """Some sets of changes, each for users to whom they happen in the order of their moments, in reverse, and in others."""
        now, made = int(time.time() * 1000) - 10_000, []
        for number in range(count):
            some = model.events(self.random, now)
            every = [some, some[::-1], *(self.random.sample(some, len(some)) for _ in range(orders - 2))]
            made += [User(f"user-{number}-{place}", order, self.random) for place, order in enumerate(every)]
        return made

    def alone(self, count, *comparisons, ending=None):
        """Sends the changes of each user one after the other, of four users at a time, and compares each answer with the model.

        `ending` ends the server twice in between, which then starts again: `stop` or `kill`.
        """
        users, self.wrong, self.kinds = self.users(count, 4), [], []
        database, sent, total = self.folder / "users.sqlite", itertools.count(), sum(len(user.deliveries) for user in users)
        for file in self.folder.glob("users.sqlite*"):
            file.unlink()
        servers = [self.server(database)]

        def work(users):
            client = Client(servers[-1].port)
            for user, (one, has_key) in ((user, delivery) for user in users for delivery in user.deliveries):
                if ending and next(sent) in (total // 3, total * 2 // 3):
                    getattr(servers[-1], ending)()
                    servers.append(self.server(database))
                deadline, attempts, answer = time.monotonic() + 60, 0, None
                while answer is None:
                    attempts += 1
                    try:
                        answer = user.send(client, one, has_key)
                    except (OSError, http.client.HTTPException):
                        if not ending or time.monotonic() > deadline:
                            raise
                        time.sleep(0.02)
                        client = Client(servers[-1].port)
                self.judge(user, one, has_key, answer, attempts > 1)
                if not ending:
                    self.resolved(client, user)

        try:
            with concurrent.futures.ThreadPoolExecutor() as pool:
                list(pool.map(work, [users[place::4] for place in range(4)]))
            self.answered(f"each answer is that of the model{f', with a {ending} in between' if ending else ''}")
            for compare in (self.ended, *comparisons):
                compare(users, [servers[-1].port])
        finally:
            servers[-1].stop()

    def judge(self, user, one, has_key, answer, was_sent_again):
        """Compares an answer with that of the model. A change whose answer was lost may have been made before."""
        status, data = answer
        if has_key and one in user.kept:
            self.kinds.append("again under a key")
            wanted, told = [user.kept[one]], answer
        else:
            wanted = [user.model.apply(one) for _ in range(2 if was_sent_again else 1)]
            body = json.loads(data) if status in (200, 201) else None
            told = status, body and {key: value for key, value in body.items() if key not in ("id", "updatedAt")}
            kind = f"{one.kind} {status}{' late' if 'applied' in (body or ()) else ''}"
            self.kinds.append("after a lost answer" if was_sent_again else kind)
            if has_key and status < 300:
                user.kept[one] = answer
        if told not in wanted:
            self.wrong.append(f"{user.requests[one][:3]} should be {wanted} and is {answer}, among {user}")

    def resolved(self, client, user):
        """Compares what a link is between two changes, since the server has the user in memory from then on."""
        link = [*model.NEEDS][len(self.kinds) % len(model.NEEDS)]
        answer = json.loads(client.get(f"/v1/resolve?link=bank:///{link}&user={user.name}")[1])
        wanted = model.outcome(link, user.model.level, user.model.grants)
        self.kinds.append("links in between")
        if found(link, answer) != wanted:
            self.wrong.append(f"{link} should be {wanted} and is {answer}, among {user}")

    def ended(self, users, ports):
        """Compares the states at the end with the model. The order of arrival counts for nothing."""
        wrong, clients = [], [Client(port) for port in ports]
        for user in users:
            level, grants = model.state(user.order)
            wanted = model.shown(level, grants) | {"currentLevel": model.current(level)}
            answers = [client.get(f"/v1/users/{user.name}")[:2] for client in clients]
            status, body = answers[0][0], json.loads(answers[0][1])
            user.version = body.get("version")
            told = {key: value for key, value in body.items() if key not in ("id", "version", "updatedAt")}
            # Whether a user without a level and grants is there depends on what came last, and opens no link.
            if not (status == 200 and told == wanted or status == 404 and level is None and not grants) or len(set(answers)) > 1:
                wrong.append(f"{user}\n    should end as {wanted} and is {answers}")
        self.agree("users end as the model does", len(users), wrong)

    def histories(self, users, ports):
        """Compares histories: versions rise by one, and each row has the state and the moment of a change that counted."""
        wrong, count = [], 0
        for user in users:
            limit, histories = self.random.choice([1, 2, 3, 100]), []
            for client in map(Client, ports):
                rows, after = [], ""
                while after is not None:
                    page = json.loads(client.get(f"/v1/users/{user.name}/history?limit={limit}{after}")[1])
                    rows += page.get("history", [])
                    after = f"&after={page['next']}" if "next" in page else None
                histories.append([{key: value for key, value in row.items() if key not in ("at", "by")}
                                  | {"asOf": model.read(row["asOf"])} for row in rows])
                client.close()
            rows, wanted = histories[0], user.model.history
            if len(ports) == 1:
                holds = rows == wanted
            else:
                # Nobody knows the order of arrival. A change counts once, however often it is sent, but a user without a level and
                # grants may come and go.
                moments, wanted = {row["asOf"] for row in rows}, model.shown(*model.state(user.order))
                own = [row["asOf"] for row in rows if row["authorizationLevel"] not in (None, model.LEVELS[0]) or "grants" in row]
                holds = rows == histories[1] and [row["version"] for row in rows] == [*range(1, len(rows) + 1)] and \
                    len({*own}) == len(own) and moments <= {one.moment for one in user.order} and \
                    (not user.version or user.version == len(rows) and wanted.items() <= rows[-1].items())
            count += len(rows)
            if not holds:
                wrong.append(f"{user}\n    should have the history of {wanted} and has {histories}")
            # A deletion is a version, too.
            user.version = len(rows)
        self.agree(f"histories have each change that counted, {count:,} in all", len(users), wrong)

    def links(self, users, ports):
        """Compares what links are for each user. A replica answers from the version that is named, or a later one."""
        cases = [(user, link, model.outcome(link, *model.state(user.order))) for user in users for link in model.NEEDS]
        version = {user: {"userVersion": user.version} if user.version else {} for user in users}
        body = "".join(json.dumps({"link": f"bank:///{link}", "user": user.name} | version[user]) + "\n" for user, link, _ in cases)
        wrong, kinds = [], {wanted for *_, wanted in cases}
        for port in ports:
            answers = Client(port).request("POST", "/v1/resolve/batch", body, NDJSON)[1].splitlines()
            for (user, link, wanted), answer in zip(cases, map(json.loads, answers), strict=True):
                if found(link, answer) != wanted:
                    wrong.append(f"{link} should be {wanted} and is {answer}, for {user}")
        self.agree("links open, or have their gate, by the model", len(cases) * len(ports), wrong)
        expect("a plan and every gate are among them", kinds == {"plan", *model.GATES}, sorted(kinds))

    def sqlite(self):
        for ending in (None, "stop", None, "kill") * (1 if self.quick else 3):
            self.alone(25 if self.quick else 120, ending=ending)

    def history(self):
        self.alone(80 if self.quick else 1000, self.histories)
        # A deletion that counts is 204 or 404.
        wanted = {f"{kind} {status}" for kind, every in STATUSES.items() for status in every if status != 200 or 404 not in every}
        missing = (wanted | {f"{kind} 200 late" for kind in STATUSES}) - {*self.kinds}
        expect("each documented answer is among them", not missing, f"missing {sorted(missing)}")

    def resolve(self):
        self.alone(80 if self.quick else 1000, self.links)

    def postgres(self):
        database = cluster.Postgres(self.folder / "database", free_port()).make()
        try:
            with self.server(database.uri()) as one, self.server(database.uri()) as two, \
                    concurrent.futures.ThreadPoolExecutor() as pool:
                users, ports = self.users(60 if self.quick else 800, 2), (one.port, two.port)
                clients = [Client(port) for port in ports]
                for user in users:
                    list(pool.map(lambda place: self.race(user, clients[place], place), range(2)))
                self.answered("each answer is a documented one")
                for compare in (self.ended, self.histories, self.links):
                    compare(users, ports)
        finally:
            database.stop()

    def race(self, user, client, place):
        """Sends one replica its part of the changes of a user, while the other gets the rest. Some are sent to both."""
        for number, (one, has_key) in enumerate(user.deliveries):
            if number % 2 != place and number % 3:
                continue
            while (answer := user.send(client, one, has_key))[0] == 409 and has_key:
                # The other replica is at work on it.
                self.kinds.append("409")
                time.sleep(0.02)
            # From then on the replica has the user in memory.
            client.get(f"/v1/resolve?link=bank:///vault&user={user.name}")
            self.kinds.append(f"{one.kind} {answer[0]}")
            kept = user.kept.setdefault(one, answer) if has_key and answer[0] < 300 else answer
            if answer[0] not in STATUSES[one.kind] or one.kind == "line" and b"urn:waymark:problem" in answer[1] or kept != answer:
                self.wrong.append(f"{user.requests[one][:3]} is {answer}, and was {kept}")


def main():
    options = parts.options(__doc__, ("sqlite", "postgres", "history", "resolve"))
    if not [*pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb")]:
        cluster.say("there is no PostgreSQL (Debian's postgresql)")
        return 69
    with parts.folder("events") as folder:
        for part in options.parts:
            begin = time.monotonic()
            getattr(Events(options, folder / part), part)()
            cluster.say(f"     {part}: {time.monotonic() - begin:.0f} s")
    return parts.verdict()


if __name__ == "__main__":
    sys.exit(main())
