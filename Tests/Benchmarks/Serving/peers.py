"""Runs what the service is measured beside: nginx with a constant body, and the Go peer."""

import os
import shutil
import socket
import subprocess
import time

from faults import NotMeasured
from ports import free_port
from targets import HERE, USERS
from waymark import CHECKOUT, end


class Peer:
    """Is a process that listens on a port; ends it where it is left (`with`)."""

    def __init__(self, command, port, log, patience):
        self.url = f"http://127.0.0.1:{port}"
        with log.open("wb") as output:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        self.pid = self.process.pid
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        end(self.process)
        raise NotMeasured(f"{command[0]} does not listen: {log.read_text(errors='replace')[-1000:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.process)


def nginx(folder, body):
    """Starts nginx with one worker, which answers everything with the same bytes: the floor of what HTTP costs here."""
    # Debian keeps it where not every user's PATH leads.
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    place = folder / "nginx"
    place.mkdir()
    port = free_port()
    # In nginx's quotes a quote ends the text, a backslash escapes, and a dollar begins a variable.
    if any(character in body for character in "'\\$"):
        raise NotMeasured(f"nginx cannot be told this body: {body}")
    text = (HERE / "nginx.conf").read_text().replace("@PORT@", str(port)).replace("@BODY@", body)
    (place / "nginx.conf").write_text(text)
    return Peer([program, "-p", f"{place}/", "-e", "nginx.err", "-c", "nginx.conf"], port, folder / "nginx.log", 10)


def go_peer(folder):
    """Builds the Go peer and starts it; it makes its users itself."""
    cache = CHECKOUT / ".build/bench"
    cache.mkdir(parents=True, exist_ok=True)
    # Debian's copy of the SQLite driver lies on this path; outside a repository, go does not look for modules.
    source = folder / "peer"
    shutil.copytree(HERE / "peer", source)
    build = subprocess.run(
        ["go", "build", "-o", folder / "go-peer", "."], cwd=source, capture_output=True, text=True,
        env={**os.environ, "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(cache / "go-cache")})
    if build.returncode != 0:
        raise NotMeasured(f"the Go peer does not build: {build.stderr[-1000:]}")
    port = free_port()
    command = [folder / "go-peer", "-addr", f"127.0.0.1:{port}", "-db", folder / "peer.sqlite", "-users", str(USERS)]
    return Peer(list(map(str, command)), port, folder / "go-peer.log", 120)
