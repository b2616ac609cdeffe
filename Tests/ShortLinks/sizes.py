"""Ten million links in one file: bytes a row, links made a second, and a catalog that changes one route."""

import json
import subprocess
import threading
import time

import imports
import shops
import waymark
from reports import expect, expect_speed, say


def part(options):
    count = options.count(10_000_000, 100_000)
    database = f"{options.folder}/size.sqlite"
    path = imports.table(f"{options.folder}/many.csv", count)
    report, seconds = imports.run(options, path, database)
    expect("the file is filled", report["made"] == count, f"{count:,} links, {count / seconds:,.0f} rows/s")
    _making(options, database)
    _bytes(database)
    _changes(options, database, count)


def _making(options, database):
    """Makes links over HTTP for a while, each slice of lines durable when it is answered."""
    seconds, made = 3 if options.quick else 60, [0] * 8
    with shops.server(options, database) as server:
        begin = time.monotonic()

        def work(number):
            client = shops.Client(server.port)
            while time.monotonic() < begin + seconds:
                lines = [json.dumps({"link": shops.link(place)}) for place in range(1000)]
                made[number] += sum(answer["status"] == 201 for answer in client.make_each(lines))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(len(made))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rate = sum(made) / (time.monotonic() - begin)
        if not options.quick:
            expect_speed("durable links made a second over HTTP", rate, 5000)


def _bytes(database):
    text = """
        SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE
            AND name IN (SELECT name FROM sqlite_schema WHERE tbl_name = 'short_link');
        SELECT count(*) FROM short_link;
        """
    done = subprocess.run(["sqlite3", "-readonly", database, text], capture_output=True, text=True, check=True)
    size, count = map(int, done.stdout.split())
    expect("bytes a row", size / count <= 200, f"{size / count:.1f} with all indexes (200 at most), {count:,} rows")


def _changes(options, database, count):
    """Lists what a catalog without one route breaks: only the links of that route are read."""
    changed = shops.catalog(f"{options.folder}/next.yaml", changed="r7")

    def listed(*words):
        begin = time.monotonic()
        process = subprocess.Popen(
            [options.binary, "short-links", "list", "--format", "json", "--catalog", changed, "--database", database, *words],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=waymark.environment())
        found = sum(1 for _ in process.stdout)
        assert process.wait() == 0
        return found, time.monotonic() - begin

    found, seconds = listed("--route", "r7", "--state", "broken")
    expect("a route that is gone breaks its links alone", found >= count // shops.ROUTES, f"{found:,} in {seconds:.1f} s")
    begin = time.monotonic()
    whole = subprocess.run(["sqlite3", "-readonly", database, "SELECT sum(length(target)) FROM short_link"], check=True,
                           capture_output=True)
    say(f"     reading all rows takes sqlite3 {time.monotonic() - begin:.1f} s" if whole else "")
