"""Writes, reads and deletes users that all workers share: nobody knows their state, but their versions only grow."""

import collections
import json

from engine import LEVELS
from user_model import rfc3339

NAMES = [f"shared-{place}" for place in range(6)]


class SharedUsers:
    """What one worker saw and did of the shared users."""

    def __init__(self):
        # The highest version of each that was seen.
        self.seen = collections.Counter()
        # The versions that the worker's own writes made, with their levels.
        self.written = collections.defaultdict(dict)
        self.removed = collections.Counter()


def _note(worker, kind, name, version, answer, own):
    """Requires a version to be later than all before, or the same where it is only read."""
    last = worker.shared.seen[name]
    worker.check(kind, version > last or (version == last and not own), f"version {version} after version {last}",
                 answer)
    worker.shared.seen[name] = version


def write(worker):
    """Writes, half of the time only if nobody else has meanwhile."""
    kind = "POST a shared user"
    name, level = worker.random.choice(NAMES), worker.random.choice(LEVELS)
    last = worker.shared.seen[name]
    fields = [("If-Match", f'"{last}"')] if last and worker.random.random() < 0.5 else []
    # An end far away that nobody else sets: a state that is there already would not be written.
    value = {"authorizationLevel": level, "validUntil": rfc3339(worker.random.randrange(10**13, 10**14))}
    answer = worker.ask(kind, "POST", f"/v1/users/{name}", fields, value=value, token="admin")
    if answer.status == 412 and fields:
        now = worker.problem(kind, answer, 412, "version-mismatch")["version"]
        worker.check(kind, now is None or now != last, "the version matches", answer)
        if now is not None:
            _note(worker, kind, name, now, answer, own=False)
        return
    worker.check(kind, answer.status in (200, 201), "a write is refused", answer)
    body = json.loads(answer.body)
    worker.check(kind, body["id"] == name and body["authorizationLevel"] == level, "another state is saved", answer)
    worker.check(kind, answer.fields.get("etag") == f'"{body["version"]}"', "wrong ETag", answer)
    worker.check(kind, not fields or body["version"] == last + 1, "If-Match did not hold", answer)
    _note(worker, kind, name, body["version"], answer, own=True)
    worker.shared.written[name][body["version"]] = level


def _ask(worker, kind, method):
    """Asks about one of the users; the answer is None where there is no state, and says so as it should."""
    name = worker.random.choice(NAMES)
    answer = worker.ask(kind, method, f"/v1/users/{name}", token="admin")
    if answer.status != 404:
        return name, answer
    worker.problem(kind, answer, 404, "unknown-user")
    return name, None


def read(worker):
    """Reads a state."""
    kind = "GET a shared user"
    name, answer = _ask(worker, kind, "GET")
    if answer is None:
        return
    worker.check(kind, answer.status == 200, "a read is refused", answer)
    body = json.loads(answer.body)
    _note(worker, kind, name, body["version"], answer, own=False)
    mine = worker.shared.written[name].get(body["version"])
    worker.check(kind, mine is None or mine == body["authorizationLevel"], "another level than was written", answer)


def remove(worker):
    """Deletes a state, if there is one."""
    kind = "DELETE a shared user"
    name, answer = _ask(worker, kind, "DELETE")
    if answer is None:
        return
    worker.check(kind, answer.status == 204, "a deletion is refused", answer)
    worker.shared.removed[name] += 1


def faults(name, history, workers):
    """Compares a whole history with what all workers together did; yields what is wrong."""
    written, removed = {}, 0
    for shared in workers:
        for version, level in shared.written[name].items():
            if version in written:
                yield f"{name}: two writes made version {version}"
            written[version] = level
        removed += shared.removed[name]
    versions = [entry["version"] for entry in history]
    if versions != list(range(1, len(written) + removed + 1)):
        yield (f"{name}: {len(written)} writes and {removed} deletions were acknowledged, and the history has "
               f"{len(versions)} changes, from {versions[:1]} to {versions[-1:]}")
    for entry in history:
        if entry["authorizationLevel"] != written.get(entry["version"]):
            yield f"{name}: {entry} is in the history, and {written.get(entry['version'])} was acknowledged"
