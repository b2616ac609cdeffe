"""The association files behind TLS for real: nginx, a CA of the test's own, and a client that trusts it alone."""

import contextlib
import json
import pathlib
import socket
import subprocess
import tempfile
import time
import unittest

import browser
import waymark
from ports import free_port

CATALOG = waymark.CHECKOUT / "Config/examples/link-domain.yaml"
HOST = "links.example.com"
FILES = {
    "/.well-known/apple-app-site-association": "applinks",
    "/apple-app-site-association": "applinks",
    "/.well-known/assetlinks.json": "delegate_permission/common.handle_all_urls",
}


def run(*words, **options):
    """Runs a program that must succeed, and returns what it prints."""
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **options).stdout


def make_certificates(folder):
    """Makes a CA, and a certificate of the host that it signs."""
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Test CA",
        "-keyout", folder / "ca.key", "-out", folder / "ca.pem")
    run("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={HOST}",
        "-keyout", folder / "host.key", "-out", folder / "host.csr")
    (folder / "names").write_text(f"subjectAltName=DNS:{HOST},DNS:go.example.com\n")
    run("openssl", "x509", "-req", "-in", folder / "host.csr", "-CA", folder / "ca.pem", "-CAkey", folder / "ca.key",
        "-CAcreateserial", "-days", "2", "-extfile", folder / "names", "-out", folder / "host.pem")


@contextlib.contextmanager
def nginx(folder, port, upstream):
    """Runs nginx before a server, as docs/guides/operate/proxy-and-tls.md has it."""
    (folder / "nginx.conf").write_text(f"""
        daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
        events {{ worker_connections 64; }}
        http {{
            access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
            fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
            server {{
                listen 127.0.0.1:{port} ssl http2; server_name {HOST} go.example.com;
                ssl_certificate {folder}/host.pem; ssl_certificate_key {folder}/host.key;
                location / {{
                    proxy_pass http://127.0.0.1:{upstream}; proxy_http_version 1.1;
                    proxy_set_header Host $host; proxy_set_header Connection "";
                    proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto https;
                }}
            }}
        }}
        """)
    process = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(10)


class TLSTests(unittest.TestCase):
    """Tests of what phones get, over HTTP/1.1 and HTTP/2."""

    def test_the_files_are_got_without_a_redirect_and_kept(self):
        with tempfile.TemporaryDirectory() as name:
            folder, port = pathlib.Path(name), free_port()
            make_certificates(folder)
            database = folder / "test.sqlite"
            waymark.command(browser.BINARY, "token", "create", "--role", "resolver", "--create", database=database)
            with waymark.Server(browser.BINARY, database, catalog=CATALOG) as server:
                with nginx(folder, port, server.port):
                    for version, protocol in (("--http1.1", "1.1"), ("--http2", "2")):
                        for path, word in FILES.items():
                            with self.subTest(path=path, version=version):
                                self.check(folder, port, version, protocol, path, word)
                    # Public documents are visible, and the API is not.
                    self.assertEqual(self.get(folder, port, "--http2", "/p/7", "Accept: text/html")[0], "200")
                    self.assertEqual(self.get(folder, port, "--http2", "/p/7", "Accept: application/json")[0], "401")

    def check(self, folder, port, version, protocol, path, word):
        """Gets a file twice: whole, and known."""
        status, told, head, body = self.get(folder, port, version, path)
        self.assertEqual((status, told), ("200", protocol))
        self.assertEqual(head["content-type"], "application/json")
        self.assertEqual(head["cache-control"], "public, max-age=3600")
        self.assertIn(word, json.dumps(json.loads(body)))
        status, _, again, body = self.get(folder, port, version, path, f"If-None-Match: {head['etag']}")
        self.assertEqual((status, body, again["etag"]), ("304", "", head["etag"]))

    @staticmethod
    def get(folder, port, version, path, *fields):
        """Asks nginx by the name of the host; gives the status, the version of HTTP, the head and the body."""
        words = [word for field in fields for word in ("--header", field)]
        output = run("curl", "--silent", "--show-error", version, "--cacert", folder / "ca.pem", "--resolve",
                     f"{HOST}:{port}:127.0.0.1", "--include", "--write-out", "\n%{http_code} %{http_version}", *words,
                     f"https://{HOST}:{port}{path}")
        output, _, told = output.rpartition("\n")
        head, _, body = output.replace("\r", "").partition("\n\n")
        lines = dict(line.split(": ", 1) for line in head.split("\n")[1:])
        status, protocol = told.split()
        return status, protocol, {name.lower(): value for name, value in lines.items()}, body


if __name__ == "__main__":
    unittest.main()
