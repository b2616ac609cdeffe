"""What PostgreSQL costs a replica, beside SQLite and pgbench in the same run; `scripts/bench cluster` prints it."""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import waymark
from cluster import Client, LINK, Postgres
from ports import free_port

rows = []


def note(what, value, target, holds):
    rows.append((what, value, target, "yes" if holds else "NO"))
    print(f"cost: {what}: {value} (wanted {target})", file=sys.stderr, flush=True)


def wrk(port, seconds, connections, lua, folder, threads=1):
    script = folder / "wrk.lua"
    script.write_text(lua)
    text = subprocess.run(["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "-s", script,
                           f"http://127.0.0.1:{port}"], check=True, capture_output=True, text=True).stdout
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    errors = re.search(r"Socket errors: .*", text)
    if errors:
        print(f"cost: {errors[0]}", file=sys.stderr)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), int(bad[1]) if bad else 0


def resolves(users, name="u"):
    return f"""
local n = 0
math.randomseed(os.time())
request = function()
  return wrk.format("GET", "/v1/resolve?link=navigation%3A%2F%2Floremipsum.com%2Fonboarding&user={name}" .. math.random({users}))
end"""


WRITES = """
local n = 0
wrk.headers["Content-Type"] = "application/json"
local id = 0
function setup(thread) thread:set("id", id); id = id + 1 end
request = function()
  n = n + 1
  return wrk.format("POST", "/v1/users/u" .. math.random(101, 10100), nil,
    string.format('{"authorizationLevel":"signedInUser","validUntil":"2099-01-01T%02d:%02d:%02dZ"}', n / 3600 % 24, n / 60 % 60, n % 60))
end"""


def fill(postgres, count):
    postgres.sql(f"""INSERT INTO user_state SELECT 'u' || n, 2, NULL, NULL, 1, 1, 1 FROM generate_series(1, {count}) AS n
        ON CONFLICT DO NOTHING""")
    postgres.sql(f"""INSERT INTO user_history SELECT 'u' || n, 1, 2, NULL, NULL, 1, 'bench', NULL, 1
        FROM generate_series(1, {count}) AS n ON CONFLICT DO NOTHING""")
    postgres.sql("VACUUM ANALYZE")


def cost(server, folder, seconds, users=1000):
    """CPU microseconds of one warm resolve, and how many a second there were."""
    wrk(server.port, 1, 32, resolves(users), folder)
    before, begin = waymark.cpu_seconds(server.pid), time.monotonic()
    rate, _ = wrk(server.port, seconds, 32, resolves(users), folder)
    return (waymark.cpu_seconds(server.pid) - before) / (rate * seconds) * 1e6, rate


def instructions(binary, database, folder, users=50):
    """Instructions of one warm resolve (callgrind): the difference of two runs of different length."""
    totals = []
    # Valgrind cannot read the debugging information of a static release binary.
    bare = folder / "waymark-bare"
    subprocess.run(["strip", "-o", bare, binary], check=True)
    for count in (500, 2500):
        output = folder / f"callgrind.{count}"
        log = folder / f"callgrind-{count}.log"
        with waymark.Server(bare, database, log=log, patience=300,
                            prefix=("valgrind", "--tool=callgrind", f"--callgrind-out-file={output}"),
                            arguments=("--insecure-no-auth", "--drain-seconds", "0", "--maximum-staleness", "60")) as server:
            client = Client(server.port, timeout=120)
            for number in range(1, users + 1):
                client.get(f"/v1/resolve?link={LINK}&user=u{number}")
            for number in range(count):
                status, _, _ = client.get(f"/v1/resolve?link={LINK}&user=u{number % users + 1}")
                # A refusal costs several times as much: it signs a continuation.
                if status != 200:
                    raise RuntimeError(f"u{number % users + 1} is answered {status}")
            server.stop(120)
        totals.append(int(re.search(r"(?:summary|totals): (\d+)", output.read_text())[1]))
    return (totals[1] - totals[0]) / 2000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--strict", action="store_true")
    arguments = parser.parse_args()
    seconds, users = (3, 20_000) if arguments.quick else (10, 1_000_000)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="waymark-cost.", dir=os.environ.get("TMPDIR", "/var/tmp")))
    folder.chmod(0o755)
    if os.getuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
    own = folder / "own"
    own.mkdir()
    postgres = Postgres(folder / "server", free_port()).make()
    options = ("--insecure-no-auth", "--drain-seconds", "0")
    try:
        # Tables first.
        waymark.command(arguments.binary, "database", "migrate", database=postgres.uri())
        fill(postgres, users)
        sqlite = own / "states.sqlite"
        lines = "\n".join(f'{{"id":"u{n}","authorizationLevel":"signedInUser"}}' for n in range(1, 1001))
        waymark.command(arguments.binary, "user", "import", "--create", database=sqlite, input=lines)

        with contextlib.ExitStack() as stack:
            first = stack.enter_context(waymark.Server(arguments.binary, sqlite, log=own / "sqlite.log", arguments=options))
            second = stack.enter_context(waymark.Server(arguments.binary, postgres.uri(), log=own / "pg.log", arguments=options))
            pairs = []
            for _ in range(2 if arguments.quick else 5):
                pairs.append((cost(first, own, seconds), cost(second, own, seconds)))
            ratio = sorted(b[0] / a[0] for a, b in pairs)[len(pairs) // 2]
            best = sorted(b[1] for a, b in pairs)[len(pairs) // 2]
            note("CPU of a warm resolve over SQLite's, median", f"{ratio:.3f}", "about 1", ratio <= 1.1)
            calls = "SELECT idx_scan + seq_scan FROM pg_stat_user_tables WHERE relname = 'user_state'"
            postgres.sql("SELECT pg_stat_force_next_flush()")
            time.sleep(2)
            before = int(postgres.sql(calls))
            rate, _ = wrk(second.port, seconds, 32, resolves(1000), own)
            time.sleep(2)
            read = int(postgres.sql(calls)) - before
            note("calls to the database of warm resolves", f"{read} of {rate * seconds:.0f}", "0", read == 0)

            # One replica writes, the other's other users stay in memory.
            third = stack.enter_context(waymark.Server(arguments.binary, postgres.uri(), log=own / "pg2.log", arguments=options))
            client, written = Client(third.port), [0]
            running = [True]

            def write():
                while running[0]:
                    client.write(f"u{written[0] % 20 + 1}", "premiumUser", written[0])
                    written[0] += 1
                    time.sleep(0.05)

            thread = threading.Thread(target=write)
            before = int(postgres.sql(calls))
            thread.start()
            rate, _ = wrk(second.port, seconds, 32, resolves(1000), own)
            running[0] = False
            thread.join()
            time.sleep(2)
            # A write scans twice or so itself.
            read = int(postgres.sql(calls)) - before
            share = 1 - read / (rate * seconds)
            note("hits of a replica while another writes 20 times a second", f"{share:.5f}", "≥ 0.999", share >= 0.999)

        with waymark.Server(arguments.binary, postgres.uri(), log=own / "cold.log",
                            arguments=(*options, "--maximum-cached-users", "100")) as server:
            wrk(server.port, 1, 128, resolves(users), own)
            cold, bad = wrk(server.port, seconds, 128, resolves(users), own)
            note("cold users a second over warm ones", f"{cold:.0f} / {best:.0f} = {cold / best:.2f}", "≥ 0.3", cold / best >= 0.3)

        with waymark.Server(arguments.binary, postgres.uri(), log=own / "write.log", arguments=options) as server:
            wrk(server.port, 1, 64, WRITES, own)
            script = own / "write.sql"
            script.write_text(r"""\set n random(101, 10100)
INSERT INTO user_state AS s (id, level, valid_until, level_after, version, updated_at, as_of)
VALUES ('u' || :n, 2, :n, NULL, 1, 1, 1) ON CONFLICT (id) DO UPDATE SET valid_until = excluded.valid_until, version = s.version + 1;
""")
            shares = []
            for _ in range(2 if arguments.quick else 5):
                ours, bad = wrk(server.port, seconds, 64, WRITES, own)
                text = subprocess.run([postgres.bin / "pgbench", "-h", postgres.folder, "-p", str(postgres.port), "-U", "waymark",
                                       "-n", "-M", "prepared", "-c", "64", "-j", "1", "-T", str(seconds), "-f", script, "waymark"],
                                      check=True, capture_output=True, text=True).stdout
                theirs = float(re.search(r"tps = ([\d.]+)", text)[1])
                shares.append((ours / theirs, ours, theirs))
            share, ours, theirs = sorted(shares)[len(shares) // 2]
            note("durable writes a second at 64 connections over pgbench's", f"{ours:.0f} / {theirs:.0f} = {share:.2f}", "≥ 0.5",
                 share >= 0.5)
        sizes = postgres.sql("SELECT pg_total_relation_size('user_state'), pg_total_relation_size('user_history')").split("|")
        note("bytes of a user: state and history with indexes", " + ".join(f"{int(size) / users:.0f}" for size in sizes), "known", True)
        if shutil.which("valgrind"):
            one, two = (instructions(arguments.binary, database, own) for database in (sqlite, postgres.uri()))
            note("instructions of a warm resolve over SQLite's", f"{two:.0f} / {one:.0f} = {two / one:.3f}", "≤ 1.03", two / one <= 1.03)
    finally:
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print("| what | measured | wanted | holds |\n|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    sys.exit(1 if arguments.strict and any(row[3] == "NO" for row in rows) else 0)


if __name__ == "__main__":
    main()
