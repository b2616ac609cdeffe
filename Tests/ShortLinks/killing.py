"""kill -9 of a server under makes: what was acknowledged is there, and no name has two links."""

import http.client
import itertools
import random
import threading
import time

import shops
from reports import expect

MAKERS = 16


class Makers:
    """Threads that make named links and links with codes of their own until the server goes away."""

    def __init__(self, port, round_number):
        self.port, self.round = port, round_number
        self.sent, self.acknowledged, self.refused = [], [], []
        self.threads = [threading.Thread(target=self._make, args=(number,), daemon=True) for number in range(MAKERS)]
        for thread in self.threads:
            thread.start()

    def join(self):
        for thread in self.threads:
            thread.join(150)

    def _make(self, number):
        client = shops.Client(self.port)
        for step in itertools.count():
            key = f"r{self.round}-{number}-{step}"
            record = {"link": shops.link(step), "name": key} if step % 2 else {"link": shops.link(step)}
            path = "/v1/short-links" if step % 2 else f"/v1/short-links/{key}"
            self.sent.append((path, record))
            try:
                status, answer = self._post(client, path, record)
            except (OSError, http.client.HTTPException):
                return
            if status in (200, 201):
                self.acknowledged.append((path, record, answer["code"], answer["target"]))
            else:
                self.refused.append((status, answer))

    @staticmethod
    def _post(client, path, record):
        status, body = client.request("POST", path, shops.json.dumps(record))
        return status, shops.json.loads(body)


def part(options):
    rounds = options.count(40, 3) if options.quick else max(int(40 * options.scale), 3)
    generator = random.Random(options.seed)
    _rounds(options, "a file", f"{options.folder}/kill.sqlite", rounds, generator)
    with shops.postgres(f"{options.folder}/kill") as uri:
        _rounds(options, "PostgreSQL", uri, rounds, generator)


def _rounds(options, store, database, rounds, generator):
    acknowledged, sent, lost, doubled, refused = 0, 0, [], [], []
    with_other = store == "PostgreSQL"
    other = shops.server(options, database) if with_other else None
    try:
        for number in range(rounds):
            server = shops.server(options, database)
            makers = [Makers(server.port, f"{number}a")] + ([Makers(other.port, f"{number}b")] if other else [])
            time.sleep(0.1 + generator.random() * 0.9)
            server.kill()
            if other:
                other.kill()
            for one in makers:
                one.join()
            with shops.server(options, database) as after:
                client = shops.Client(after.port)
                for one in makers:
                    acknowledged, sent = acknowledged + len(one.acknowledged), sent + len(one.sent)
                    refused += one.refused
                    lost += _lost(client, one)
                    doubled += _doubled(client, one)
            other = shops.server(options, database) if with_other else None
        with shops.server(options, database) as after:
            names = [link["name"] for link in shops.Client(after.port).listed() if "name" in link]
    finally:
        if other:
            other.kill()
    expect(f"nothing acknowledged is lost in {store}", not lost and acknowledged > 0,
           f"{len(lost)} of {acknowledged:,} acknowledged makes ({sent:,} sent) lost in {rounds} kills {lost[:3]}")
    expect(f"no name has two links in {store}", not doubled and len(names) == len(set(names)),
           f"{len(names) - len(set(names))} of {len(names):,} names twice, {len(doubled)} answered otherwise {doubled[:3]}")
    expect(f"nothing is refused in {store}", not refused, f"{len(refused)} {refused[:2]}")


def _lost(client, makers):
    """Returns the acknowledged links that are not as they were acknowledged."""
    missing = []
    for _, _, code, target in makers.acknowledged:
        status, body = client.request("GET", f"/v1/short-links/{code}")
        if status != 200 or shops.json.loads(body)["target"] != target:
            missing.append((code, status))
    return missing


def _doubled(client, makers):
    """Sends again what was sent, acknowledged or not; returns what is answered with another code."""
    known = {record["name"]: code for _, record, code, _ in makers.acknowledged if "name" in record}
    other = []
    for path, record in makers.sent:
        if "name" not in record:
            continue
        status, body = client.request("POST", path, shops.json.dumps(record))
        answer = shops.json.loads(body)
        if status not in (200, 201) or known.get(record["name"], answer["code"]) != answer["code"]:
            other.append((record["name"], status, answer.get("code")))
    return other
