"""Measures what users cost that the server has not met lately, and what the store does for one that it has."""

import re
import subprocess
import time
import urllib.request

import waymark
from faults import NotMeasured
from loading import Target, compare
from targets import RESOLVE, USER, many

# Ids in the order of the key, so that the file is made in a minute.
NAME = "u%08d"


def fill(options, database):
    """Writes users straight into the file: no history, and no syncs, since nobody would miss it."""
    waymark.command(options.binary, "user", "set", USER, "premiumUser", "--create", database=database)
    statements = f"""
        PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
        INSERT INTO user_state (id, level, version, updated_at)
        WITH RECURSIVE number(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM number WHERE n + 1 < {options.cold_users})
        SELECT printf('{NAME}', n), 'premiumUser', 1, 1767225600000 FROM number;
        PRAGMA journal_mode = WAL;
    """
    run = subprocess.run(["sqlite3", "-bail", database, statements], capture_output=True, text=True)
    if run.returncode != 0:
        raise NotMeasured(f"sqlite3 could not write the users: {run.stderr.strip()}")


def measure(options, folder, table, progress):
    """Adds the rows of cold users, and that of system calls."""
    progress(f"writing a file of {options.cold_users:,} users")
    database = folder / "cold.sqlite"
    fill(options, database)
    size = f"{options.cold_users // 1_000_000:,} million users"
    with waymark.Server(options.binary, database) as server:
        before = waymark.resident_kib(server.pid) / 1024
        targets = []
        for name, users in (("warm", 1), ("cold", options.cold_users)):
            choice, arguments = many(users, 1, NAME)
            targets.append(Target(name, server.pid, server.url + RESOLVE, choice, arguments))
        medians = compare(targets, options, lambda text: progress(f"{size}: {text}"))
        after = waymark.resident_kib(server.pid) / 1024
        warm, cold = medians["warm"], medians["cold"]
        table.add(f"{size}, any of them: requests/s", cold.rate, ("one of them", warm.rate), (">=", 0.5))
        table.add(f"{size}, any of them: p99", cold.p99, ("one of them", warm.p99), unit="ms")
        table.add(f"{size}: memory after it", after, ("before", before), unit="MiB", of_ratio=False)
        progress("system calls of a warm resolve")
        table.add("warm resolve: calls of the system on the store's files", store_calls(server, database),
                  target=("<=", 0.01))


def store_calls(server, database, requests=3000):
    """Counts the system calls on the database's files per resolve of one user, without those that the server makes in
    the same time by itself."""
    def ask(count):
        for _ in range(count):
            with urllib.request.urlopen(server.url + RESOLVE) as answer:
                answer.read()

    ask(1)
    log = database.with_suffix(".strace")
    # The calls on files, each file with its path; -f: every thread.
    tracer = subprocess.Popen(
        ["strace", "-f", "-qq", "-yy", "-s", "0", "-e", "trace=%desc", "-o", log, "-p", str(server.pid)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(100):
            if tracer.poll() is not None:
                raise NotMeasured(f"strace cannot look at the server: {tracer.stderr.read().strip()}")
            status = open(f"/proc/{server.pid}/status").read()
            if f"TracerPid:\t{tracer.pid}\n" in status:
                break
            time.sleep(0.05)
        begin, start = lines_about(log, database), time.monotonic()
        ask(requests)
        passed = time.monotonic() - start
        middle = lines_about(log, database)
        time.sleep(passed)
        end = lines_about(log, database)
    finally:
        waymark.end(tracer)
        tracer.stderr.close()
    return max(0, (middle - begin) - (end - middle)) / requests


def lines_about(log, database):
    """Counts the lines that name the database or a file beside it."""
    pattern = re.compile(rf"<{re.escape(str(database))}(-wal|-shm)?[>(]")
    with log.open(errors="replace") as lines:
        return sum(1 for line in lines if pattern.search(line))
