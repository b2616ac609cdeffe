"""Many requests over few connections, several on their way at a time, so that the server is what is measured."""

import selectors
import socket
import time

import waymark

WINDOW = 50


def flood(server, targets, host, connections=4):
    """Asks for each target once; returns statuses with their counts, the seconds and the server's processor seconds."""
    selector, statuses = selectors.DefaultSelector(), {}
    targets = iter(targets)
    begin, cpu = time.monotonic(), waymark.cpu_seconds(server.pid)
    for _ in range(connections):
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=120)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        state = {"waiting": 0, "rest": b""}
        selector.register(connection, selectors.EVENT_READ, state)
        _send(connection, state, targets, host)
    while any(key.data["waiting"] for key in selector.get_map().values()):
        for key, _ in selector.select(60):
            data = key.fileobj.recv(1 << 20)
            if not data:
                raise ConnectionResetError("the server closed a connection")
            _read(key.data, data, statuses)
            if not key.data["waiting"]:
                _send(key.fileobj, key.data, targets, host)
    seconds, cpu = time.monotonic() - begin, waymark.cpu_seconds(server.pid) - cpu
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    return statuses, seconds, cpu


def _send(connection, state, targets, host):
    batch = [target for _, target in zip(range(WINDOW), targets)]
    state["waiting"] = len(batch)
    if batch:
        connection.sendall("".join(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n" for target in batch).encode())


def _read(state, data, statuses):
    """Counts the answers that are whole."""
    data = state["rest"] + data
    start = 0
    while (end := data.find(b"\r\n\r\n", start)) >= 0:
        head = data[start:end].lower()
        place = head.find(b"content-length:")
        length = int(head[place + 15:].split(b"\r\n", 1)[0]) if place >= 0 else 0
        if len(data) < end + 4 + length:
            break
        status = int(head[9:12])
        statuses[status] = statuses.get(status, 0) + 1
        state["waiting"] -= 1
        start = end + 4 + length
    state["rest"] = data[start:]
