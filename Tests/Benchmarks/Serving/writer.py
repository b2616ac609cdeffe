"""Writes users at a steady rate over a few connections that stay open; prints how many writes a second it made.

usage: writer.py PORT RATE CONNECTIONS. Ends when its standard input does.
"""

import select
import socket
import sys
import time

BODY = b'{"authorizationLevel":"premiumUser"}'
HEAD = (b"POST /v1/users/w%%d HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(BODY))


def main():
    """Sends each write when it is due, or as soon as a connection is free."""
    port, rate, count = map(int, sys.argv[1:])
    poll, idle, buffers = select.epoll(), [], {}
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        poll.register(connection.fileno(), select.EPOLLIN)
        buffers[connection.fileno()] = connection
        idle.append(connection)
    poll.register(sys.stdin.fileno(), select.EPOLLIN)
    partial = {}
    sent = done = 0
    begin = time.monotonic()
    while True:
        now = time.monotonic()
        due = int((now - begin) * rate)
        while sent < due and idle:
            connection = idle.pop()
            connection.sendall(HEAD % (sent % 1000) + BODY)
            sent += 1
        # Until the next one is due, or an answer if all connections are busy.
        pause = max(0.0005, begin + (sent + 1) / rate - time.monotonic()) if idle else 1
        for number, _ in poll.poll(pause):
            if number == sys.stdin.fileno():
                print(done / (time.monotonic() - begin))
                return
            data = partial.pop(number, b"") + buffers[number].recv(65536)
            # The answer to a write is one JSON object without nested ones.
            if data and not data.endswith(b"}"):
                partial[number] = data
                continue
            if not data.startswith(b"HTTP/1.1 20"):
                sys.exit(f"a write was answered by {data[:200]}")
            done += 1
            idle.append(buffers[number])


main()
