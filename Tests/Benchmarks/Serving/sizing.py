"""What users, changes and counts take of disk and memory, what a backup, a restart and an erasure cost; `scripts/bench sizing` prints it.

Bytes are counted, so they hold elsewhere; seconds are those of processors (user and system), which other programs at work hardly
change, and where they are of the clock, they say so.
"""

import argparse
import contextlib
import json
import os
import pathlib
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Cluster"))

import waymark
from cluster import LINK, Client, Postgres
from ports import free_port

rows = []
OPEN = ("--insecure-no-auth",)
PERSON = "person-who-is-erased-4711"


def note(what, value):
    rows.append((what, value))
    print(f"sizing: {what}: {value}", file=sys.stderr, flush=True)


def lines(count, level):
    """Users with UUIDs as ids, as most have, and always the same ones."""
    return "".join(json.dumps({"id": str(uuid.UUID(int=number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128)), "authorizationLevel": level})
                   + "\n" for number in range(1, count + 1))


def timed(binary, *words, database, input=None):
    """Runs a command; returns the seconds of processors, and of the clock."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    waymark.command(binary, *words, database=database, input=input)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - begin


def size(database):
    """The bytes of a database file whose log is in it."""
    return database.stat().st_size


def occurrences(folder, text):
    """How often a text is in the files of a folder."""
    found = 0
    for path in pathlib.Path(folder).rglob("*"):
        with contextlib.suppress(OSError):
            if path.is_file():
                found += path.read_bytes().count(text.encode())
    return found


def of_file(binary, folder, count):
    """What a SQLite file takes."""
    database = folder / "states.sqlite"
    cpu, _ = timed(binary, "user", "import", "--create", database=database, input=lines(count, "signedInUser"))
    first = size(database)
    note("SQLite: bytes of a user with a UUID as id, and one change", f"{first / count:.0f}")
    note("SQLite: processor time of importing a user", f"{cpu / count * 1e6:.0f} µs")
    timed(binary, "user", "import", database=database, input=lines(count, "premiumUser"))
    second = size(database)
    note("SQLite: bytes of each further change in the history", f"{(second - first) / count:.0f}")
    copy = folder / "copy.sqlite"
    cpu, clock = timed(binary, "backup", copy, database=database)
    note(f"backup of {count:,} users and {2 * count:,} changes, {size(copy) / 2**20:.0f} MiB",
         f"{cpu:.1f} s of a processor, {clock:.1f} s by the clock")
    copy.unlink()
    return database


def of_rows(binary, folder, postgres, count):
    """What counts and kept answers take; of a small database, since they are independent of users."""
    database = folder / "rows.sqlite"
    waymark.command(binary, "user", "set", "ada", "none", "--create", database=database)
    before = size(database)
    connection = sqlite3.connect(database)
    connection.executemany("INSERT INTO link_count VALUES (?, ?, ?, ?, ?)",
                           ((20_000 + n // 250, f"productDetails{n % 50:02}", "", ("opened", "failed", "page", "preview", "redirected")[n // 50 % 5],
                             n + 1) for n in range(count)))
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    note("SQLite: bytes of a count (of a day, route, label and outcome)", f"{(size(database) - before) / count:.0f}")
    postgres.sql(f"""INSERT INTO link_count SELECT 20000 + n / 250, 'productDetails' || lpad((n % 50)::text, 2, '0'), '',
        (ARRAY['opened', 'failed', 'page', 'preview', 'redirected'])[n / 50 % 5 + 1], n + 1 FROM generate_series(0, {count - 1}) AS n""")
    postgres.sql("VACUUM link_count")
    note("PostgreSQL: bytes of a count", f"{int(postgres.sql('SELECT pg_total_relation_size($$link_count$$)')) / count:.0f}")
    waymark.command(binary, "user", "set", "ada", "none", database=database)
    wanted = min(count, 5_000)
    before = size(database)
    with waymark.Server(binary, database, arguments=OPEN) as server:
        client = Client(server.port)
        for number in range(wanted):
            status, _, _ = client.request("POST", "/v1/users/ada", '{"authorizationLevel":"none"}',
                                          {"Idempotency-Key": str(uuid.uuid4())})
            if status != 200:
                raise RuntimeError(f"a repeatable write is answered {status}")
        client.close()
    note("SQLite: bytes of an answer that is kept for its Idempotency-Key", f"{(size(database) - before) / wanted:.0f}")


def of_memory(binary, database, count, name, log):
    """What a cached user takes, and what a start takes."""
    arguments = (*OPEN, "--maximum-cached-users", str(count))
    with waymark.Server(binary, database, arguments=arguments, log=log) as server:
        before = waymark.resident_kib(server.pid)
        body = "".join(json.dumps({"link": "navigation://loremipsum.com/characters", "user": json.loads(line)["id"]}) + "\n"
                       for line in lines(count, "none").splitlines())
        answers = 0
        for part in range(0, count, 10_000):
            text = "\n".join(body.split("\n")[part:part + 10_000]) + "\n"
            client = Client(server.port, timeout=600)
            status, data, _ = client.request("POST", "/v1/resolve/batch", text, {"Content-Type": "application/x-ndjson"})
            answers += data.count(b'"stack"')
            client.close()
        after = waymark.resident_kib(server.pid)
        if answers < count:
            raise RuntimeError(f"{answers} of {count} users are answered")
        note(f"{name}: memory of a cached user with a UUID as id, of {count:,}", f"{(after - before) * 1024 / count:.0f} bytes")


def of_restarts(binary, database):
    """How long nobody listens while a server of a file ends and the next one starts; and after kill -9."""
    gaps = []
    for _ in range(5):
        server = waymark.Server(binary, database, arguments=OPEN)
        begin = time.monotonic()
        server.stop()
        with waymark.Server(binary, database, arguments=OPEN):
            gaps.append(time.monotonic() - begin)
    note(f"restart with a file of {size(database) / 2**20:.0f} MiB, from the signal until the next one listens, the middle of five",
         f"{sorted(gaps)[2] * 1000:.0f} ms by the clock")
    server = waymark.Server(binary, database, arguments=OPEN)
    Client(server.port).write("late", "premiumUser", 1)
    server.kill()
    begin = time.monotonic()
    with waymark.Server(binary, database, arguments=OPEN) as server:
        listens = time.monotonic() - begin
        client = Client(server.port)
        while b"degraded" in client.get("/readyz")[1]:
            time.sleep(0.02)
        writes, cpu = time.monotonic() - begin, waymark.cpu_seconds(server.pid)
        client.close()
    note("the same after kill -9: it listens and reads, until the file is checked and takes writes",
         f"{listens * 1000:.0f} ms, {writes:.1f} s by the clock, {cpu:.1f} s of a processor")


def of_long_reads(binary, folder):
    """What a program does to the log that keeps a read transaction open, as Litestream does."""
    database, wanted = folder / "long.sqlite", 10_000
    log, sizes = pathlib.Path(f"{database}-wal"), []
    with waymark.Server(binary, database, arguments=OPEN) as server:
        client = Client(server.port)

        def write():
            for number in range(wanted):
                client.write(f"u{number % 500}", ("none", "premiumUser")[number % 2], number)
            # The server cuts the log a moment later.
            time.sleep(2)
            sizes.append(log.stat().st_size)

        write()
        reader = sqlite3.connect(database, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM user_state").fetchall()
        write()
        reader.close()
        write()
        client.close()
    note(f"the log of a SQLite file after {wanted:,} changes; after as many more beside an open read; after as many without it",
         ", ".join(f"{one / 2**20:.0f} MiB" for one in sizes))


def of_postgres(binary, postgres, count):
    """What a PostgreSQL database takes, and its log."""
    def total(table):
        return int(postgres.sql(f"SELECT pg_total_relation_size('{table}')"))

    def lsn():
        return int(postgres.sql("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"))

    def used():
        return sum(waymark.cpu_seconds(one) for one in [postgres.pid])

    before = lsn()
    waymark.command(binary, "user", "import", "--create", database=postgres.uri(), input=lines(count, "signedInUser"))
    postgres.sql("VACUUM")
    state, history = total("user_state"), total("user_history")
    note("PostgreSQL: bytes of a user's state and of a change, with indexes", f"{state / count:.0f} + {history / count:.0f}")
    note("PostgreSQL: bytes of its log for a user that is imported", f"{(lsn() - before) / count:.0f}")
    before = lsn()
    waymark.command(binary, "user", "import", database=postgres.uri(), input=lines(count, "premiumUser"))
    note("PostgreSQL: bytes of its log for a changed user, the first after a checkpoint included", f"{(lsn() - before) / count:.0f}")
    full = total("user_state")
    postgres.sql("VACUUM")
    note("PostgreSQL: bytes of a user's state once each was changed, until the space is used again",
         f"{full / count:.0f}, after VACUUM FULL " + (postgres.sql("VACUUM FULL user_state") or f"{total('user_state') / count:.0f}"))
    note("PostgreSQL: bytes of each further change in the history", f"{(total('user_history') - history) / count:.0f}")
    arguments, wanted = (*OPEN,), 2_000
    with waymark.Server(binary, postgres.uri(), arguments=arguments, log=postgres.folder.parent / "server.log") as server:
        client = Client(server.port)
        client.write("one", "premiumUser", 0)
        before, own, theirs = lsn(), waymark.cpu_seconds(server.pid), used()
        for number in range(wanted):
            client.write(f"one-{number}", ("none", "premiumUser")[number % 2], number)
        note("PostgreSQL: processor time of a write that is alone in its commit, of the server and of the database",
             f"{(waymark.cpu_seconds(server.pid) - own) / wanted * 1e6:.0f} µs + {(used() - theirs) / wanted * 1e6:.0f} µs")
        note("PostgreSQL: bytes of its log for a write that is alone in its commit", f"{(lsn() - before) / wanted:.0f}")
        connections = postgres.sql("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
        note("PostgreSQL: connections of a replica that resolves and writes", connections)
        client.close()


def of_erasures(binary, folder, postgres):
    """Where an erased person's id still is."""
    own = folder / "erasure"
    own.mkdir()
    database = own / "states.sqlite"
    # Two others, so that a page stays.
    waymark.command(binary, "user", "import", "--create", database=database, input="".join(
        json.dumps({"id": one, "authorizationLevel": "premiumUser"}) + "\n" for one in ("other", PERSON, "zoe")))
    found = [occurrences(own, PERSON)]
    with waymark.Server(binary, database, arguments=OPEN, log=folder / "erasure.log") as server:
        client = Client(server.port)
        client.write(PERSON, "none", 1)
        client.request("DELETE", f"/v1/users/{PERSON}?history=erase")
        found += [database.read_bytes().count(PERSON.encode()), pathlib.Path(f"{database}-wal").read_bytes().count(PERSON.encode())]
        client.close()
    found.append(occurrences(own, PERSON))
    note("SQLite: the id of an erased user in the files: before; after it in the file, and in its log; after the server's end",
         f"{found[0]}; {found[1]}, {found[2]}; {found[3]}")
    waymark.command(binary, "user", "set", PERSON, "premiumUser", database=postgres.uri())
    waymark.command(binary, "user", "delete", PERSON, "--erase-history", database=postgres.uri())
    base, wal, found = postgres.data / "base", postgres.data / "pg_wal", []
    for statement in ("CHECKPOINT", "VACUUM", "VACUUM (FULL) user_state, user_history"):
        postgres.sql(statement)
        postgres.sql("CHECKPOINT")
        found.append(occurrences(base, PERSON))
    note("PostgreSQL: the id of an erased user in the tables' files: after it, after VACUUM, after VACUUM (FULL); in the log",
         f"{found[0]}, {found[1]}, {found[2]}; {occurrences(wal, PERSON)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    count = 20_000 if arguments.quick else 1_000_000
    folder = pathlib.Path(tempfile.mkdtemp(prefix="waymark-sizing.", dir=os.environ.get("TMPDIR", "/var/tmp")))
    folder.chmod(0o755)
    server = folder / "postgres"
    server.mkdir()
    if os.getuid() == 0:
        shutil.chown(server, "nobody", "nogroup")
    postgres = Postgres(server / "server", free_port()).make()
    try:
        waymark.command(arguments.binary, "database", "migrate", database=postgres.uri())
        of_rows(arguments.binary, folder, postgres, 25_000)
        of_long_reads(arguments.binary, folder)
        of_erasures(arguments.binary, folder, postgres)
        of_postgres(arguments.binary, postgres, count // 5)
        of_memory(arguments.binary, postgres.uri(), count // 5, "PostgreSQL", folder / "memory.log")
        database = of_file(arguments.binary, folder, count)
        of_memory(arguments.binary, database, count // 5, "SQLite", folder / "memory.log")
        of_restarts(arguments.binary, database)
    finally:
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print("| quantity | measured |\n|---|--:|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
