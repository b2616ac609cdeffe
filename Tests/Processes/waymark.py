"""The service and its commands as processes: started, awaited, watched (proc(5)) and stopped.

What drives the service in Python has this folder on its path (`PYTHONPATH`), as `scripts/` see to.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent.parent
CATALOG = CHECKOUT / "Config/routes.yaml"

# `scripts/prove --strict`: a speed that is too low is a failure. Without it, a proof prints the speed.
IS_STRICT = "WAYMARK_PROVE_STRICT" in os.environ

LISTENING = re.compile(r"Listening on http://127\.0\.0\.1:(\d+)")
TICKS = os.sysconf("SC_CLK_TCK")


class DidNotStart(Exception):
    """A server that ended instead of listening, or did neither in time: its exit code or None, and what it said."""

    def __init__(self, code, text):
        super().__init__(f"the server does not listen, exit code {code}: {text.strip()[-2000:]}")
        self.code, self.text = code, text


class CommandFailed(Exception):
    """A command that ended with another exit code than 0, and what it said."""


def unwind_when_terminated():
    """Makes SIGTERM end this program as an error does, so that what it has started is ended as well."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def environment(additions=None):
    """Returns the environment of a process of ours: none of the caller's settings, but those that are added."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WAYMARK_")}
    return kept | (additions or {})


def command(binary, *words, database, input=None):
    """Runs one of the commands on a database, and returns what it prints."""
    run = subprocess.run([binary, *words, "--database", str(database)], input=input, capture_output=True, text=True,
                         cwd=CHECKOUT, env=environment())
    if run.returncode != 0:
        said = run.stderr.strip()[-500:]
        raise CommandFailed(f"waymark {' '.join(words[:2])} ended with {run.returncode}: {said}")
    return run.stdout.strip()


class Server:
    """A process of `waymark serve` on a free port, with its log in a file; ended where it is left (`with`).

    `prefix` is a command that runs it, such as strace; `settings` are variables that it gets.
    """

    def __init__(self, binary, database, *, catalog=CATALOG, arguments=(), prefix=(), settings=None, log=None,
                 patience=120):
        self.database = database
        self.log = pathlib.Path(log or f"{database}.log")
        begin = time.monotonic()
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                # A script is no balancer that must be told of the end.
                [*prefix, binary, "serve", "--port", "0", "--drain-seconds", "0", "--database", str(database), "--catalog", str(catalog),
                 *arguments],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=CHECKOUT, env=environment(settings))
        self.pid = self.process.pid
        try:
            self.port = self._await_port(begin + patience)
        except BaseException:
            self.kill()
            raise
        # From its start until it listens, to about a millisecond.
        self.start_seconds = time.monotonic() - begin
        self.url = f"http://127.0.0.1:{self.port}"

    def _await_port(self, deadline):
        while True:
            code = self.process.poll()  # Before the log is read: an end leaves no line unread.
            said = self.said()
            if found := LISTENING.search(said):
                return int(found[1])
            if code is not None or time.monotonic() > deadline:
                raise DidNotStart(code, said)
            time.sleep(0.001)

    def said(self):
        """Returns the log so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    @property
    def is_running(self):
        """Whether the process has not ended."""
        return self.process.poll() is None

    def signal(self, number):
        """Sends the process a signal."""
        self.process.send_signal(number)

    def stop(self, patience=30):
        """Asks the process to end; returns its exit code, or None where it had to be killed."""
        return end(self.process, patience)

    def kill(self):
        """Ends the process at once."""
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def end(process, patience=15):
    """Asks a process to end, and kills it where it does not in time; returns its exit code, or None if it was killed."""
    process.terminate()
    try:
        return process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def cpu_seconds(pid):
    """Returns the user and system time that a process and its descendants have used."""
    total = 0
    for one in family(pid):
        fields = pathlib.Path(f"/proc/{one}/stat").read_text().rpartition(") ")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def family(pid):
    """Lists a process and its descendants."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        try:
            waiting += map(int, pathlib.Path(f"/proc/{one}/task/{one}/children").read_text().split())
        except OSError:
            pass  # It has ended.
    return found


def resident_kib(pid):
    """Returns how much memory a process holds (VmRSS), in KiB; 0 where it has ended."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return 0
    found = re.search(r"^VmRSS:\s*(\d+) kB$", status, re.MULTILINE)
    return int(found[1]) if found else 0
