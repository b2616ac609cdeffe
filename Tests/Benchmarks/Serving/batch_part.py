"""Measures what a line of `POST /v1/resolve/batch` costs, beside the same resolution in process."""

import http.client
import json
import socket
import statistics
import threading

import process_part
from faults import NotMeasured
from targets import LINK, USER
from waymark import Server, command, cpu_seconds

# Lines of one request: their CPU time is many times the kernel's clock tick.
LINES, LINES_QUICK = 200_000, 50_000
ROUNDS = 5


def measure(options, folder, table, progress):
    """Adds the row of batches. The two take turns, so that whatever else the machine does concerns both."""
    progress("building Tests/Benchmarks")
    program = process_part.build()
    database = folder / "batch.sqlite"
    command(options.binary, "user", "set", USER, "premiumUser", "--create", database=database)
    count = LINES_QUICK if options.is_quick else LINES
    over_http, in_process = [], []
    with Server(options.binary, database) as server:
        batch(server.port, 1_000)
        for number in range(ROUNDS):
            progress(f"{count:,} lines: round {number + 1} of {ROUNDS}")
            rows = process_part.run(program, "resolve-json")
            if "resolve-json" not in rows:
                raise NotMeasured("Tests/Benchmarks did not print resolve-json")
            in_process.append(rows["resolve-json"][0] / 1000)
            before = cpu_seconds(server.pid)
            batch(server.port, count)
            over_http.append((cpu_seconds(server.pid) - before) * 1e6 / count)
    table.add("`POST /v1/resolve/batch`: CPU per line", statistics.median(over_http),
              ("resolve and JSON in process", statistics.median(in_process)), ("<=", 2.5), "µs")


def batch(port, count):
    """Sends so many lines in one request, and sees to it that each gets the plan."""
    line = json.dumps({"link": LINK, "user": USER}, separators=(",", ":")).encode() + b"\n"
    with socket.create_connection(("127.0.0.1", port), 120) as connection:
        head = (f"POST /v1/resolve/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n"
                f"Content-Length: {len(line) * count}\r\n\r\n")
        body = head.encode() + line * count
        # Answers come while lines are still sent.
        sender = threading.Thread(target=connection.sendall, args=(body,), daemon=True)
        sender.start()
        response = http.client.HTTPResponse(connection)
        response.begin()
        first, answers = response.readline(), 1
        if response.status != 200 or b'"stack":[' not in first:
            raise NotMeasured(f"a batch was answered by {response.status} {first[:200]}")
        for answer in response:
            answers += answer == first
        sender.join(30)
        if answers != count:
            raise NotMeasured(f"of {count:,} lines {answers:,} were answered by the plan")
