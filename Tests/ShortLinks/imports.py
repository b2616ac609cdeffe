"""Imports: how fast they are, beside a server too, and what a kill -9 in the middle leaves."""

import json
import random
import subprocess
import threading
import time

import shops
import waymark
from reports import expect, expect_speed, say

# The least rows a second, on two slow cores.
RATES = {"a file": 50_000, "PostgreSQL": 15_000}


def table(path, count, refused=0):
    """Writes a table of codes as another service has them; `refused` of the rows lead nowhere."""
    with open(path, "w", encoding="ascii") as file:
        file.write("code,link\n")
        for number in range(count):
            link = shops.link(number) if number >= refused else f"https://shop.example/gone/{number}"
            file.write(f"https://shop.page.link/Ab{number:07x}Xy,{link}\n")
    return path


def command(options, path, database):
    return [options.binary, "short-links", "import", "--format", "csv", path, "--json", "--create", "--catalog",
            options.catalog, "--database", str(database)]


def run(options, path, database):
    """Imports a table; returns the report and the seconds."""
    begin = time.monotonic()
    done = subprocess.run(command(options, path, database), capture_output=True, text=True, env=waymark.environment())
    if done.returncode not in (0, 1):
        raise waymark.CommandFailed(f"the import ended with {done.returncode}: {done.stderr[-500:]}")
    return json.loads(done.stdout), time.monotonic() - begin


def part(options):
    count = options.count(1_000_000, 50_000)
    path = table(f"{options.folder}/links.csv", count, refused=count // 100)
    _imports(options, "a file", f"{options.folder}/import.sqlite", path, count)
    with shops.postgres(f"{options.folder}/import") as uri:
        _imports(options, "PostgreSQL", uri, path, count)
    _killed(options, "a file", f"{options.folder}/killed.sqlite", path, count)
    with shops.postgres(f"{options.folder}/killed") as uri:
        _killed(options, "PostgreSQL", uri, path, count)
    _beside(options, path, count)


def _imports(options, store, database, path, count):
    report, seconds = run(options, path, database)
    good = count - count // 100
    expect(f"each row is accounted for in {store}",
           (report["rows"], report["made"], report["refused"], report["existing"]) == (count, good, count - good, 0),
           {name: report[name] for name in ("rows", "made", "existing", "refused")})
    # A short run is mostly the start of the program.
    if not options.quick:
        expect_speed(f"rows a second into {store}", count / seconds, RATES[store])
    again, seconds = run(options, path, database)
    expect(f"a second import into {store} makes nothing", (again["made"], again["existing"]) == (0, good),
           f"{again['existing']:,} already there, {count / seconds:,.0f} rows/s")


def _killed(options, store, database, path, count):
    """Ends imports at random moments, then lets one end."""
    generator, good, kills = random.Random(options.seed), count - count // 100, 0
    whole = count / (RATES[store] * 1.5)
    for _ in range(3):
        process = subprocess.Popen(command(options, path, database), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=waymark.environment())
        time.sleep(0.2 + generator.random() * whole)
        kills += process.poll() is None
        process.kill()
        process.wait()
    report, _ = run(options, path, database)
    expect(f"an import into {store} goes on after kill -9",
           report["made"] + report["existing"] == good and report["rows"] == count,
           f"{kills} kills, then {report['existing']:,} already there and {report['made']:,} made of {good:,}")
    if store == "a file":
        found = subprocess.run(["sqlite3", "-readonly", database, "PRAGMA integrity_check; SELECT count(*) FROM short_link"],
                               capture_output=True, text=True).stdout.split()
        expect("the file is sound", found == ["ok", str(good)], found)


def _beside(options, path, count):
    """Imports beside a server that writes: no write waits long, and the server sees the links."""
    database, waits, over = f"{options.folder}/beside.sqlite", [], threading.Event()
    with shops.server(options, database) as server:

        def write():
            client = shops.Client(server.port)
            number = 0
            while not over.is_set():
                number += 1
                begin = time.monotonic()
                status, body = client.make(link=shops.link(number))
                waits.append(time.monotonic() - begin)
                assert status == 201, body

        writer = threading.Thread(target=write)
        writer.start()
        report, seconds = run(options, path, database)
        over.set()
        writer.join()
        good = count - count // 100
        expect("an import beside a server makes each link", report["made"] == good,
               f"{report['made']:,}, {count / seconds:,.0f} rows/s")
        waits.sort()
        expect("makes of the server have their turns", waits[-1] < 2,
               f"{len(waits):,} makes, half within {waits[len(waits) // 2] * 1e3:.1f} ms, the longest {waits[-1] * 1e3:.0f} ms")
        client, number = shops.Client(server.port), count - 1
        status, _ = client.request("GET", f"/Ab{number:07x}Xy", fields={"Host": shops.SHORT_HOST})
        expect("the server answers imported codes", status != 404, status)
    say(f"     {count / seconds:,.0f} rows/s beside a server that writes")
