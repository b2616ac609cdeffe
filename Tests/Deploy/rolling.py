"""Restarts two replicas behind nginx, one by one, under load, and counts the requests that fail.

usage: rolling.py BINARY FOLDER POSTGRES

nginx runs with Config/deploy/nginx.conf: the second server is switched on, and ports, name and certificate are those of this
run. No request may fail. The same with nginx's own `max_fails=1` has to lose some, else this would prove nothing.
"""

import http.client
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time

from manifests import SAMPLES, require
from ports import free_port

HOST = "loremipsum.com"

# Requests a second: more than enough to meet each moment in which a port is closed.
RATE = 120
THREADS = 4


class Replica:
    """A server over the database, which is ended and started again."""

    def __init__(self, binary, folder, database):
        self.port = free_port()
        self.log = open(pathlib.Path(folder) / f"replica-{self.port}.log", "a")
        self.command = [binary, "serve", "--port", str(self.port), "--database", database, "--drain-seconds", "1"]
        self.start()

    def start(self):
        """Starts it, and waits until it is ready."""
        self.process = subprocess.Popen(self.command, stderr=self.log)
        for _ in range(300):
            require(self.process.poll() is None, f"a replica does not start: see {self.log.name}")
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise SystemExit("deploy: a replica is not ready")

    def stop(self):
        """Ends it, as a rollout does."""
        self.process.send_signal(signal.SIGTERM)
        require(self.process.wait(timeout=20) == 0, f"a replica ends with {self.process.returncode}")


class Load:
    """Requests at an even rate through the proxy, from several connections, for as long as a `with` block."""

    def __init__(self, port, certificate, token):
        self.port = port
        self.headers = {"Accept": "application/json", "Authorization": f"Bearer {token}"}
        self.context = ssl.create_default_context(cafile=certificate)
        self.is_over = False
        self.count = 0
        self.failures = []
        self.lock = threading.Lock()

    def run(self):
        """Sends requests until the end."""
        connection = None
        while not self.is_over:
            begin = time.monotonic()
            try:
                if connection is None:
                    plain = socket.create_connection(("127.0.0.1", self.port), timeout=20)
                    connection = http.client.HTTPSConnection(HOST, timeout=20)
                    connection.sock = self.context.wrap_socket(plain, server_hostname=HOST)
                connection.request("GET", "/onboarding", headers=self.headers)
                answer = connection.getresponse()
                answer.read()
                outcome = None if answer.status == 200 else answer.status
                if answer.will_close:
                    connection = None
            except (OSError, http.client.HTTPException) as error:
                outcome, connection = repr(error), None
            with self.lock:
                self.count += 1
                if outcome is not None:
                    self.failures.append(outcome)
            time.sleep(max(0, THREADS / RATE - (time.monotonic() - begin)))

    def __enter__(self):
        self.threads = [threading.Thread(target=self.run) for _ in range(THREADS)]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        for thread in self.threads:
            thread.join()


def configuration(folder, port, replicas, max_fails):
    """The sample, for this run."""
    text = (SAMPLES / "nginx.conf").read_text()
    second = re.search(r"^( *)# (server 127\.0\.0\.1:8081 max_fails=0;)$", text, re.MULTILINE)
    require(second, "nginx.conf has no second server")
    text = text.replace(second[0], second[1] + second[2])
    for name, replica in zip(("8080", "8081"), replicas):
        require(f"server 127.0.0.1:{name} max_fails=0;" in text, f"nginx.conf: the server {name} may be left out")
        text = text.replace(f"127.0.0.1:{name} max_fails=0", f"127.0.0.1:{replica.port} max_fails={max_fails}")
    return (text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};").replace("listen 443 ", f"listen 127.0.0.1:{port} ")
            .replace("links.example.com", HOST).replace("/etc/ssl/waymark/", f"{folder}/")
            .replace("/var/log/nginx/", f"{folder}/"))


def restart_all(folder, replicas, token, max_fails):
    """Restarts each replica under load, and returns how many requests there were, and the failed ones."""
    port = free_port()
    file = pathlib.Path(folder) / f"rolling-{max_fails}.conf"
    file.write_text(configuration(folder, port, replicas, max_fails))
    nginx = subprocess.Popen(["nginx", "-e", "stderr", "-c", file, "-g", f"pid {file}.pid; daemon off;"],
                             stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        with Load(port, f"{folder}/fullchain.pem", token) as load:
            time.sleep(1)
            for replica in replicas:
                replica.stop()
                replica.start()
                time.sleep(1)
        return load.count, load.failures
    finally:
        nginx.terminate()
        nginx.wait()


def main():
    binary, folder, database = sys.argv[1:4]
    made = subprocess.run([binary, "token", "create", "--role", "resolver", "--create", "--database", database], check=True,
                          capture_output=True, text=True)
    token = made.stdout.strip()
    replicas = [Replica(binary, folder, database) for _ in range(2)]
    try:
        count, failures = restart_all(folder, replicas, token, 0)
        require(count > RATE, f"only {count} requests were sent")
        require(not failures, f"{len(failures)} of {count} requests failed in a rolling restart: {failures[:5]}")
        without, lost = restart_all(folder, replicas, token, 1)
        require(lost, f"none of {without} requests failed with max_fails=1, so this proves nothing")
        print(f"deploy: a rolling restart of two replicas behind nginx fails 0 of {count} requests; with max_fails=1 it "
              f"fails {len(lost)} of {without}")
    finally:
        for replica in replicas:
            replica.process.kill()


if __name__ == "__main__":
    main()
