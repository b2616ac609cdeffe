"""Writes through many connections at once."""

import random
import select
import socket
import threading
import time

from server import LEVELS, unlike_all


class Load:
    """Runs one thread per connection, each with users of its own and some that all share.

    `acknowledged` holds (user, version, level) of each write whose answer arrived whole; `refused` counts the
    answers of each other status.
    """

    def __init__(self, server, connections, name, seed, limit=None, shared=4, stop_on_refusal=False):
        self.server, self.name, self.limit, self.shared = server, name, limit, shared
        self.stop_on_refusal = stop_on_refusal
        self.acknowledged, self.refused, self.times = [], {}, []
        self.stopped = threading.Event()
        self.lock = threading.Lock()
        self.threads = [
            threading.Thread(target=self._write, args=(index, random.Random(seed * 1000 + index)), daemon=True)
            for index in range(connections)
        ]

    def start(self):
        for thread in self.threads:
            thread.start()

    def join(self):
        for thread in self.threads:
            thread.join(120)

    def stop(self):
        self.stopped.set()
        self.join()

    def count(self):
        with self.lock:
            return len(self.acknowledged)

    def _write(self, index, generator):
        try:
            connection = self.server.connect()
            while not self.stopped.is_set():
                if self.limit is not None and self.count() >= self.limit:
                    return
                if self.shared and generator.random() < 0.25:
                    user = f"{self.name}-all-{generator.randrange(self.shared)}"
                else:
                    user = f"{self.name}-{index}-{generator.randrange(3)}"
                level = generator.choice(LEVELS)
                status, version = connection.save(user, level)
                with self.lock:
                    if version is not None:
                        self.acknowledged.append((user, version, level))
                        self.times.append(time.monotonic())
                    else:
                        self.refused[status] = self.refused.get(status, 0) + 1
                if version is None:
                    if self.stop_on_refusal:
                        return
                    time.sleep(0.005)
        except OSError:
            pass  # The server was killed.


def rate(server, connections, seconds, name):
    """Writes for some seconds through so many connections, and returns acknowledged writes per second and the share
    of a processor that this client took.

    One thread with epoll: the client must not be what is measured.
    """
    poll = select.epoll()
    sockets, counters, buffers = {}, {}, {}

    def send(number):
        # No state is written that is there already.
        body = b'{"authorizationLevel":"premiumUser","validUntil":"%s"}' % unlike_all().encode()
        head = b"POST /v1/users/%s-%d-%d HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" % (
            name.encode(), number, counters[number] % 100,
        )
        sockets[number].send(head + b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    for _ in range(connections):
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        number = connection.fileno()
        sockets[number], counters[number], buffers[number] = connection, 0, b""
        poll.register(number, select.EPOLLIN)
    warmup = 0.5
    for number in sockets:
        send(number)
    count, begin, cpu, end = 0, None, 0.0, time.monotonic() + warmup
    while True:
        for number, _ in poll.poll(1):
            data = buffers[number] + sockets[number].recv(65536)
            # The body of every answer to a write is one JSON object without nested ones.
            if not data.endswith(b"}"):
                assert data or buffers[number], "the server closed the connection"
                buffers[number] = data
                continue
            assert data.startswith(b"HTTP/1.1 20"), data
            buffers[number] = b""
            counters[number] += 1
            count += 1
            send(number)
        now = time.monotonic()
        if now >= end:
            if begin is not None:
                break
            count, begin, cpu, end = 0, now, time.process_time(), now + seconds
    elapsed = time.monotonic() - begin
    used = time.process_time() - cpu
    for connection in sockets.values():
        connection.close()
    return count / elapsed, used / elapsed
