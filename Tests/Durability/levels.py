"""Counts the system calls of the store while levels are answered from memory, and while they are not."""

import random
import re
import threading
import time

import trace
from server import Server

READ, WRITE = ("read", "readv", "recvfrom", "recvmsg"), ("write", "writev", "sendto", "sendmsg")
MARKER = re.compile(r"levels-(begin|writes|end)")


class Window:
    """Is what happened between two markers: with writes going on, or without."""

    def __init__(self):
        self.resolves, self.read_locks, self.file_calls, self.commits, self.own_calls = 0, 0, 0, 0, 0
        self.begin = self.end = 0.0

    @property
    def explained(self):
        """The most read locks that the writer's transactions and the looks for changes of others take."""
        return 2 * self.commits + 8 * (self.end - self.begin) + 10


def windows(lines, database):
    """The windows of a log: a read of the file begins with a read lock (sqlite.org/wal.html) in `-shm`."""
    lines = list(lines)
    calls = list(trace.calls(lines))
    serving = {call.thread for call in calls if call.name in READ and "GET /v1/resolve" in call.text}
    found, current = {}, None
    for call in sorted(calls, key=lambda call: call.begin):
        is_socket = call.target.startswith("TCP")
        if is_socket and call.name in READ:
            marker = MARKER.search(call.text)
            if marker:
                if current:
                    current.end = call.time
                current = found.setdefault(marker.group(1), Window())
                current.begin = call.time
        if current is None:
            continue
        if is_socket and call.name in WRITE and '"HTTP/1.1 200' in call.text:
            current.resolves += 1
        elif call.target.startswith(database):
            current.file_calls += 1
            current.own_calls += call.thread in serving
            current.commits += call.name == "fdatasync" and call.target.endswith("-wal")
            current.read_locks += call.target.endswith("-shm") and "F_RDLCK" in call.text
    return found["begin"], found["writes"]


def run(options, path, cached, count):
    """Resolves for twenty users, some thousands of times, and then as often while others are written."""
    log = path + ".strace"
    prefix = ["strace", "-D", "-f", "-ttt", "-yy", "-s", "200", "-o", log]
    prefix += ["-e", f"trace={','.join(READ + WRITE)},pread64,pwrite64,fcntl,fdatasync,fsync"]
    server = Server(options.binary, path, prefix, {"WAYMARK_CACHE_MAXIMUM_USERS": str(cached)})
    users = [f"levels-{number}" for number in range(20)]
    first, generator = server.connect(), random.Random(options.seed)

    def resolve(connection, user):
        status, _ = connection.request("GET", f"/v1/resolve?link=navigation%3A%2Fonboarding&user={user}")
        assert status == 200, f"a resolve answered {status}"

    def write(is_over):
        connection, number = server.connect(), 0
        # Few enough for their locks to be told from those of resolves, however slow the machine is.
        while not is_over.is_set() and number < count // 8:
            connection.save(f"other-{number % 50}", "premiumUser")
            number += 1
            time.sleep(0.005)
        connection.close()

    for user in users:
        first.save(user, "premiumUser")
        resolve(first, user)
    for marker in ("begin", "writes"):
        resolve(first, f"levels-{marker}")
        is_over = threading.Event()
        writer = threading.Thread(target=write, args=(is_over,), daemon=True)
        if marker == "writes":
            writer.start()
        # One after the other: transactions of one process that overlap share a read lock.
        for _ in range(count):
            resolve(first, generator.choice(users))
        is_over.set()
        if marker == "writes":
            writer.join()
    resolve(first, "levels-end")
    code = server.stop()
    time.sleep(0.5)  # The tracer outlives the server for a moment.
    with open(log, encoding="utf-8", errors="replace") as lines:
        return code, windows(lines, path)
