"""Three replicas over PostgreSQL with a synchronous standby, under mixed traffic, with a failover at an interval: the primary
is killed, the standby promoted, and the former primary made the standby of the new one.

Each user has one writer, so that a model knows which levels an answer may have: that of the last write acknowledged a second
(`store.maximumStaleness`) before the request, of any later one, and of those whose outcome nobody knows. Exit code 1 if an
acknowledged write is lost, an answer has another level, a request fails beyond 20 seconds after a failover, more than one in
100,000 is then refused with 503, writes stay away for longer than 10 seconds, or the memory of a replica grows.

A read that takes over its second is refused rather than answered by an old level; on a busy disk one may, as its log says.
"""

import argparse
import collections
import json
import random
import shutil
import signal
import sys
import threading
import time

import cluster
import waymark
from cluster import LEVELS, LINK, Client, Cluster, expect, say

# Seconds: the bound of staleness, and the time in which requests may fail after a failover.
STALENESS, RECOVERY = 1.0, 20.0

# The answers beyond that time of which one may be a refusal with 503.
ANSWERS_FOR_A_REFUSAL = 100_000


class User:
    """The writes of one user, by its one writer, as far as they decide what an answer may say."""

    def __init__(self, name):
        self.name, self.lock = name, threading.Lock()
        # The version of the last acknowledged write.
        self.version = 0
        # The level with the time of its acknowledgement, or None while that is open, or for ever.
        self.writes = collections.deque([(LEVELS[0], float("-inf"))])

    def begin(self, level):
        with self.lock:
            self.writes.append((level, None))

    def acknowledge(self, version):
        now = time.monotonic()
        with self.lock:
            self.version = version
            self.writes[-1] = (self.writes[-1][0], now)
            # Earlier ones than the last that was acknowledged long ago can be in no answer to come.
            ends = [index for index, (_, at) in enumerate(self.writes) if at is not None and at < now - 120]
            for _ in range(ends[-1] if ends else 0):
                self.writes.popleft()

    def allowed(self, begin, version=0):
        """Returns the levels that an answer to a request sent at a time may have; with the last version, none before it."""
        with self.lock:
            known = [index for index, (_, at) in enumerate(self.writes) if at is not None and (version or at < begin - STALENESS)]
            if version and self.version != version:
                return None
            return {level for level, _ in list(self.writes)[known[-1]:]}


class Traffic:
    """Threads that write and ask until they are told to stop, and the faults that they met."""

    def __init__(self, port, rate, writers=6, readers=6, users=20):
        self.port, self.isRunning = port, True
        # Between two requests of a thread.
        self.pause = (writers + readers) / rate
        self.users = [[User(f"failover-{number}-{index}") for index in range(users)] for number in range(writers)]
        self.everyone = [user for group in self.users for user in group]
        self.counts, self.faults, self.refusals = collections.Counter(), [], []
        self.failover, self.lastWrite, self.longestPause = float("-inf"), time.monotonic(), 0.0
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.write, args=(group,)) for group in self.users]
        self.threads += [threading.Thread(target=self.ask) for _ in range(readers)]
        for thread in self.threads:
            thread.start()

    def fault(self, text):
        self.note(self.faults, f"FAULT {text}")

    def fail(self, begin, status, text):
        """Counts a failure of a request that was sent at a time, if that is long after a failover: with 503 as a refusal."""
        if begin > self.failover + RECOVERY:
            refused = status == 503
            self.note(self.refusals if refused else self.faults,
                      f"{'REFUSED' if refused else 'FAULT'} {text}, {begin - self.failover:.0f} s after a failover")

    def note(self, found, text):
        """Keeps a text, and prints it where it is among the first."""
        with self.lock:
            found.append(text)
            if len(found) <= 20:
                say(text)

    def call(self, kind, begin, ask):
        """Returns status and body; one that fails long after a failover is a fault, or else a refusal."""
        try:
            status, data, _ = ask()
        except Exception as error:  # A connection that broke has no status.
            status, data = type(error).__name__, b""
        good = status in (200, 201, 403)
        with self.lock:
            self.counts[kind if good else f"{kind} failed"] += 1
        if not good:
            self.fail(begin, status, f"{kind}: {status} {data[:200]}")
            time.sleep(0.1)
        return status if good else None, data

    def write(self, users):
        client, count = Client(self.port), 0
        while self.isRunning:
            count += 1
            user, level, begin = users[count % len(users)], random.choice(LEVELS), time.monotonic()
            user.begin(level)
            status, data = self.call("write", begin, lambda: client.write(user.name, level, count))
            if status:
                user.acknowledge(json.loads(data)["version"])
                with self.lock:
                    now = time.monotonic()
                    self.longestPause = max(self.longestPause, now - self.lastWrite)
                    self.lastWrite = now
            time.sleep(self.pause)

    def ask(self):
        client = Client(self.port)
        while self.isRunning:
            random.choice((self.resolve, self.resolve, self.resolve_version, self.batch, self.read))(client)
            time.sleep(self.pause)

    def check(self, kind, user, begin, found, version=0):
        allowed = user.allowed(begin, version)
        if allowed is not None and found not in allowed:
            self.fault(f"{kind}: {user.name} has {found}, and not one of {sorted(allowed)}")

    def resolve(self, client):
        user, begin = random.choice(self.everyone), time.monotonic()
        status, data = self.call("resolve", begin, lambda: client.get(f"/v1/resolve?link={LINK}&user={user.name}"))
        if status:
            self.check("resolve", user, begin, level(json.loads(data)))

    def resolve_version(self, client):
        user, begin = random.choice(self.everyone), time.monotonic()
        if version := user.version:
            status, data = self.call("versioned", begin, lambda: client.get(
                f"/v1/resolve?link={LINK}&user={user.name}", {"Waymark-User-Version": str(version)}))
            if status:
                self.check("versioned", user, begin, level(json.loads(data)), version)

    def batch(self, client):
        users, begin = random.choices(self.everyone, k=10), time.monotonic()
        lines = "".join(json.dumps({"link": "navigation://loremipsum.com/characters", "user": user.name}) + "\n" for user in users)
        fields = {"Content-Type": "application/x-ndjson"}
        status, data = self.call("batch", begin, lambda: client.request("POST", "/v1/resolve/batch", lines, fields))
        for user, line in zip(users, data.splitlines() if status else []):
            answer = json.loads(line)
            if answer.get("status") == 503:
                self.fail(begin, 503, f"batch: 503 {line[:200]}")
            else:
                self.check("batch", user, begin, level(answer))

    def read(self, client):
        user, begin = random.choice(self.everyone), time.monotonic()
        if version := user.version:
            status, data = self.call("read", begin, lambda: client.get(f"/v1/users/{user.name}"))
            if status and json.loads(data)["version"] < version:
                self.fault(f"read: {user.name} has version {json.loads(data)['version']}, and {version} was acknowledged")

    def stop(self):
        self.isRunning = False
        for thread in self.threads:
            thread.join()


def level(answer):
    """Returns the level that a plan or a refusal names."""
    return answer["authorizationLevel"]["user"] if "stack" in answer else answer.get("userLevel")


def fail_over(traffic, primary, standby):
    """Kills the primary, promotes the standby, and makes the former primary its standby."""
    traffic.failover = time.monotonic()
    primary.signal_all(signal.SIGKILL)
    time.sleep(1)
    standby.promote()
    # Alone, it has nobody to wait for.
    standby.sql("ALTER SYSTEM RESET synchronous_standby_names")
    standby.sql("SELECT pg_reload_conf()")
    time.sleep(5)
    shutil.rmtree(primary.folder)
    primary.follow(standby)
    standby.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
    standby.sql("SELECT pg_reload_conf()")


def run(options):
    proof = Cluster(argparse.Namespace(quick=False, binary=options.binary))
    began, memory = time.monotonic(), []
    try:
        with proof.pair() as (primary, standby), proof.replicas(primary.uri(standby)) as replicas:
            traffic = Traffic(replicas.port, options.rate)
            try:
                count, end = 0, began + options.minutes * 60
                while time.monotonic() < end:
                    # The last failover leaves time to recover.
                    pause = min(options.every * 60, end - time.monotonic())
                    for _ in range(6):
                        time.sleep(pause / 6)
                        memory.append([waymark.resident_kib(server.pid) for server in replicas.servers])
                    if time.monotonic() + RECOVERY * 1.5 < end:
                        fail_over(traffic, primary, standby)
                        primary, standby, count = standby, primary, count + 1
                        done = sum(number for kind, number in traffic.counts.items() if "failed" not in kind)
                        say(f"     {(time.monotonic() - began) / 60:.1f} minutes, {count} failovers, {done} answers, "
                            f"{len(traffic.faults)} faults, replicas of {', '.join(f'{one / 1024:.0f}' for one in memory[-1])} MiB")
            finally:
                traffic.stop()
            client = Client(replicas.port)
            lost = [user.name for user in traffic.everyone
                    if user.version and json.loads(client.get(f"/v1/users/{user.name}")[1]).get("version", 0) < user.version]
            answers = ", ".join(f"{number} {kind}" for kind, number in sorted(traffic.counts.items()))
            done = sum(traffic.counts.values())
            expect("every user was written", all(user.version for user in traffic.everyone), f"{len(traffic.everyone)} users")
            expect(f"{count} failovers lose no acknowledged write", count > 0 and not lost, f"{len(lost)} lost {lost[:3]}")
            expect("no answer is wrong or stale, none fails otherwise", not traffic.faults, f"{len(traffic.faults)} faults of {answers}")
            expect(f"at most one in {ANSWERS_FOR_A_REFUSAL:,} is refused otherwise", len(traffic.refusals) * ANSWERS_FOR_A_REFUSAL <= done,
                   f"{len(traffic.refusals)} refusals of {done} answers")
            expect("writes are back within 10 s", traffic.longestPause < 10, f"the longest pause was {traffic.longestPause:.1f} s")
            # By the most of the second and of the last quarter, where a run is long enough to be warm by then.
            quarter = len(memory) // 4
            first, last = ([max(column) for column in zip(*part)] for part in (memory[quarter:2 * quarter], memory[-quarter:]))
            flat = all(after < before * 1.15 + 8192 for before, after in zip(first, last))
            expect("memory is flat", flat or options.minutes < 10,
                   ", ".join(f"{before / 1024:.0f} then {after / 1024:.0f} MiB" for before, after in zip(first, last)))
    finally:
        shutil.rmtree(proof.folder, ignore_errors=True)
    return 1 if cluster.failures else 0


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/prove failovers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--minutes", type=float, default=120, help="the time of the whole run, at least 2")
    parser.add_argument("--every", type=float, default=10, help="the minutes between two failovers")
    parser.add_argument("--rate", type=float, default=500, help="requests a second, about, a batch being one")
    options = parser.parse_args()
    if options.rate <= 0:
        parser.error("--rate is above 0")
    if options.minutes < 2 or not 0.5 <= options.every < options.minutes:
        parser.error("--minutes is at least 2, and --every between 0.5 and that")
    waymark.unwind_when_terminated()
    sys.exit(run(options))


if __name__ == "__main__":
    main()
