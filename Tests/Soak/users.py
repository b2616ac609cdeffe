"""Writes, reads and deletes users that the worker has for itself, and compares them with the model."""

import json
import time
from urllib.parse import quote

from engine import LEVELS
from user_model import rfc3339, seconds


def path(user):
    """The path of a user."""
    return "/v1/users/" + quote(user.id, safe="")


def grant(worker):
    """A level to give, possibly for a limited time: (level, end in milliseconds, level after)."""
    level = worker.random.randrange(4)
    if worker.random.random() < 0.6:
        return level, None, worker.random.randrange(level + 1) if worker.random.random() < 0.1 else None
    # Some end while the test looks on.
    end = int((time.time() + worker.random.choice([-3600, 0.5, 2, 10, 86400])) * 1000)
    return level, end, worker.random.randrange(level + 1) if worker.random.random() < 0.5 else None


def body(given):
    """What a request to give a level says."""
    level, end, after = given
    return {"authorizationLevel": LEVELS[level]} | ({"validUntil": rfc3339(end)} if end is not None else {}) | (
        {"levelAfter": LEVELS[after]} if after is not None else {})


def save(worker, user, given, fields=(), kind="POST /v1/users/{id}"):
    """Writes a state that must be accepted."""
    answer = worker.ask(kind, "POST", path(user), fields, value=body(given), token="admin")
    status = 201 if user.state is None else 200
    worker.check(kind, answer.status == status, "a write is refused", answer, [repr(user)])
    shown = json.loads(answer.body)
    is_new = user.saved(*given, shown["updatedAt"])
    check_state(worker, kind, user, answer)
    if not is_new:
        return
    moment = seconds(shown["updatedAt"])
    worker.check(kind, answer.wall_start - 1 <= moment <= answer.wall_end + 1, "`updatedAt` is not now", answer)


def check_state(worker, kind, user, answer):
    """Requires an answer to show the state of a user."""
    worker.check(kind, user.fits(json.loads(answer.body), answer.wall_start, answer.wall_end), "wrong state", answer,
                 [repr(user)])
    worker.check(kind, answer.fields.get("etag") == f'"{user.version}"', "wrong ETag", answer, [repr(user)])


def write(worker):
    """Writes whatever the version is."""
    save(worker, worker.random.choice(worker.own), grant(worker))


def write_conditionally(worker):
    """Writes if the version is as it was left, which it is."""
    user = worker.random.choice(worker.own)
    if user.state is None:
        save(worker, user, grant(worker))
    tag = worker.random.choice([f'"{user.version}"', "*", f'"999999999", "{user.version}"'])
    save(worker, user, grant(worker), [("If-Match", tag)], "POST /v1/users/{id} If-Match")


def write_too_late(worker):
    """Writes or deletes if the version is one that it is not: nothing happens."""
    kind = "If-Match of another version"
    user = worker.random.choice(worker.own)
    tag = worker.random.choice([f'"{user.version + 1}"', f'W/"{user.version}"', '"0"'])
    if worker.random.random() < 0.5:
        answer = worker.ask(kind, "DELETE", path(user), [("If-Match", tag)], token="admin")
    else:
        answer = worker.ask(kind, "POST", path(user), [("If-Match", tag)], value=body(grant(worker)), token="admin")
    worker.problem(kind, answer, 412, "version-mismatch", version=None if user.state is None else user.version)


def read(worker):
    """Reads a state."""
    kind = "GET /v1/users/{id}"
    user = worker.random.choice(worker.own)
    answer = worker.ask(kind, "GET", path(user), token="admin")
    if user.state is None:
        worker.problem(kind, answer, 404, "unknown-user")
        return
    worker.check(kind, answer.status == 200, "a user is lost", answer, [repr(user)])
    check_state(worker, kind, user, answer)


def remove(worker):
    """Deletes a state, with If-Match or without."""
    kind = "DELETE /v1/users/{id}"
    user = worker.random.choice(worker.own)
    fields = [("If-Match", f'"{user.version}"')] if user.state is not None and worker.random.random() < 0.5 else []
    answer = worker.ask(kind, "DELETE", path(user), fields, token="admin")
    if user.state is None:
        worker.problem(kind, answer, 404, "unknown-user")
        return
    worker.check(kind, answer.status == 204, "a user is not deleted", answer, [repr(user)])
    user.removed()


def read_history(worker):
    """Reads all changes of a user."""
    kind = "GET /v1/users/{id}/history"
    user = worker.random.choice(worker.own)
    after, limit = worker.random.randrange(len(user.history) + 1), worker.random.choice([1, 10, 1000])
    answer = worker.ask(kind, "GET", path(user) + f"/history?after={after}&limit={limit}", token="admin")
    if not user.history:
        worker.problem(kind, answer, 404, "unknown-user")
        return
    worker.check(kind, answer.status == 200
                 and user.fits_history(json.loads(answer.body), worker.run_facts.author, after, limit),
                 "wrong history", answer, [repr(user)])


def list_page(worker):
    """Reads a page of all users: the worker's own are there, as they are, and all are in order."""
    kind = "GET /v1/users"
    after = worker.random.choice(["a", "fixed-z", f"soak-{worker.number:03}", worker.random.choice(worker.own).id])
    limit = worker.random.choice([1, 10, 100, 1000])
    answer = worker.ask(kind, "GET", f"/v1/users?after={quote(after, safe='')}&limit={limit}", token="admin")
    worker.check(kind, answer.status == 200, "the list is refused", answer)
    page = json.loads(answer.body)
    ids = [entry["id"].encode() for entry in page["users"]]
    worker.check(kind, ids == sorted(set(ids)) and len(ids) <= limit and all(id > after.encode() for id in ids),
                 "the list is out of order", answer)
    worker.check(kind, "next" not in page or (len(ids) == limit and page["next"].encode() == ids[-1]), "wrong `next`",
                 answer)
    shown = {entry["id"]: entry for entry in page["users"]}
    for user in worker.own:
        if user.id.encode() > after.encode() and ("next" not in page or user.id.encode() <= ids[-1]):
            right = (user.id not in shown if user.state is None else
                     user.id in shown and user.fits(shown[user.id], answer.wall_start, answer.wall_end))
            worker.check(kind, right, f"the list is wrong about {user.id}", answer, [repr(user)])
