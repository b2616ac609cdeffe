"""Is one client: asks over one connection, one request after the other, and checks every answer."""

import collections
import json
import random
import threading
import traceback

import callers
import continuations
import resolving
import shared_users
import users
from connection import Connection, Dropped
from user_model import UserModel

# The actions of a client, with their frequencies.
ACTIVITIES = [
    (resolving.by_query, 30), (resolving.by_body, 22), (resolving.by_link, 14), (resolving.in_batch, 4),
    (resolving.to_links, 7), (users.write, 6), (users.write_conditionally, 5), (users.write_too_late, 3),
    (users.read, 6), (users.remove, 2), (users.read_history, 3), (users.list_page, 2), (shared_users.write, 4),
    (shared_users.read, 3), (shared_users.remove, 1), (continuations.walk, 3), (continuations.redeem_expired, 1),
    (callers.ask_without_credentials, 3), (callers.ask_beyond_role, 2), (callers.ask_nonsense, 3),
    (callers.read_catalog, 2), (callers.ask_health, 1),
]

# The number of users of each client.
OWN_USERS = 25

# After how many changes a user is left alone, and another one begun: histories must not grow with the run.
MAXIMUM_CHANGES = 300

# The number of findings that each client reports in full.
TOLD_FINDINGS = 5


class Finding(Exception):
    """Says that an answer is wrong, and ends the activity."""


class Worker(threading.Thread):
    """Asks until it is told to stop; then holds what it counted and learned."""

    def __init__(self, number, run, report):
        super().__init__(daemon=True)
        self.number, self.run_facts, self._report = number, run, report
        self.random = random.Random(1000 + number)
        self.expectations, self.timeline, self.tokens = run.expectations, run.timeline, run.tokens
        self.connection = Connection(run.port)
        names = [f"soak-{number:03}-{place:02}" for place in range(OWN_USERS - 2)]
        # Ids are any UTF-8.
        names += [f"soak-{number:03}-ünï/çødé %41?#", f"soak-{number:03}-\"quoted\" & spaced"]
        self.own = [UserModel(name) for name in names]
        self.retired = []
        self.shared = shared_users.SharedUsers()
        self.expiring = None
        self.counts = collections.Counter()
        self.statuses = collections.Counter()
        self.findings = 0

    def run(self):
        activities, weights = zip(*ACTIVITIES)
        while not self.run_facts.ending.is_set():
            self._retire_users()
            activity = self.random.choices(activities, weights)[0]
            try:
                activity(self)
            except Finding:
                pass
            except Dropped as error:
                self._tell("dropped connection", str(error))
                self.run_facts.ending.wait(0.2)
            except Exception:  # An answer of a shape that nobody expected is a finding as well.
                self._tell("unreadable answer", traceback.format_exc())
        self.connection.close()

    def _retire_users(self):
        for place, user in enumerate(self.own):
            if user.version >= MAXIMUM_CHANGES:
                self.retired.append(user)
                self.own[place] = UserModel(f"{user.id}+{len(self.retired)}")

    def ask(self, kind, method, target, fields=(), value=None, data=None, chunks=None, token="resolver"):
        """Sends a request and counts it; `value` is sent as JSON. A 5xx is a finding."""
        fields = list(fields)
        if token is not None:
            fields.append(("Authorization", f"Bearer {self.tokens[token]}"))
        if value is not None:
            data = json.dumps(value, ensure_ascii=self.random.random() < 0.5).encode()
            fields.append(("Content-Type", "application/json"))
        answer = self.connection.ask(method, target, fields, data, chunks)
        self.counts[kind] += 1
        self.statuses[answer.status] += 1
        self.run_facts.progress[self.number] += 1
        if answer.status >= 500:
            self.find(kind, "the server failed", answer)
        return answer

    def check(self, kind, right, message, answer, wanted=()):
        """Requires something of an answer.

        Raises Finding where it does not hold.
        """
        if not right:
            self.find(kind, message, answer, wanted)

    def find(self, kind, message, answer, wanted=()):
        """Reports an answer in full, and ends the activity."""
        method, target, fields, body = answer.request
        shown = [(name, value if name != "Authorization" else value[:20] + "…") for name, value in fields]
        lines = [message, f"{method} {target}", f"  {shown}"]
        if body:
            lines.append(f"  {body[:2000]!r}")
        lines += [f"answered {answer.status} {answer.fields}", f"  {answer.body[:4000]!r}"]
        lines += [f"wanted {text}" for text in wanted]
        self._tell(kind, "\n".join(lines))
        raise Finding

    def _tell(self, kind, text):
        self.findings += 1
        if self.findings <= TOLD_FINDINGS:
            self._report(kind, f"client {self.number}: {text}")

    def possible(self, answer):
        """The catalogs of which one may have given an answer."""
        return self.timeline.possible(answer.start, answer.end)

    def problem(self, kind, answer, status, code, **members):
        """Requires an answer to be a problem of a code, with some members; returns all of them."""
        self.check(kind, answer.status == status, f"wanted {status} {code}", answer)
        self.check(kind, answer.fields.get("content-type") == "application/problem+json", "it is no problem", answer)
        body = json.loads(answer.body)
        self.check(kind, body["type"] == f"urn:waymark:problem:{code}" and body["status"] == status,
                   f"wanted the code {code}", answer)
        for name, value in members.items():
            self.check(kind, body.get(name, ...) == value, f"wanted {name} to be {value!r}", answer)
        return body
