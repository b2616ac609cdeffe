"""Measures how much memory a server holds with nothing to do, and with many connections that are silent."""

import resource
import socket
import statistics
import time

from faults import NotMeasured
from targets import RESOLVE, USER
from waymark import Server, command, resident_kib


def allow_open_files(count):
    """Raises the limit of open files of this process and those that it starts; returns whether it is enough."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard == resource.RLIM_INFINITY or hard >= count


def connect(port):
    """Opens a connection and has one request answered over it."""
    connection = socket.create_connection(("127.0.0.1", port), 30)
    connection.sendall(f"GET {RESOLVE} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer or not answer.endswith(b"}"):
        if not (data := connection.recv(65536)):
            raise NotMeasured("the server closed a connection")
        answer += data
    if not answer.startswith(b"HTTP/1.1 200"):
        raise NotMeasured(f"a resolve was answered by {answer[:200]}")
    return connection


def measure(options, folder, table, progress):
    """Adds the rows of memory."""
    count = options.idle_connections
    if not allow_open_files(count + 200):
        raise NotMeasured(f"{count:,} connections need as many open files; allow them with ulimit -Hn {count + 200}")
    database = folder / "memory.sqlite"
    command(options.binary, "user", "set", USER, "premiumUser", "--create", database=database)
    idle, held = [], []
    for number in range(options.starts):
        progress(f"start {number + 1} of {options.starts}, {count:,} connections")
        with Server(options.binary, database) as server:
            time.sleep(1)
            idle.append(resident_kib(server.pid) / 1024)
            connections = []
            try:
                while len(connections) < count:
                    connections.append(connect(server.port))
                time.sleep(1)
                held.append(resident_kib(server.pid) / 1024)
            finally:
                for connection in connections:
                    connection.close()
    idle, held = statistics.median(idle), statistics.median(held)
    table.add("memory, idle", idle, target=("<=", 40), unit="MiB")
    table.add(f"memory, {count:,} silent connections", held, target=("<=", 150), unit="MiB")
    table.add("memory of one silent connection", (held - idle) * 1024 / count, unit="KiB")
