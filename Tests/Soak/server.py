"""Starts the server, watches its log, and stops it."""

import os
import pathlib
import re
import signal
import subprocess
import time

# What an entry of the log begins with; some have several lines.
ENTRY = re.compile(r"^(?=\d{4}-\d\d-\d\dT\S+ [a-z]+ )", re.MULTILINE)
SEVERE = re.compile(r"\S+ (warning|error|critical) ")
REFUSAL = "The new catalog is refused; the former one serves on."


class Server:
    """Is one process of the service, with its log in a file."""

    def __init__(self, binary, folder, catalog, name, options=()):
        self.log = folder / f"{name}.log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [binary, "serve", "--port", "0", "--database", folder / "waymark.sqlite", "--catalog", catalog,
                 "--maximum-history-count", "1000000", *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.port = self._await_port()

    def _await_port(self):
        end = time.monotonic() + 60
        while time.monotonic() < end and self._process.poll() is None:
            found = re.search(r"Listening on http://127\.0\.0\.1:(\d+)", self.log.read_text())
            if found:
                return int(found[1])
            time.sleep(0.05)
        self.kill()
        raise SystemExit(f"soak: the server does not listen:\n{self.log.read_text()}")

    def signal(self, number):
        """Sends the process a signal."""
        self._process.send_signal(number)

    @property
    def is_running(self):
        """Whether the process has not ended."""
        return self._process.poll() is None

    def memory(self):
        """How much memory the process holds (VmRSS), in KiB; 0 where it has ended."""
        try:
            status = pathlib.Path(f"/proc/{self._process.pid}/status").read_text()
        except FileNotFoundError:
            return 0
        found = re.search(r"^VmRSS:\s*(\d+) kB$", status, re.MULTILINE)
        return int(found[1]) if found else 0

    def processor_time(self):
        """How many seconds of processor time the process has used."""
        fields = pathlib.Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        """Asks the process to end; returns its exit code, or None where it had to be killed."""
        self.signal(signal.SIGTERM)
        try:
            return self._process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def kill(self):
        """Ends the process at once."""
        self._process.kill()
        self._process.wait()

    def faults(self):
        """What the log has that is no mere information, without the refused catalogs, and what is no entry of it."""
        return [entry for entry in ENTRY.split(self.log.read_text(errors="replace"))
                if entry.strip() and (SEVERE.match(entry) or not ENTRY.match(entry)) and REFUSAL not in entry]

    def refusals(self):
        """How many catalogs were refused, as the log says."""
        return self.log.read_text(errors="replace").count(REFUSAL)
