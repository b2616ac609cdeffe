"""Reads back every user and every history when the load is over, and compares them with what was acknowledged."""

import json
import time
from urllib.parse import quote

import shared_users
from connection import Connection


def read_back(port, token, results, author, report, when):
    """Compares the whole store with what the workers know; returns how many users and changes there are."""
    connection = Connection(port)
    users = changes = 0

    def ask(target):
        return connection.ask("GET", target, [("Authorization", f"Bearer {token}")])

    listed, after = {}, ""
    while after is not None:
        page = json.loads(ask("/v1/users?limit=500" + (f"&after={quote(after, safe='')}" if after else "")).body)
        listed |= {entry["id"]: entry for entry in page["users"]}
        after = page.get("next")
    for result in results:
        for user in result.own:
            answer = ask(f"/v1/users/{quote(user.id, safe='')}")
            body = json.loads(answer.body)
            right = answer.status == 404 if user.state is None else (
                answer.status == 200 and user.fits(body, answer.wall_start, answer.wall_end)
                and user.fits(listed.get(user.id), 0, time.time()))
            if not right or (user.state is None and user.id in listed):
                report(when, f"{user!r}\nanswered {answer.status} {body}, listed as {listed.get(user.id)}")
            for after in range(0, len(user.history), 1000):
                answer = ask(f"/v1/users/{quote(user.id, safe='')}/history?limit=1000&after={after}")
                if not user.fits_history(json.loads(answer.body), author, after):
                    report(when, f"history of {user!r}\nanswered {answer.status} {answer.body[-1000:]!r}")
            users += user.state is not None
            changes += len(user.history)
    for name in shared_users.NAMES:
        history, after = [], 0
        while after is not None:
            answer = ask(f"/v1/users/{name}/history?limit=1000&after={after}")
            page = json.loads(answer.body) if answer.status == 200 else {"history": []}
            history += page["history"]
            after = page.get("next")
        for fault in list(shared_users.faults(name, history, [result.shared for result in results]))[:3]:
            report(when, fault)
        level = history[-1]["authorizationLevel"] if history else None
        if listed.get(name, {}).get("authorizationLevel") != level:
            report(when, f"{name} is listed as {listed.get(name)}, and the last change was to {level}")
        users += level is not None
        changes += len(history)
    connection.close()
    return users, changes
