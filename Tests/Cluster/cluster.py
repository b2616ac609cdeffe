"""Shows what replicas over PostgreSQL promise, and what they do when something goes wrong: `scripts/prove cluster`.

Runs three replicas behind HAProxy, over a PostgreSQL primary with a
synchronous standby, all by itself in a folder under TMPDIR (default: /var/tmp). All parts, or those that are named:

  versions       100,000 times written here and read there by Waymark-User-Version; then ten minutes of load, in which a
                 change is seen everywhere within a second
  idle           an idle replica asks the database at most ten times a second
  continuations  one of 50 redemptions is granted; a revoked token is refused everywhere within a second
  kill           kill -9 of replicas under load
  rolling        a rolling restart of all under load: none of 100,000 requests fails
  failover       the primary is killed, the standby promoted: no acknowledged write is lost, writes are back within 10 s,
                 and with store.staleIfError=60 no resolve fails
  freeze         the database is frozen (SIGSTOP): no request hangs beyond its deadline
  cut            the network to the database is cut and healed (needs root: ip netns, iptables)
  reset          connections are reset in mid-commit
  pgbouncer      with pgbouncer between, in transaction mode
  metrics        a real Prometheus scrapes the replicas, takes the alerts, and answers the dashboard's queries
  tls            sslmode=verify-full with a CA of the test's own, with another, and under another name

--quick takes smaller numbers and the parts that CI has time for. Exit codes: 0 all is well, 1 a violation, 69 something
needed is unavailable.
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import waymark
from ports import free_port

LINK = "navigation%3A%2F%2Floremipsum.com%2Fcharacters"
LEVELS = ["none", "onboardingCompleted", "signedInUser", "premiumUser"]
failures = []


def say(text):
    print(f"cluster: {text}", flush=True)


def expect(name, holds, found):
    say(f"{'ok  ' if holds else 'FAIL'} {name}: {found}")
    if not holds:
        failures.append(name)


class Postgres:
    """A server, by an ordinary user, on a socket in its folder and on TCP."""

    def __init__(self, folder, port, host="127.0.0.1", prefix=()):
        self.folder, self.port, self.host, self.prefix = pathlib.Path(folder), port, host, list(prefix)
        self.bin = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        self.data = self.folder / "data"

    def run(self, *words, **rest):
        user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
        return subprocess.run([*self.prefix, *user, *map(str, words)], check=True, capture_output=True, text=True,
                              cwd="/", **rest).stdout

    def make(self):
        self.folder.mkdir(mode=0o755)
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
        self.run(self.bin / "initdb", "-D", self.data, "-U", "waymark", "-A", "trust", "-E", "UTF8", "--no-locale")
        with (self.data / "pg_hba.conf").open("a") as hba:
            hba.write("host all all 0.0.0.0/0 trust\nhost replication all 0.0.0.0/0 trust\n")
        self.start()
        self.run(self.bin / "createdb", "-h", self.folder, "-p", self.port, "-U", "waymark", "waymark")
        return self

    def follow(self, primary):
        """Makes this the standby of another."""
        self.folder.mkdir(mode=0o755)
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
        self.run(self.bin / "pg_basebackup", "-D", self.data, "-h", primary.folder, "-p", primary.port, "-U", "waymark",
                 "-R", "-X", "stream", "-c", "fast")
        with (self.data / "postgresql.auto.conf").open("a") as conf:
            conf.write(f"primary_conninfo = 'host={primary.folder} port={primary.port} user=waymark "
                       "application_name=standby'\n")
        self.start()
        return self

    def start(self):
        options = (f"-p {self.port} -c listen_addresses={self.host} -c unix_socket_directories={self.folder} "
                   "-c max_connections=100 -c hot_standby=on -c wal_level=replica -c log_min_messages=fatal")
        self.run(self.bin / "pg_ctl", "-D", self.data, "-w", "-l", self.folder / "log", "-o", options, "start",
                 stdin=subprocess.DEVNULL)

    def sql(self, text, database="waymark"):
        return self.run("psql", "-h", self.folder, "-p", self.port, "-U", "waymark", "-d", database, "-qtAc", text).strip()

    @property
    def pid(self):
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def signal_all(self, number):
        """Sends a signal to all processes of the server."""
        for one in waymark.family(self.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, number)

    def promote(self):
        self.run(self.bin / "pg_ctl", "-D", self.data, "-w", "promote")

    def stop(self):
        with contextlib.suppress(Exception):
            self.signal_all(signal.SIGCONT)
            self.run(self.bin / "pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def uri(self, *others):
        every = [self, *others]
        hosts, ports = ",".join(str(one.folder) for one in every), ",".join(str(one.port) for one in every)
        return f"postgres://waymark@/waymark?host={hosts}&port={ports}"


class Replicas:
    """Some replicas, and HAProxy before them."""

    def __init__(self, binary, uri, folder, count=3, arguments=()):
        self.binary, self.uri, self.folder, self.arguments = binary, uri, pathlib.Path(folder), arguments
        self.ports = [free_port() for _ in range(count)]
        self.servers = [None] * count
        for index in range(count):
            self.start(index)
        self.port = free_port()
        config = self.folder / "haproxy.cfg"
        servers = "\n".join(f"  server w{index} 127.0.0.1:{port} check inter 250ms fall 1 rise 1"
                            for index, port in enumerate(self.ports))
        config.write_text(f"""
global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  retries 3
  option redispatch
frontend all
  bind 127.0.0.1:{self.port}
  default_backend replicas
backend replicas
  balance roundrobin
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1
  # A request that a closed connection has not answered may be sent again if that changes nothing.
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless METH_GET
{servers}
""")
        self.haproxy = subprocess.Popen(["haproxy", "-f", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                if Client(self.port).get("/readyz")[0] == 200:
                    return
            time.sleep(0.05)
        self.stop()
        raise RuntimeError("HAProxy does not answer")

    def start(self, index):
        self.servers[index] = waymark.Server(
            self.binary, self.uri, log=self.folder / f"replica-{index}-{time.monotonic_ns()}.log",
            arguments=("--port", str(self.ports[index]), "--insecure-no-auth", "--drain-seconds", "1", *self.arguments))

    def stop(self):
        for server in self.servers:
            server.kill()
        self.haproxy.kill()
        self.haproxy.wait()


class Client:
    """A connection that is kept, and made anew where it broke."""

    def __init__(self, port, timeout=30, host="127.0.0.1"):
        self.port, self.timeout, self.host = port, timeout, host
        self.connection = None

    def request(self, method, path, body=None, fields=None):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
        try:
            headers = {"Host": "127.0.0.1", **(fields or {})}
            if body is not None:
                headers.setdefault("Content-Type", "application/json")
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            data = answer.read()
            if answer.will_close:
                self.close()
            return answer.status, data, answer.headers
        except BaseException:
            self.close()
            raise

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def get(self, path, fields=None):
        return self.request("GET", path, None, fields)

    def write(self, user, level, end):
        body = json.dumps({"authorizationLevel": level, "validUntil": f"2099-01-01T00:{end // 60 % 60:02}:{end % 60:02}Z"})
        return self.request("POST", f"/v1/users/{user}", body)


class Load:
    """Threads that write and resolve until they are told to stop, and what has come of it."""

    def __init__(self, port, writers=8, readers=8, users=200):
        self.port, self.users = port, users
        self.isRunning = True
        self.acknowledged, self.unknown = {}, set()
        self.writes, self.reads = [], []  # (moment, seconds, status)
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.write, args=(number,)) for number in range(writers)]
        self.threads += [threading.Thread(target=self.read, args=(number,)) for number in range(readers)]
        for thread in self.threads:
            thread.start()

    @staticmethod
    def warm(ports):
        """Lets all replicas meet all users: of others nothing is in memory when the database goes away."""
        for port in ports:
            client = Client(port)
            for number in range(160):
                client.get(f"/v1/resolve?link={LINK}&user=load-{number // 20}-{number % 20}")

    def timed(self, into, call):
        begin = time.monotonic()
        try:
            status, data, headers = call()
        except Exception as error:
            status, data, headers = type(error).__name__, b"", {}
        with self.lock:
            into.append((begin, time.monotonic() - begin, status))
        return status, data, headers

    def write(self, number):
        client, count = Client(self.port), 0
        while self.isRunning:
            count += 1
            # Each user has one writer, so that versions tell what is there.
            user = f"load-{number}-{count % 20}"
            status, data, _ = self.timed(self.writes, lambda: client.write(user, LEVELS[count % 4], count))
            if status in (200, 201):
                self.acknowledged[user] = max(self.acknowledged.get(user, 0), json.loads(data)["version"])
            else:
                time.sleep(0.05)

    def read(self, number):
        client = Client(self.port)
        while self.isRunning:
            user = f"load-{random.randrange(8)}-{random.randrange(20)}"
            status, _, _ = self.timed(self.reads, lambda: client.get(f"/v1/resolve?link={LINK}&user={user}"))
            if status not in (200, 403):
                time.sleep(0.02)

    def stop(self):
        self.isRunning = False
        for thread in self.threads:
            thread.join()

    def lost(self, port):
        """Returns the acknowledged writes that are not there."""
        client, lost = Client(port), []
        for user, version in self.acknowledged.items():
            status, data, _ = client.get(f"/v1/users/{user}")
            if status != 200 or json.loads(data)["version"] < version:
                lost.append((user, version, data[:200]))
        return lost

    @staticmethod
    def failed(calls, good=(200, 201, 403)):
        return [call for call in calls if call[2] not in good]


class Cluster:
    def __init__(self, arguments):
        self.quick, self.binary = arguments.quick, arguments.binary
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="waymark-cluster.", dir=os.environ.get("TMPDIR", "/var/tmp")))
        self.folder.chmod(0o755)
        self.counter = 0

    def new_folder(self, name):
        self.counter += 1
        folder = self.folder / f"{name}-{self.counter}"
        folder.mkdir(mode=0o755)
        return folder

    @contextlib.contextmanager
    def pair(self):
        """A primary with a synchronous standby."""
        folder = self.new_folder("pair")
        if os.getuid() == 0:
            shutil.chown(folder, "nobody", "nogroup")
        primary = Postgres(folder / "one", free_port()).make()
        standby = Postgres(folder / "two", free_port()).follow(primary)
        try:
            primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
            primary.sql("SELECT pg_reload_conf()")
            yield primary, standby
        finally:
            standby.stop()
            primary.stop()

    @contextlib.contextmanager
    def replicas(self, uri, *, count=3, arguments=()):
        replicas = Replicas(self.binary, uri, self.new_folder("replicas"), count, arguments)
        try:
            yield replicas
        finally:
            if os.environ.get("KEEP"): shutil.copytree(replicas.folder, os.environ["KEEP"], dirs_exist_ok=True)
            replicas.stop()

    # Parts

    def versions(self, primary, standby):
        """What is written on one replica is read by its version on another, and without one within a second."""
        pairs = 3000 if self.quick else 100_000
        with self.replicas(primary.uri(standby)) as replicas:
            stale, refused, done = [0], [0], [0]
            lock = threading.Lock()

            def work(number, count):
                clients = [Client(port) for port in replicas.ports]
                for round in range(count):
                    user, level = f"pair-{number}-{round % 50}", LEVELS[1 + round % 3]
                    one = random.randrange(3)
                    # The other has it in memory, mostly.
                    other = clients[(one + 1 + random.randrange(2)) % 3]
                    status, data, _ = clients[one].write(user, level, round)
                    version = json.loads(data)["version"]
                    status, data, _ = other.get(f"/v1/resolve?link={LINK}&user={user}",
                                                {"Waymark-User-Version": str(version)})
                    body = json.loads(data)
                    found = body["authorizationLevel"]["user"] if status == 200 else body.get("userLevel")
                    with lock:
                        done[0] += 1
                        # A database that takes longer than a second, on a loaded machine, is no answer of another level.
                        isRefused = status == 503
                        refused[0] += isRefused
                        stale[0] += not isRefused and found != level

            threads = [threading.Thread(target=work, args=(number, pairs // 8)) for number in range(8)]
            begin = time.monotonic()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            seconds = time.monotonic() - begin
            expect("read your writes", stale[0] == 0 and refused[0] <= pairs // 100 and done[0] == pairs // 8 * 8,
                   f"{stale[0]} stale, {refused[0]} refused of {done[0]} pairs in {seconds:.0f} s")

            load = Load(replicas.port, writers=2, readers=4)
            worst, seen, client = 0.0, 0, Client(replicas.ports[0])
            readers = [Client(port) for port in replicas.ports[1:]]
            end = time.monotonic() + (10 if self.quick else 600)
            while time.monotonic() < end:
                level = LEVELS[2 + seen % 2]
                for reader in readers:
                    reader.get(f"/v1/resolve?link={LINK}&user=watched")
                client.write("watched", level, seen)
                written = time.monotonic()
                for reader in readers:
                    while True:
                        asked = time.monotonic()
                        status, data, _ = reader.get(f"/v1/resolve?link={LINK}&user=watched")
                        body = json.loads(data)
                        found = body["authorizationLevel"]["user"] if status == 200 else body.get("userLevel")
                        if found == level:
                            break
                        # An answer that was asked for then was old.
                        worst = max(worst, asked - written)
                        time.sleep(0.005)
                seen += 1
            load.stop()
            expect("a change is seen everywhere within a second", worst < 1.0,
                   f"worst {worst * 1000:.0f} ms of {seen} changes, beside {len(load.reads)} resolves and "
                   f"{len(load.writes)} writes")

    def idle(self, primary, standby):
        """An idle replica makes at most ten calls a second."""
        with self.replicas(primary.uri(standby), count=1):
            time.sleep(2)
            count = "SELECT pg_stat_force_next_flush(), xact_commit FROM pg_stat_database WHERE datname = 'waymark'"
            before = int(primary.sql(count).split("|")[1])
            seconds = 5 if self.quick else 20
            time.sleep(seconds)
            rate = (int(primary.sql(count).split("|")[1]) - before) / seconds
            expect("an idle replica", rate <= 10, f"{rate:.1f} transactions a second")

    def continuations(self, primary, standby):
        """A continuation is granted once, tokens are refused everywhere within a second, and the key is one."""
        with self.replicas(primary.uri(standby)) as replicas:
            clients = [Client(port) for port in replicas.ports]
            status, data, _ = clients[0].get(f"/v1/resolve?link={LINK}")
            token = json.loads(data)["continuation"]
            for number in range(50):
                clients[0].write(f"redeemer-{number}", "premiumUser", number)
            answers = []

            def redeem(number):
                body = json.dumps({"token": token, "user": f"redeemer-{number}"})
                answers.append(Client(replicas.ports[number % 3]).request("POST", "/v1/continuations", body)[0])

            threads = [threading.Thread(target=redeem, args=(number,)) for number in range(50)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            expect("a continuation is granted once", answers.count(200) == 1 and set(answers) <= {200, 400, 410},
                   {status: answers.count(status) for status in sorted(set(answers))})
            text = waymark.command(self.binary, "token", "create", "--role", "admin", database=primary.uri(standby))
            secret = text.split()[-1]
            fields = {"Authorization": f"Bearer {secret}"}
            deadline = time.monotonic() + 5
            while time.monotonic() < deadline and any(c.get("/v1/users", fields)[0] != 200 for c in clients):
                time.sleep(0.02)
            waymark.command(self.binary, "token", "revoke", secret, database=primary.uri(standby))
            begin, last = time.monotonic(), 0.0
            while time.monotonic() - begin < 3:
                if any(client.get("/v1/users", fields)[0] == 200 for client in clients):
                    last = time.monotonic() - begin
                time.sleep(0.01)
            expect("a revoked token is refused on all replicas within a second", last < 1.0, f"last let in after {last * 1000:.0f} ms")

    def kill(self, primary, standby):
        """kill -9 of a replica: what was acknowledged is there, and others go on."""
        with self.replicas(primary.uri(standby)) as replicas:
            load = Load(replicas.port)
            for index in range(3 if self.quick else 9):
                time.sleep(1.5)
                replicas.servers[index % 3].kill()
                time.sleep(0.5)
                replicas.start(index % 3)
            time.sleep(1)
            load.stop()
            lost, bad = load.lost(replicas.port), load.failed(load.reads)
            expect("kill -9 of replicas", not lost and not bad,
                   f"{len(lost)} lost of {len(load.acknowledged)} users' writes ({len(load.writes)} writes, "
                   f"{len(load.failed(load.writes))} broken off), {len(bad)} failed resolves of {len(load.reads)}")

    def rolling(self, primary, standby):
        """A rolling restart of all replicas: no request fails."""
        with self.replicas(primary.uri(standby)) as replicas:
            wanted = 10_000 if self.quick else 100_000
            load, rounds = Load(replicas.port, writers=8, readers=16), 0
            while len(load.reads) + len(load.writes) < wanted:
                for index in range(3):
                    time.sleep(0.3)
                    replicas.servers[index].stop()
                    replicas.start(index)
                    time.sleep(0.7)
                rounds += 1
            load.stop()
            bad = load.failed(load.reads) + load.failed(load.writes)
            expect("rolling restart", not bad and not load.lost(replicas.port),
                   f"{len(bad)} failed of {len(load.reads) + len(load.writes)} requests in {rounds} rounds {bad[:3]}")

    def failover(self, primary, standby):
        """The primary is killed and the standby promoted: nothing acknowledged is lost, and nobody waits for long."""
        with self.replicas(primary.uri(standby), arguments=("--stale-if-error", "60")) as replicas:
            Load.warm(replicas.ports)
            load = Load(replicas.port)
            time.sleep(3)
            killed = time.monotonic()
            primary.signal_all(signal.SIGKILL)
            time.sleep(1)
            line = json.dumps({"link": urllib.parse.unquote(LINK), "user": "load-0-0"}) + "\n"
            batches = [Client(port).request("POST", "/v1/resolve/batch", line, {"Content-Type": "application/x-ndjson"})
                       for port in replicas.ports]
            standby.promote()
            # Alone, it has nobody to wait for.
            standby.sql("ALTER SYSTEM RESET synchronous_standby_names")
            standby.sql("SELECT pg_reload_conf()")
            time.sleep(10)
            load.stop()
            done = sorted([killed] + [begin + seconds for begin, seconds, status in load.writes
                                      if begin + seconds > killed and status in (200, 201)])
            gap = max((after - before for before, after in zip(done, done[1:])), default=99)
            lost, bad = load.lost(replicas.port), load.failed(load.reads)
            kinds = {status: [c[2] for c in load.failed(load.writes)].count(status)
                     for status in {c[2] for c in load.failed(load.writes)}}
            expect("failover: no acknowledged write is lost", not lost, f"{len(lost)} of {len(load.acknowledged)} {lost[:2]}")
            expect("failover: writes are back within 10 s", gap < 10,
                   f"the longest time without one was {gap:.1f} s; failed meanwhile {kinds}")
            marks = [headers.get("Warning", "none")[:3] for _, _, headers in batches]
            expect("failover: a batch says that its levels may be out of date", marks == ["110"] * 3, marks)
            expect("failover: no resolve fails with store.staleIfError=60", not bad,
                   f"{len(bad)} of {len(load.reads)}, longest {max(c[1] for c in load.reads):.1f} s {bad[:3]}")

    def freeze(self, primary, standby):
        """The database is frozen: no request hangs."""
        with self.replicas(primary.uri(standby)) as replicas:
            load = Load(replicas.port)
            time.sleep(2)
            primary.signal_all(signal.SIGSTOP)
            begin = time.monotonic()
            time.sleep(8 if self.quick else 20)
            primary.signal_all(signal.SIGCONT)
            thawed = time.monotonic()
            time.sleep(4)
            load.stop()
            reads = max(seconds for moment, seconds, _ in load.reads)
            writes = max(seconds for moment, seconds, _ in load.writes)
            back = [moment + seconds - thawed for moment, seconds, status in load.writes
                    if moment + seconds > thawed and status in (200, 201)]
            expect("frozen database", reads < 4 and writes < 12, f"longest resolve {reads:.1f} s, longest write {writes:.1f} s")
            expect("frozen database: nothing acknowledged is lost, writes are back",
                   not load.lost(replicas.port) and bool(back), f"back {back[0] if back else -1:.1f} s after the thaw")

    def cut(self, *_):
        """The network is cut and healed, in a namespace of its own."""
        name, number = f"wm{os.getpid() % 10000}", os.getpid() % 200
        ours, theirs = f"10.222.{number}.1", f"10.222.{number}.2"

        def ip(*words):
            subprocess.run(["ip", *words], check=True, capture_output=True)

        ip("netns", "add", name)
        try:
            ip("link", "add", f"{name}a", "type", "veth", "peer", "name", f"{name}b")
            ip("link", "set", f"{name}b", "netns", name)
            ip("addr", "add", f"{ours}/30", "dev", f"{name}a")
            ip("link", "set", f"{name}a", "up")
            ip("-n", name, "addr", "add", f"{theirs}/30", "dev", f"{name}b")
            ip("-n", name, "link", "set", f"{name}b", "up")
            ip("-n", name, "link", "set", "lo", "up")
            folder = self.new_folder("cut")
            if os.getuid() == 0:
                shutil.chown(folder, "nobody", "nogroup")
            server = Postgres(folder / "one", 5432, host=theirs, prefix=("ip", "netns", "exec", name)).make()
            try:
                uri = f"postgres://waymark@{theirs}:5432/waymark"
                with self.replicas(uri, arguments=("--stale-if-error", "60")) as replicas:
                    Load.warm(replicas.ports)
                    load = Load(replicas.port)
                    time.sleep(2)
                    rule = ["ip", "netns", "exec", name, "iptables"]
                    subprocess.run([*rule, "-A", "INPUT", "-s", ours, "-j", "DROP"], check=True)
                    subprocess.run([*rule, "-A", "OUTPUT", "-d", ours, "-j", "DROP"], check=True)
                    time.sleep(8 if self.quick else 20)
                    subprocess.run([*rule, "-F"], check=True)
                    healed = time.monotonic()
                    time.sleep(8)
                    load.stop()
                    back = [moment + seconds - healed for moment, seconds, status in load.writes
                            if moment + seconds > healed and status in (200, 201)]
                    lost, bad = load.lost(replicas.port), load.failed(load.reads)
                    expect("network cut and healed", not lost and bool(back) and back[0] < 10 and not bad,
                           f"{len(lost)} lost, writes back {back[0] if back else -1:.1f} s after the healing, {len(bad)} failed "
                           f"resolves of {len(load.reads)}, longest {max(c[1] for c in load.reads):.1f} s")
            finally:
                server.stop()
        finally:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)

    def reset(self, primary, standby):
        """Connections are reset in mid-commit, before or after the server has seen it: each write is made once, and told."""
        proxy = CommitCutter(str(primary.folder / f".s.PGSQL.{primary.port}"))
        uri = f"postgres://waymark@127.0.0.1:{proxy.port}/waymark?sslmode=disable"
        with self.replicas(uri, count=1) as replicas:
            client, versions, codes = Client(replicas.port), {}, {}
            proxy.isCutting = True
            for number in range(60 if self.quick else 600):
                user = f"reset-{number % 7}"
                status, data, _ = client.write(user, LEVELS[number % 4], number)
                codes[status] = codes.get(status, 0) + 1
                if status in (200, 201):
                    version = json.loads(data)["version"]
                    if version != versions.get(user, 0) + 1:
                        expect("a write is made once", False, f"{user} went from {versions.get(user, 0)} to {version}")
                    versions[user] = version
            proxy.isCutting = False
            same = all(json.loads(client.get(f"/v1/users/{user}")[1])["version"] == version
                       for user, version in versions.items())
            expect("connections reset in mid-commit", set(codes) <= {200, 201} and same and proxy.cuts > 5,
                   f"{proxy.cuts} cut ({proxy.before} before the server, {proxy.after} behind it), answers {codes}")
        proxy.close()

    def pgbouncer(self, primary, standby):
        """pgbouncer in transaction mode: statements of one connection go to several servers."""
        folder, port = self.new_folder("pgbouncer"), free_port()
        if os.getuid() == 0:
            shutil.chown(folder, "nobody", "nogroup")
        (folder / "users.txt").write_text('"waymark" ""\n')
        (folder / "pgbouncer.ini").write_text(f"""
[databases]
waymark = host={primary.folder} port={primary.port} user=waymark
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
auth_file = {folder}/users.txt
pool_mode = transaction
default_pool_size = 4
logfile = {folder}/log
""")
        user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
        pooler = subprocess.Popen([*user, "pgbouncer", "-q", str(folder / "pgbouncer.ini")])
        try:
            time.sleep(1)
            uri = f"postgres://waymark@127.0.0.1:{port}/waymark?sslmode=disable"
            with self.replicas(uri) as replicas:
                load = Load(replicas.port)
                time.sleep(3 if self.quick else 15)
                load.stop()
                bad = load.failed(load.reads) + load.failed(load.writes)
                expect("pgbouncer in transaction mode works", not bad and not load.lost(replicas.port),
                       f"{len(bad)} failed of {len(load.reads)} resolves and {len(load.writes)} writes {bad[:3]}")
            settings = folder / "pgbouncer.ini"
            settings.write_text(settings.read_text().replace("pool_mode = transaction", "pool_mode = statement"))
            pooler.send_signal(signal.SIGHUP)
            time.sleep(1)
            refused = subprocess.run([self.binary, "serve", "--port", "0", "--database", uri], capture_output=True, text=True)
            expect("pgbouncer in statement mode is refused at the start",
                   refused.returncode == 69 and "pool_mode" in refused.stderr, refused.stderr)
        finally:
            pooler.terminate()
            pooler.wait()

    def tls(self, primary, standby):
        """TLS to the database: the server's name is checked against a CA of this test's own."""
        folder = self.new_folder("tls")

        def openssl(*words):
            subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, cwd=folder)

        for name in ("ca", "other"):
            openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                    "-keyout", f"{name}.key", "-out", f"{name}.pem")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr")
        (folder / "names").write_text("subjectAltName=DNS:localhost\n")
        openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
                "-extfile", "names", "-out", "server.pem")
        for name in ("server.key", "server.pem"):
            shutil.copy(folder / name, primary.data / name)
            if os.getuid() == 0:
                shutil.chown(primary.data / name, "nobody", "nogroup")
        (primary.data / "server.key").chmod(0o600)
        for setting in ("ssl = on", "ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'"):
            primary.sql(f"ALTER SYSTEM SET {setting}")
        primary.sql("SELECT pg_reload_conf()")
        time.sleep(0.5)

        def opens(host, authority, mode="verify-full"):
            uri = f"postgres://waymark@{host}:{primary.port}/waymark?sslmode={mode}&sslrootcert={folder}/{authority}.pem"
            try:
                waymark.command(self.binary, "database", "migrate", database=uri)
            except waymark.CommandFailed as failed:
                return str(failed)
            return "opened"

        found = opens("localhost", "ca")
        expect("verify-full with the right CA and name", found == "opened", found)
        for name, found in {"another CA": opens("localhost", "other"), "another name": opens("127.0.0.1", "ca")}.items():
            expect(f"verify-full refuses {name}", found != "opened" and "ended with 69" in found, found[-150:])


    @contextlib.contextmanager
    def server_with_keys(self, folder):
        """A server of a file with keys of end users and both logs; its port. The token of its monitor is in `token`."""
        # The key of RFC 8037, appendix A.2.
        key = {"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "kid": "one", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
        (folder / "keys.json").write_text(json.dumps({"keys": [key]}))
        database = folder / "keyed.sqlite"
        token = waymark.command(self.binary, "token", "create", "--role", "monitor", "--create", database=database)
        (folder / "token").write_text(token.split()[-1])
        with waymark.Server(self.binary, database, log=folder / "keyed.log", arguments=(
                "--log-requests", "true", "--resolution-log-path", f"{folder}/resolutions", "--jwt-issuer", "https://id.example",
                "--jwt-audience", "app", "--jwt-keys", f"{folder}/keys.json")) as server:
            yield server.port

    def metrics(self, primary, standby):
        """A real Prometheus scrapes three replicas and a server of a file with keys and all logs, takes the alerts, and answers
        every query of the dashboard."""
        samples = self.new_folder("samples")
        for name in ("prometheus.yaml", "alerts.yaml", "dashboard.json"):
            shutil.copy(waymark.CHECKOUT / "Config/deploy" / name, samples)
        (samples / "waymark-token").write_text("")
        promtool = shutil.which("promtool")
        for check in (["config", "prometheus.yaml"], ["rules", "alerts.yaml"]):
            done = subprocess.run([promtool, "check", *check], cwd=samples, capture_output=True, text=True)
            expect(f"promtool check {check[0]}", done.returncode == 0, (done.stdout + done.stderr).strip()[-120:].replace("\n", " "))
        folder = self.new_folder("prometheus")
        with self.replicas(primary.uri(standby)) as replicas, self.server_with_keys(folder) as keyed:
            text = Client(replicas.ports[0]).request("GET", "/metrics")
            done = subprocess.run([promtool, "check", "metrics"], input=text[1].decode(), capture_output=True, text=True)
            expect("promtool check metrics", done.returncode == 0, (done.stdout + done.stderr).strip() or "nothing to say")
            port = free_port()
            targets = ", ".join(f'"127.0.0.1:{one}"' for one in replicas.ports)
            config = (samples / "prometheus.yaml").read_text()
            for old, new in (("scrape_interval: 15s", "scrape_interval: 1s, evaluation_interval: 1s"),
                             ("rule_files: [alerts.yaml]", f"rule_files: [{samples}/alerts.yaml]"),
                             ("    authorization: { credentials_file: waymark-token }\n", ""), ('"127.0.0.1:8080"', targets)):
                config = config.replace(old, new)
            # It has a log of the store, keys and a resolution log, as replicas here don't. The job list ends the file.
            config += f"""  - job_name: keyed
    authorization: {{ credentials_file: {folder}/token }}
    static_configs: [{{ targets: ["127.0.0.1:{keyed}"], labels: {{ job: waymark }} }}]
"""
            (folder / "prometheus.yaml").write_text(config)
            server = subprocess.Popen(
                ["prometheus", f"--config.file={folder}/prometheus.yaml", f"--storage.tsdb.path={folder}/data",
                 f"--web.listen-address=127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=(folder / "log").open("w"))
            try:
                load = Load(replicas.port)
                time.sleep(8)
                load.stop()

                def query(text):
                    answer = Client(port).request("GET", "/api/v1/query?" + urllib.parse.urlencode({"query": text}))
                    body = json.loads(answer[1])
                    return body["data"]["result"] if body["status"] == "success" else None

                up = query('sum(up{job="waymark"})')
                expect("Prometheus scrapes all four servers", up and up[0]["value"][1] == "4", up)
                # Nobody redeemed a continuation, and the servers are behind a proxy.
                may_be_empty = ("continuations", '5..', "tls_certificate")
                for panel in json.loads((samples / "dashboard.json").read_text())["panels"]:
                    for target in panel["targets"]:
                        expression = target["expr"].replace("$__rate_interval", "30s")
                        found = query(expression)
                        holds = found is not None and (found or any(word in expression for word in may_be_empty))
                        expect(f"the dashboard's {panel['title']}", holds, "no answer" if found is None else f"{len(found)} series")
                rules = json.loads(Client(port).request("GET", "/api/v1/rules")[1])["data"]["groups"][0]["rules"]
                expect("the alerts are evaluated", all(rule["health"] == "ok" for rule in rules),
                       {rule["name"]: rule["health"] for rule in rules})
            finally:
                server.terminate()
                server.wait()


class CommitCutter:
    """A proxy before PostgreSQL that resets some connections when a COMMIT passes: before the server sees it, or behind."""

    def __init__(self, path):
        self.path, self.isCutting, self.cuts, self.before, self.after = path, False, 0, 0, 0
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen()
        self.port = self.listener.getsockname()[1]
        self.commit = None
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self.path)
                state = {"names": set(), "cut": False}
                threading.Thread(target=self.forward, args=(client, server, state), daemon=True).start()
                threading.Thread(target=self.back, args=(server, client, state), daemon=True).start()

    def forward(self, client, server, state):
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                # A commit that writes: prepared under a name that was seen with the text.
                place = data.find(b"COMMIT\0")
                if place > 0:
                    name = data.rfind(b"P", 0, place)
                    state["names"].add(data[name + 5:data.find(b"\0", name + 5)])
                has_commit = any(b"\0" + name + b"\0" in data for name in state["names"]) or place > 0
                if self.isCutting and has_commit and random.random() < 0.3:
                    self.cuts += 1
                    if random.random() < 0.5:
                        self.before += 1
                        break
                    self.after += 1
                    state["cut"] = True
                server.sendall(data)
        for one in (client, server):
            with contextlib.suppress(OSError):
                if one is client:
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                # Else the other thread, which reads from it, would keep it open.
                one.shutdown(socket.SHUT_RDWR)
                one.close()

    def back(self, server, client, state):
        with contextlib.suppress(OSError):
            while data := server.recv(65536):
                if state["cut"]:
                    break
                client.sendall(data)
        for one in (client, server):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.listener.close()


PARTS = ["versions", "idle", "continuations", "kill", "rolling", "failover", "freeze", "cut", "reset", "pgbouncer", "tls", "metrics"]
QUICK = ["versions", "idle", "continuations", "kill", "failover", "reset", "tls", "metrics"]


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/prove cluster", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("parts", nargs="*")
    arguments = parser.parse_args()
    waymark.unwind_when_terminated()
    cluster = Cluster(arguments)
    try:
        for name in arguments.parts or (QUICK if arguments.quick else PARTS):
            begin = time.monotonic()
            with cluster.pair() if name != "cut" else contextlib.nullcontext((None, None)) as (primary, standby):
                getattr(cluster, name)(primary, standby)
            say(f"     {name} took {time.monotonic() - begin:.0f} s")
    finally:
        shutil.rmtree(cluster.folder, ignore_errors=True)
    if failures:
        say(f"{len(failures)} failed: {', '.join(failures)}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
