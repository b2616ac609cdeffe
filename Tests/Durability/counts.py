"""Counts of uses of links under kill -9, and what their writes cost those who write users."""

import base64
import json
import random
import sqlite3
import statistics
import threading
import time
import urllib.parse

from server import Server

# The time within which a count is promised to be on disk.
PROMISED = 10

CATALOG = """
version: 1
origins: [{ scheme: https, hosts: [shop.example] }, { scheme: https, hosts: [go.example], shortLinks: true }]
entry: { home: root }
routes: { home: { path: "", opens: { product: push } }, product: { path: "product/{id}", parameters: { id: int } } }
"""
APP = "Waymark-App: ios/3.1.0\r\n"


class Openings:
    """Opens a link again and again; `times` has the moment of each acknowledged opening."""

    def __init__(self, server, target):
        self.times, self.sent = [], 0
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._open, args=(server.connect(), target), daemon=True)
        self.thread.start()

    def _open(self, connection, target):
        try:
            while not self.stopped.is_set():
                self.sent += 1
                if connection.request("GET", target, headers=APP)[0] == 200:
                    self.times.append(time.monotonic())
                time.sleep(0.002)
        except OSError:
            pass  # The server was killed.


def resolve(link):
    return "/v1/resolve?link=" + urllib.parse.quote(link, safe="")


def opened(server, code):
    """Returns the stored openings of a code and of its label."""
    rows = json.loads(server.get("/v1/counts?by=code")[1])["rows"]
    labels = json.loads(server.get("/v1/counts?by=label")[1])["rows"]
    return (sum(row.get("opened", 0) for row in rows if row["code"] == code),
            sum(row.get("opened", 0) for row in labels if row["label"] == "mail"))


def killed(binary, database, catalog, rounds, seed, expect):
    """Kills a server that counts, so often; returns the openings, those that were lost, and the most of one kill in
    seconds."""
    generator = random.Random(seed)
    server = Server(binary, database, catalog=catalog)
    body = json.dumps({"link": "https://shop.example/product/5", "label": "mail"})
    status, _ = server.connect().request("POST", "/v1/short-links/summer", body)
    expect(status == 201, f"counts: a short link was answered {status}")
    total, lost, longest, stored, saved = 0, 0, 0.0, 0, []
    for number in range(rounds):
        openings = Openings(server, resolve("https://go.example/summer"))
        time.sleep(generator.uniform(6, 12))
        level = generator.choice(["premiumUser", "signedInUser"])
        saved.append((f"u{number}", server.connect().save(f"u{number}", level)[1], level))
        server.kill()
        end = time.monotonic()
        openings.stopped.set()
        openings.thread.join()
        server = Server(binary, database, catalog=catalog)
        by_code, by_label = opened(server, "summer")
        expect(by_code == by_label, f"counts: {by_code} openings of the code, {by_label} of its label")
        kept = by_code - stored
        stored = by_code
        # The counts that were kept are the first ones: the last kept one tells how far back the loss reaches.
        expect(kept <= openings.sent, f"counts: {kept} openings are stored, and {openings.sent} were sent")
        reach = end - openings.times[kept - 1] if kept else end - openings.times[0]
        expect(reach <= PROMISED, f"counts: a kill lost those of {reach:.1f} s")
        total, lost, longest = total + len(openings.times), lost + max(0, len(openings.times) - kept), max(longest, reach)
    missing = [user for user, version, level in saved
               if json.loads(server.get(f"/v1/users/{user}")[1]).get("authorizationLevel") != level or version is None]
    expect(not missing, f"counts: the levels of {missing} are lost")
    expect(server.stop() == 0, "counts: the server did not end by itself")
    return total, lost, longest


def filled(database, days, rows, codes):
    """Puts counts of many days and codes into a file that no server has open."""
    file = sqlite3.connect(database)
    today = int(time.time() // 86_400)
    file.executemany("INSERT INTO link_count VALUES (?, ?, ?, ?, ?)", (
        (today - day, f"route{row % 40}", f"label{row:05}", "opened", 1 + row) for day in range(days) for row in range(rows)))
    file.executemany("INSERT INTO code_count VALUES (?, 'opened', 1)", ((f"filled{code:07}",) for code in range(codes)))
    file.commit()
    file.close()


class Times:
    """How long writes took, in milliseconds."""

    def __init__(self, seconds):
        self.median = statistics.median(seconds) * 1000
        self.long = statistics.quantiles(seconds, n=1000)[-1] * 1000
        self.longest = max(seconds) * 1000

    def __str__(self):
        return f"median {self.median:.2f} ms, of a thousand one {self.long:.1f} ms, at most {self.longest:.1f} ms"


def writing(binary, database, catalog, days, rows, codes, links, expect):
    """Writes users one after the other, first by themselves, then while counts of many codes and labels are written into
    a full table; returns the times of both."""
    Server(binary, database, catalog=catalog).stop()
    filled(database, days, rows, codes)
    server = Server(binary, database, catalog=catalog)
    maker = server.connect()
    for number in range(links):
        body = json.dumps({"link": f"https://shop.example/product/{number}", "label": f"new{number % 2000:05}"})
        expect(maker.request("POST", f"/v1/short-links/link{number:05}", body)[0] == 201, "counts: a link was not made")

    def times(seconds):
        connection, found = server.connect(), []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begin = time.monotonic()
            connection.save(f"user{len(found) % 50}", "premiumUser")
            found.append(time.monotonic() - begin)
        return found

    time.sleep(6)
    calm = times(6)
    opener = server.connect()
    for number in range(links):
        opener.request("GET", resolve(f"https://go.example/link{number:05}"), headers=APP)
    busy = times(11)
    found = counted(server, "link")
    expect(found == links, f"counts: {found} codes of {links} are counted")
    expect(server.stop() == 0, "counts: the server did not end by itself")
    return Times(calm), Times(busy)


def counted(server, code):
    """Returns the number of codes with counts that come after one, page by page."""
    number = 0
    while rows := json.loads(server.get(f"/v1/counts?by=code&limit=10000&after={after(code)}")[1])["rows"]:
        number, code = number + len(rows), rows[-1]["code"]
    return number


def after(code):
    """Returns the name of the row of a code, after which another page begins."""
    return base64.urlsafe_b64encode(json.dumps([code]).encode()).decode().rstrip("=")
