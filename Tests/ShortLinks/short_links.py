"""Shows what short links promise at their full size: `scripts/prove short-links`.

Prints what happens; all parts, or those that are named:

  codes      8 clients make a million codes on two replicas over PostgreSQL: none is made twice
  guesses    a million guesses of codes find none, and cost no more than other links that lead nowhere
  once       two million named lines, sent to two replicas at once and cut off between, make each link once
  withdrawn  a code withdrawn on one replica is gone on the other within the staleness
  kill       kill -9 under makes, on both stores: nothing acknowledged is lost, no name has two links
  import     rows a second into both stores, beside a server, kill -9 in the middle: each row is made once and accounted for
  size       ten million links in a file: bytes a row, links made a second, and a catalog that changes one route

--quick takes small numbers. TMPDIR says where the databases lie (default: /var/tmp). Exit codes: 0 all is well, 1 a violation,
69 something needed is unavailable.
"""

import argparse
import http.client
import itertools
import json
import os
import pathlib
import random
import sys
import tempfile
import threading
import time

import imports
import killing
import shops
import sizes
from flood import flood
from reports import expect, failures, say

BROKEN = (OSError, http.client.HTTPException)
SLICE = 1000


def workers(count, work):
    """Runs a function for each number below `count`, each in a thread of its own; raises what one of them raises."""
    faults = []

    def guarded(number):
        try:
            work(number)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def part_codes(options):
    clients, count = 8, options.count(1_000_000, 16_000)
    codes = [set() for _ in range(clients)]
    folder = f"{options.folder}/codes"
    with shops.postgres(folder) as uri, shops.server(options, uri) as one, shops.server(options, uri) as two:
        begin = time.monotonic()

        def work(number):
            client = shops.Client((one, two)[number % 2].port)
            for first in range(0, count // clients, SLICE):
                lines = [json.dumps({"link": shops.link(first + place)}) for place in range(SLICE)]
                answers = client.make_each(lines)
                refused = [answer for answer in answers if answer["status"] != 201]
                assert not refused, refused[0]
                codes[number].update(answer["code"] for answer in answers)

        workers(clients, work)
        seconds = time.monotonic() - begin
        made = len(set().union(*codes))
        expect("each make has a code of its own", made == count, f"{made:,} codes of {count:,} makes by {clients} clients on two replicas")
        stored = int(shops.sql(folder, "SELECT count(DISTINCT lower(code)) FROM short_link"))
        expect("each code is stored once", stored == count, f"{stored:,}")
        say(f"     {count / seconds:,.0f} links/s over HTTP into PostgreSQL, by two replicas")


def part_guesses(options):
    count = options.count(1_000_000, 20_000)
    alphabet, generator = "0123456789abcdefghjkmnpqrstvwxyz", random.Random(32)
    with shops.server(options, f"{options.folder}/guesses.sqlite") as server:
        client = shops.Client(server.port)
        client.make_each(json.dumps({"link": shops.link(number)}) for number in range(SLICE))
        begun = {link["code"] for link in client.listed()}

        def guesses():
            while True:
                code = "".join(generator.choices(alphabet, k=10))
                if code not in begun:
                    yield f"/{code}"

        def nowhere():
            for number in itertools.count():
                yield f"/nowhere/{number}"

        sample = max(count // 10, 10_000)
        flood(server, itertools.islice(nowhere(), 5000), shops.HOST)  # Warm.
        statuses, seconds, cpu = flood(server, itertools.islice(guesses(), count), shops.SHORT_HOST)
        expect("guesses find nothing", statuses == {404: count}, f"{statuses} of {count:,}, {count / seconds:,.0f}/s")
        others, _, other = flood(server, itertools.islice(nowhere(), sample), shops.HOST)
        own, plain = cpu / count * 1e6, other / sample * 1e6
        expect("other links lead nowhere", others == {404: sample}, others)
        # Beside it, a guess reads the store: three searches of an index.
        expect("a guess costs no more than three others", own <= plain * 3, f"{own:.1f} µs of CPU a guess, {plain:.1f} µs another 404")
        memory = shops.waymark.resident_kib(server.pid) // 1024
        expect("guesses are not remembered without bound", memory < 400, f"{memory} MiB resident")


def part_once(options):
    count, generator = options.count(2_000_000, 20_000), random.Random(options.seed)
    folder = f"{options.folder}/once"
    codes = [{}, {}]
    cuts = [0, 0]
    with shops.postgres(folder) as uri, shops.server(options, uri) as one, shops.server(options, uri) as two:
        begin = time.monotonic()

        def work(number):
            # Both send all lines, in opposite directions, so that they meet; each in two connections.
            side, half = number % 2, number // 2
            client = shops.Client((one, two)[side].port)
            slices = list(range(half * SLICE, count, 2 * SLICE))
            for first in slices if side == 0 else reversed(slices):
                lines = [json.dumps({"link": shops.link(first + place), "name": f"n{first + place}"}) for place in range(SLICE)]
                if generator.random() < 0.02:
                    cut(client, lines, generator)
                    cuts[side] += 1
                for answer in client.make_each(lines):
                    assert answer["status"] in (200, 201), answer
                    codes[side][answer["name"]] = answer["code"]

        workers(4, work)
        seconds = time.monotonic() - begin
        expect("lines sent twice have the same codes", codes[0] == codes[1] and len(codes[0]) == count,
               f"{count:,} lines over two replicas, cut off {sum(cuts)} times, {2 * count / seconds:,.0f} lines/s")
        stored = shops.sql(folder, "SELECT count(*), count(DISTINCT name), count(DISTINCT code) FROM short_link")
        expect("each link is made once", stored == f"{count}|{count}|{count}", stored)


def cut(client, lines, generator):
    """Sends some lines, and goes away in the middle of a request."""
    body = "".join(line + "\n" for line in lines).encode()
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=120)
    try:
        connection.putrequest("POST", "/v1/short-links")
        connection.putheader("Content-Type", "application/x-ndjson")
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders()
        connection.send(body[: generator.randrange(1, len(body))])
        time.sleep(generator.random() * 0.02)
    except BROKEN:
        pass
    finally:
        connection.close()


def part_withdrawn(options):
    count, worst = options.count(200, 8), 0.0
    with shops.postgres(f"{options.folder}/withdrawn") as uri:
        with shops.server(options, uri) as one, shops.server(options, uri) as two:
            here, there = shops.Client(one.port), shops.Client(two.port)
            fields = {"Host": shops.SHORT_HOST}
            for number in range(count):
                code = here.make(link=shops.link(number))[1]["code"]
                while there.request("GET", f"/{code}", fields=fields)[0] == 404:
                    time.sleep(0.002)
                assert here.request("DELETE", f"/v1/short-links/{code}")[0] == 204
                begin = time.monotonic()
                assert here.request("GET", f"/{code}", fields=fields)[0] == 404
                while there.request("GET", f"/{code}", fields=fields)[0] != 404:
                    time.sleep(0.002)
                worst = max(worst, time.monotonic() - begin)
    # The staleness is a second by default.
    expect("a withdrawn code is gone on the other replica", worst < 1.1, f"within {worst:.3f} s, {count} times")


PARTS = {
    "codes": part_codes, "guesses": part_guesses, "once": part_once, "withdrawn": part_withdrawn, "kill": killing.part,
    "import": imports.part, "size": sizes.part,
}


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/prove short-links", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--scale", type=float, default=1, help="a part of the full numbers, such as 0.1")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    parser.add_argument("parts", nargs="*", help="/".join(PARTS))
    options = parser.parse_args()
    options.binary = pathlib.Path(options.binary).resolve()
    options.count = lambda full, quick: quick if options.quick else max(int(full * options.scale) // 8000 * 8000, quick)
    shops.waymark.unwind_when_terminated()
    say(f"seed {options.seed}")
    with tempfile.TemporaryDirectory(prefix="waymark-links-", dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        options.folder = folder
        options.catalog = shops.catalog(f"{folder}/routes.yaml")
        for part in options.parts or PARTS:
            begin = time.monotonic()
            PARTS[part](options)
            say(f"     {part}: {time.monotonic() - begin:.0f} s")
    say(f"{len(failures)} violations")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
