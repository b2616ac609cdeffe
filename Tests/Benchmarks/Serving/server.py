"""Runs `waymark serve` and the commands beside it."""

import os
import re
import subprocess
import time

import processes
from faults import NotMeasured
from targets import CATALOG, CHECKOUT


def environment():
    """Leaves out settings of the caller's."""
    return {name: value for name, value in os.environ.items() if not name.startswith("WAYMARK_")}


def command(options, *words, database, input=None):
    """Runs one of waymark's commands on a database, and returns what it prints."""
    run = subprocess.run([options.binary, *words, "--database", str(database)], input=input, capture_output=True,
                         text=True, cwd=CHECKOUT, env=environment())
    if run.returncode != 0:
        raise NotMeasured(f"waymark {' '.join(words[:2])} ended with {run.returncode}: {run.stderr.strip()[-500:]}")
    return run.stdout.strip()


class Server:
    """Is one process of the service on a free port; ends it where it is left (`with`)."""

    def __init__(self, options, database, catalog=CATALOG, arguments=()):
        self._log = open(f"{database}.log", "w+b")
        begin = time.monotonic()
        self.process = subprocess.Popen(
            [options.binary, "serve", "--port", "0", "--database", str(database), "--catalog", str(catalog),
             *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._log, cwd=CHECKOUT, env=environment())
        self.pid = self.process.pid
        try:
            self.port = self._listening_port(begin + 120)
        except BaseException:
            self.process.kill()
            raise
        # From its start until it listens, to about a millisecond.
        self.start_seconds = time.monotonic() - begin
        self.url = f"http://127.0.0.1:{self.port}"

    def _said(self):
        return os.pread(self._log.fileno(), 1 << 20, 0).decode(errors="replace")

    def _listening_port(self, deadline):
        while time.monotonic() < deadline:
            if found := re.search(r"Listening on http://127\.0\.0\.1:(\d+)", self._said()):
                return int(found[1])
            if self.process.poll() is not None:
                break
            time.sleep(0.001)
        raise NotMeasured(f"waymark does not listen: {self._said()[-2000:]}")

    @property
    def resident_mib(self):
        """How much memory it holds."""
        return processes.resident_mib(self.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        processes.end(self.process)
        self._log.close()
