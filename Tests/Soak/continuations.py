"""Takes a refused link through its gates, as an app does: refusal, gate, level, redemption, until it is granted."""

import json
import time

from engine import LEVELS
from resolving import check_answer
from users import save

KIND = "POST /v1/continuations"

# The lifetime of a token, in seconds; the server is started with it.
LIFETIME = 60


def _redeem(worker, token, user, question=None):
    """Redeems a token; with the question that it is of, while the app shows what it showed then."""
    shown = {name: value for name, value in question.body.items() if name == "from"} if question else {}
    return worker.ask(KIND, "POST", "/v1/continuations", value={"token": token, "user": user} | shown)


def walk(worker):
    """Walks one link from its first refusal to its plan, and tries what must not work."""
    user = worker.random.choice(worker.own)
    save(worker, user, (0, None, None))
    question = worker.random.choice(worker.expectations.gated)
    refused = worker.ask("refused at a gate", "POST", "/v1/resolve", value=question.body | {"user": user.id})
    check_answer(worker, "refused at a gate", question, {0}, refused)
    if refused.status != 403:
        return
    began = time.monotonic()
    body = json.loads(refused.body)
    token = body["continuation"]
    if worker.expiring is None:
        worker.expiring = (began, token)
        return
    for level in range(4):
        answer = _redeem(worker, token, user.id, question)
        if time.monotonic() - began > LIFETIME / 2:
            return
        check_answer(worker, KIND, question, {level}, answer)
        if answer.status != 403:
            break
        body = json.loads(answer.body)
        worker.check(KIND, body["continuation"] == token, "the token of a refusal changed", answer)
        if worker.random.random() < 0.3:
            other = _redeem(worker, token, "soak-somebody-else")
            worker.problem(KIND, other, 400, "invalid-continuation", reason="other-user")
        _follow_gate(worker, user, body["gate"], answer)
        worker.check(KIND, LEVELS.index(body["gate"]["level"]) == level + 1, "not the lowest gate", answer)
        save(worker, user, (level + 1, None, None))
    if answer.status == 200:
        worker.counts["links granted after their gates"] += 1
        worker.problem(KIND, _redeem(worker, token, "soak-somebody-else"), 410, "continuation-spent", reason="spent")
        # Its own user may have lost the answer.
        again = _redeem(worker, token, user.id, question)
        if time.monotonic() - began < LIFETIME / 2:
            check_answer(worker, KIND, question, {level}, again)
        if worker.random.random() < 0.2:
            broken = token[:-2] + ("AA" if token[-2:] != "AA" else "BB")
            worker.problem(KIND, _redeem(worker, broken, user.id), 400, "invalid-continuation")
    worker.check(KIND, answer.status != 403, "no gate is left, and the link is refused", answer)


def _follow_gate(worker, user, gate, refusal):
    """Whoever is sent to a gate may go there."""
    kind = "GET a gate's link"
    answer = worker.ask(kind, "POST", "/v1/resolve", value={"link": gate["link"], "user": user.id})
    # If catalogs were swapped in between, the gate is another one's.
    if len(worker.timeline.possible(refusal.start, answer.end)) == 1:
        worker.check(kind, answer.status == 200 and json.loads(answer.body)["stack"] == gate["stack"],
                     f"the gate does not lead to {gate['stack']}", answer)


def redeem_expired(worker):
    """Redeems a token after its time."""
    if worker.expiring is None or time.monotonic() - worker.expiring[0] < LIFETIME + 2:
        return
    token = worker.expiring[1]
    worker.expiring = None
    answer = _redeem(worker, token, worker.random.choice(worker.own).id)
    worker.problem(KIND, answer, 410, "continuation-expired", reason="expired")
    worker.counts["tokens that expired"] += 1
