#!/usr/bin/env python3
"""Finds ports for programs that cannot choose their own and say which, such as proxies and databases.

usage: ports.py    prints a port

A port that is found by binding it is free for anybody as soon as it is closed: another proof may get it before the program
listens. So all proofs of a machine take their ports from one counter, in turn, and no two of them get the same one. The ports lie
below those that the system hands out by itself, to connections and to servers on port 0 (ip(7), `ip_local_port_range`).
"""

import contextlib
import fcntl
import os
import pathlib
import socket

FIRST = 20_000
# The first port that Linux hands out by itself, where nobody has changed it.
USUAL_END = 32_768
# One file for the machine: TMPDIR differs from proof to proof.
COUNTER = "/tmp/waymark-ports"


def candidates():
    """The ports that may be handed out, at least a thousand."""
    try:
        end = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        end = USUAL_END
    return range(FIRST, end if end >= FIRST + 1000 else USUAL_END)


def is_free(port):
    """Whether nobody listens on a port of this machine, at any of its addresses of IPv4."""
    with socket.socket() as listener:
        try:
            listener.bind(("", port))
        except OSError:
            return False
    return True


def open_counter(path):
    """Opens the file of the counter, which every user may write, and makes it if there is none."""
    for flags in (0, os.O_CREAT):
        # Linux refuses to make a file of another user anew in a folder for everybody (sysctl fs.protected_regular).
        with contextlib.suppress(FileNotFoundError):
            file = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | flags, 0o666)
            if flags:
                os.fchmod(file, 0o666)
            return os.fdopen(file, "r+")
    raise FileNotFoundError(path)


def free_port(counter=COUNTER):
    """Returns a port that nobody listens on, and that nobody else gets until all others have had their turn."""
    ports = candidates()
    with open_counter(counter) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        text = file.read().strip()
        turn = int(text) if text.isdecimal() and len(text) < 10 else 0
        for turn in range(turn, turn + len(ports)):
            port = ports[turn % len(ports)]
            if is_free(port):
                file.seek(0)
                file.truncate()
                file.write(f"{(turn + 1) % len(ports)}\n")
                return port
    raise OSError(f"no port from {ports[0]} to {ports[-1]} is free")


if __name__ == "__main__":
    print(free_port())
