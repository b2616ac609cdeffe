"""Restarts a server under load, again and again, with its socket handed over as systemd does; see scripts/restarts."""

import argparse
import asyncio
import collections
import os
import pathlib
import signal
import socket
import sys
import tempfile
import time

from waymark import CATALOG, CHECKOUT, environment

# The first descriptor that is handed over (sd_listen_fds(3)).
FIRST = 3

REQUEST = (b"GET /v1/resolve?link=navigation:/onboarding HTTP/1.1\r\nHost: localhost\r\n\r\n")

# The time after which an answer counts as missing, in seconds: far longer than a restart.
PATIENCE = 60


class Clients:
    """Asks at a steady rate, over connections that stay open as long as the server lets them."""

    def __init__(self, port, rate):
        self._port, self._rate = port, rate
        self._idle = collections.deque()
        self.counts = collections.Counter()
        self.faults = []
        self.slowest = 0
        self.ending = False

    async def run(self):
        """Asks until it is told to end, and then waits for the last answers."""
        begin, sent, tasks = time.monotonic(), 0, set()
        while not self.ending:
            # A late request is sent at once: the rate is that of a day, not of this machine.
            while sent < (time.monotonic() - begin) * self._rate:
                sent += 1
                task = asyncio.create_task(self._ask())
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            await asyncio.sleep(0.002)
        self.seconds, self.counts["sent"] = time.monotonic() - begin, sent
        await asyncio.gather(*tasks)

    async def _ask(self):
        begin = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._exchange()
        except ConnectionRefusedError:
            self.counts["refused"] += 1
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            self.counts["failed"] += 1
            self.faults.append(repr(error))
        self.slowest = max(self.slowest, time.monotonic() - begin)

    async def _exchange(self):
        # A connection that the server has closed meanwhile was not asked anything.
        while self._idle:
            reader, writer = self._idle.pop()
            if not reader.at_eof():
                break
            writer.close()
        else:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            self.counts["connections"] += 1
        writer.write(REQUEST)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        status, *lines = head.splitlines()
        fields = dict(line.lower().split(": ", 1) for line in lines if line)
        body = await reader.readexactly(int(fields["content-length"]))
        if " 200 " not in status or b'"stack"' not in body:
            raise ValueError(status)
        self.counts["answered"] += 1
        if fields.get("connection") == "close":
            self.counts["last of their connection"] += 1
            writer.close()
        else:
            self._idle.append((reader, writer))


class Handover:
    """What systemd does for a unit with a socket: it listens, and starts one server after the other on it."""

    def __init__(self, binary, folder, options):
        self._binary, self._options = binary, options
        self._folder = folder
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = self._socket.getsockname()[1]
        self._count = 0

    def start(self):
        """Starts a server; returns its process id and its log."""
        self._count += 1
        log = self._folder / f"server-{self._count}.log"
        log.touch()
        words = [self._binary, "serve", "--port", "0", "--database", str(self._folder / "states.sqlite"), "--catalog",
                 str(CATALOG), *self._options]
        process = os.fork()
        if process == 0:
            try:
                output = os.open(log, os.O_WRONLY)
                os.dup2(output, 2)
                os.dup2(self._socket.fileno(), FIRST, inheritable=True)
                os.chdir(CHECKOUT)
                os.execve(self._binary, words, environment({"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}))
            finally:
                os._exit(127)
        return process, log


async def until(condition, what, patience=PATIENCE):
    """Waits until something is so."""
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"restarts: {what} did not happen within {patience} s")
        await asyncio.sleep(0.01)


async def ended(process):
    """Waits for the end of a process; returns its exit code."""
    return os.waitstatus_to_exitcode((await asyncio.to_thread(os.waitpid, process, 0))[1])


async def restarts(options, folder):
    """Restarts a server under load; returns the faults."""
    handover = Handover(options.binary, folder, ["--drain-seconds", str(options.drain)])
    faults = []
    process, log = handover.start()
    running = [process]
    try:
        await until(lambda: "Listening on" in log.read_text(), "the first start")
        clients = Clients(handover.port, options.rate)
        load = asyncio.create_task(clients.run())
        for number in range(options.count):
            await asyncio.sleep(options.pause)
            os.kill(process, signal.SIGTERM)
            if number % 2 == 0:
                # As systemd does: the next one starts when the last one has ended.
                codes = [await ended(process)]
                running.remove(process)
                following, log = handover.start()
                running.append(following)
            else:
                # One that is started too early waits for the database.
                following, log = handover.start()
                running.append(following)
                codes = [await ended(process)]
                running.remove(process)
                if "Waiting for the server" not in log.read_text():
                    faults.append("a server that is started early does not say that it waits")
            faults += [f"a server ended with {code}" for code in codes if code != 0]
            process = following
            await until(lambda: "Listening on" in log.read_text(), "a start")
            print(f"restarts: {number + 1} of {options.count}, {clients.counts['answered']:,} answered", flush=True)
        await asyncio.sleep(options.pause)
        clients.ending = True
        await load
        counts = clients.counts
        print(f"restarts: {counts['sent']:,} requests in {clients.seconds:.0f} s ({counts['sent'] / clients.seconds:.0f} "
              f"a second) over {options.count} restarts: {counts['answered']:,} answered, {counts['refused']} refused, "
              f"{counts['failed']} failed; {counts['connections']:,} connections, {counts['last of their connection']:,} "
              f"of them ended as announced; the slowest answer took {clients.slowest:.2f} s")
        faults += clients.faults[:5]
        if counts["refused"] or counts["failed"] or counts["answered"] != counts["sent"]:
            faults.append("requests were refused or failed")
        if not counts["last of their connection"]:
            faults.append("no answer said `Connection: close`")
        if counts["sent"] < 0.9 * options.rate * clients.seconds:
            faults.append("the load was lighter than it should be")
        os.kill(process, signal.SIGTERM)
        if await ended(process) != 0:
            faults.append("the last server did not end well")
        running.remove(process)
    finally:
        for one in running:
            os.kill(one, signal.SIGKILL)
            os.waitpid(one, 0)
    return faults


def main():
    parser = argparse.ArgumentParser(prog="scripts/prove restarts", description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--count", type=int, default=10, help="how many restarts there are")
    parser.add_argument("--rate", type=int, default=500, help="how many requests are sent in a second")
    parser.add_argument("--drain", type=int, default=5, help="the drain of each server, in seconds")
    parser.add_argument("--pause", type=float, default=1, help="the time between two restarts, in seconds")
    options = parser.parse_args()
    options.binary = str(pathlib.Path(options.binary).resolve())
    with tempfile.TemporaryDirectory(prefix="waymark-restarts-") as name:
        faults = asyncio.run(restarts(options, pathlib.Path(name)))
    for fault in faults:
        print(f"restarts: {fault}", file=sys.stderr)
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
