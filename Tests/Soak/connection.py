"""Speaks HTTP/1.1 over one connection that stays open."""

import select
import socket
import time

# The server closes a connection that was silent for 30 seconds; one that was silent for long is not trusted.
IDLE_LIMIT = 20
TIMEOUT = 60


class Dropped(Exception):
    """Says that the server ended a connection where its contract does not allow it to."""


class Answer:
    """Is one response, with the moments between which the server answered."""

    __slots__ = ("request", "status", "fields", "body", "start", "end", "wall_start", "wall_end")

    def __init__(self, request, start, wall_start):
        self.request, self.start, self.wall_start = request, start, wall_start


class Connection:
    """Sends requests one after the other; opens itself anew where the server said that it would close."""

    def __init__(self, port):
        self._port = port
        self._socket = None
        self._buffer = b""
        self._last_use = 0
        self.announced_closes = 0

    def close(self):
        """Ends the connection."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self._buffer = None, b""

    def ask(self, method, target, fields=(), body=None, chunks=None):
        """Sends a request and waits for its answer; `chunks` are a body whose length is not told.

        Raises Dropped where there is no connection to be had, or it ends or falls silent before the answer does.
        """
        head = [f"{method} {target} HTTP/1.1"]
        if not any(name == "Host" for name, _ in fields):
            head.append(f"Host: 127.0.0.1:{self._port}")
        head += [f"{name}: {value}" for name, value in fields]
        data = b""
        if chunks is not None:
            head.append("Transfer-Encoding: chunked")
            data = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks if chunk) + b"0\r\n\r\n"
        elif body is not None:
            head.append(f"Content-Length: {len(body)}")
            data = body
        message = "\r\n".join(head).encode() + b"\r\n\r\n" + data
        answer = Answer((method, target, fields, body if chunks is None else b"".join(chunks)), time.monotonic(),
                        time.time())
        try:
            if self._socket is None or time.monotonic() - self._last_use > IDLE_LIMIT:
                self._open()
            self._send(message)
            self._receive(answer, method)
        except OSError as error:
            self.close()
            raise Dropped(f"{method} {target}: {error!r}") from error
        except Dropped as error:
            self.close()
            raise Dropped(f"{method} {target}: {error}") from error
        answer.end, answer.wall_end = time.monotonic(), time.time()
        self._last_use = answer.end
        if "close" in answer.fields.get("connection", "").lower():
            self.announced_closes += 1
            self.close()
        return answer

    def _open(self):
        self.close()
        self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=TIMEOUT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _send(self, message):
        if len(message) < 32 * 1024:
            self._socket.sendall(message)
            return
        # The answer to a long batch begins before the batch ends; who does not read it meanwhile may wait for ever.
        rest = memoryview(message)
        while rest:
            readable, writable, _ = select.select([self._socket], [self._socket], [], TIMEOUT)
            if not readable and not writable:
                raise Dropped("the server does not read the request")
            if readable:
                self._fill()
            if writable:
                rest = rest[self._socket.send(rest[:65536]):]

    def _fill(self):
        data = self._socket.recv(262144)
        if not data:
            raise Dropped(f"the connection ended after {len(self._buffer)} bytes of an answer: {self._buffer[:200]!r}")
        self._buffer += data

    def _line(self, end=b"\r\n"):
        while (place := self._buffer.find(end)) < 0:
            self._fill()
        line, self._buffer = self._buffer[:place], self._buffer[place + len(end):]
        return line

    def _bytes(self, count):
        while len(self._buffer) < count:
            self._fill()
        data, self._buffer = self._buffer[:count], self._buffer[count:]
        return data

    def _receive(self, answer, method):
        lines = self._line(b"\r\n\r\n").decode("latin-1").split("\r\n")
        answer.status = int(lines[0].split(" ")[1])
        answer.fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        if method == "HEAD" or answer.status in (204, 304):
            answer.body = b""
        elif answer.fields.get("transfer-encoding") == "chunked":
            parts = []
            while (length := int(self._line(), 16)) > 0:
                parts.append(self._bytes(length))
                self._line()
            self._line()
            answer.body = b"".join(parts)
        else:
            answer.body = self._bytes(int(answer.fields["content-length"]))
