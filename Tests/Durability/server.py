"""A server of the durability checks, and what is said to it."""

import itertools
import json
import re
import socket
import subprocess
import time
import urllib.parse

import waymark

LEVELS = ["none", "onboardingCompleted", "signedInUser", "premiumUser"]


class Server(waymark.Server):
    """A server whose histories are whole: they are compared with what was acknowledged."""

    def __init__(self, binary, database, prefix=(), settings=None, catalog=waymark.CATALOG):
        super().__init__(binary, database, prefix=prefix, settings=settings, patience=30, catalog=catalog,
                         arguments=["--maximum-history-count", "1000000"])

    def connect(self):
        """Returns a new connection."""
        return Connection(self.port)

    def get(self, target):
        """Asks over a connection of its own; returns status and body."""
        connection = self.connect()
        try:
            return connection.request("GET", target)
        finally:
            connection.close()


ENDS = itertools.count()


def unlike_all():
    """Returns an end of a level, as no other write has it: a state that is there already would not be written."""
    number = next(ENDS)
    return f"{2100 + number // 1000 // 86_400 % 7000}-01-01T" + time.strftime(
        "%H:%M:%S", time.gmtime(number // 1000 % 86_400)
    ) + f".{number % 1000:03}Z"


class Connection:
    """One connection, with one request at a time."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def close(self):
        self.socket.close()

    def request(self, method, target, body=None, headers=""):
        """Sends a request and returns status and body; raises OSError where the connection ends before."""
        text = f"{method} {target} HTTP/1.1\r\nHost: localhost\r\n{headers}"
        if body is not None:
            text += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self.socket.sendall((text + "\r\n" + (body or "")).encode())
        data = self.rest
        while True:
            head, separator, tail = data.partition(b"\r\n\r\n")
            if separator:
                length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
                count = int(length.group(1)) if length else 0
                if len(tail) >= count:
                    self.rest = tail[count:]
                    return int(head[9:12]), tail[:count]
            chunk = self.socket.recv(65536)
            if not chunk:
                raise ConnectionResetError("closed by the server")
            data += chunk

    def save(self, user, level, version=None):
        """Writes a user's level; returns the status and, where it was acknowledged, the version."""
        match = f'If-Match: "{version}"\r\n' if version is not None else ""
        body = '{"authorizationLevel":"%s","validUntil":"%s"}' % (level, unlike_all())
        status, answer = self.request("POST", f"/v1/users/{urllib.parse.quote(user, safe='')}", body, match)
        return status, json.loads(answer).get("version") if status in (200, 201) else None


def history(connection, user):
    """Returns the changes of a user as {version: level}; raises AssertionError where versions do not strictly increase."""
    changes, after = [], 0
    while after is not None:
        status, body = connection.request("GET", f"/v1/users/{user}/history?limit=1000&after={after}")
        if status == 404:
            return {}
        assert status == 200, f"the history of {user} answered {status}"
        page = json.loads(body)
        changes += page["history"]
        after = page.get("next")
    versions = [change["version"] for change in changes]
    assert all(a < b for a, b in zip(versions, versions[1:])), f"the versions of {user} do not increase: {versions}"
    return {change["version"]: change["authorizationLevel"] for change in changes}


def lost(server, acknowledged):
    """Returns those of the acknowledged writes (user, version, level) that the server no longer knows, as text."""
    missing, connection, known = [], server.connect(), {}
    for user, version, level in acknowledged:
        if user not in known:
            known[user] = history(connection, user)
        if known[user].get(version) != level:
            missing.append(f"{user} version {version}: {level} acknowledged, {known[user].get(version)} stored")
    connection.close()
    return missing


def integrity(database):
    """Returns what `PRAGMA integrity_check` says."""
    command = ["sqlite3", "-readonly", "-cmd", ".timeout 5000", database, "PRAGMA integrity_check"]
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stdout + done.stderr).strip()
