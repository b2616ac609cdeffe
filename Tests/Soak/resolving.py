"""Resolves links in every way there is, and compares the answers with the engine's."""

import json
from urllib.parse import quote

from engine import LEVELS

# A line of a batch that is no question, and what is wrong with it.
BAD_LINES = ["{", "[]", '{"link":1}', '{"lnk":"navigation:/login"}', '{"link":"navigation:/","mode":"up"}', "nonsense"]


def somebody(worker):
    """A user: a fixed one of some level, one of the worker's own, or none; with the levels that count for them."""
    chance = worker.random.random()
    if chance < 0.15:
        return None, lambda start, end: {0}
    if chance < 0.75:
        level = worker.random.randrange(4)
        return f"fixed-{LEVELS[level]}", lambda start, end: {level}
    own = worker.random.choice(worker.own)
    return own.id, own.levels


def check_answer(worker, kind, question, levels, answer):
    """Requires an answer to be that of a catalog that was in force, for one of some levels."""
    possible = worker.possible(answer)
    from_ = worker.expectations.catalog_of(answer.body, possible)
    names = [worker.expectations.catalogs[place].name for place in possible]
    worker.check(kind, from_, f"the answer's catalog was not in force, but {names}", answer)
    if not any(worker.expectations.fits(question, levels, catalog, answer.body) for catalog in from_):
        worker.find(kind, "wrong answer", answer, worker.expectations.wanted(question, levels, from_))
    status = 200 if answer.body.startswith(b'{"link":') else json.loads(answer.body)["status"]
    worker.check(kind, answer.status == status, "status and body differ", answer)
    media = "application/json" if status == 200 else "application/problem+json"
    worker.check(kind, answer.fields.get("content-type", "").startswith(media), "wrong media type", answer)


def by_query(worker):
    """`GET /v1/resolve`."""
    # A stack fits into a body only.
    question = worker.random.choice(worker.expectations.known)
    while not isinstance(question.body.get("from", ""), str):
        question = worker.random.choice(worker.expectations.known)
    user, levels = somebody(worker)
    values = {name: value if isinstance(value, str) else "true" for name, value in question.body.items()}
    fields = []
    if user is not None and user.isascii() and user.isprintable() and worker.random.random() < 0.5:
        fields.append(("Waymark-User", user))
    elif user is not None:
        values["user"] = user
    items = list(values.items())
    worker.random.shuffle(items)
    target = "/v1/resolve?" + "&".join(f"{name}={quote(value, safe='/:')}" for name, value in items)
    answer = worker.ask("GET /v1/resolve", "GET", target, fields)
    check_answer(worker, "GET /v1/resolve", question, levels(answer.wall_start, answer.wall_end), answer)


def by_body(worker):
    """`POST /v1/resolve`, in all modes."""
    pool = worker.expectations.known if worker.random.random() < 0.4 else worker.expectations.whole
    question = worker.random.choice(pool)
    user, levels = somebody(worker)
    answer = worker.ask("POST /v1/resolve", "POST", "/v1/resolve",
                        value=question.body | ({"user": user} if user is not None else {}))
    check_answer(worker, "POST /v1/resolve", question, levels(answer.wall_start, answer.wall_end), answer)


def by_link(worker):
    """The link surface: a link is asked for itself."""
    question = worker.random.choice(worker.expectations.surface)
    host, target = question.surface
    user, levels = somebody(worker)
    if user is not None and not (user.isascii() and user.isprintable()):
        user, levels = None, lambda start, end: {0}
    fields = [("Host", host)] + ([("Waymark-User", user)] if user is not None else [])
    answer = worker.ask("GET a link itself", "GET", target, fields)
    check_answer(worker, "GET a link itself", question, levels(answer.wall_start, answer.wall_end), answer)


def in_batch(worker):
    """`POST /v1/resolve/batch`: all lines of one request come from one catalog."""
    kind = "POST /v1/resolve/batch"
    asked, lines = [], []
    for _ in range(worker.random.choice([1, 20, 50, 100, 100, 400])):
        if worker.random.random() < 0.02:
            asked.append(None)
            lines.append(worker.random.choice(BAD_LINES))
            continue
        question = worker.random.choice(worker.expectations.known)
        user, levels = somebody(worker)
        asked.append((question, levels))
        lines.append(json.dumps(question.body | ({"user": user} if user is not None else {})))
    data = "\n".join(lines).encode() + (b"\n" if worker.random.random() < 0.5 else b"")
    fields = [("Content-Type", "application/x-ndjson")]
    if worker.random.random() < 0.5:
        size = worker.random.choice([7, 500, 9000]) if len(data) < 20000 else 9000
        answer = worker.ask(kind, "POST", "/v1/resolve/batch", fields,
                            chunks=[data[place:place + size] for place in range(0, len(data), size)])
    else:
        answer = worker.ask(kind, "POST", "/v1/resolve/batch", fields, data=data)
    worker.check(kind, answer.status == 200, "a batch is refused", answer)
    bodies = answer.body.removesuffix(b"\n").split(b"\n")
    worker.check(kind, len(bodies) == len(lines), f"{len(lines)} lines got {len(bodies)} answers", answer)
    worker.counts["lines of batches"] += len(lines)
    possible = worker.possible(answer)
    for body in bodies:
        possible = worker.expectations.catalog_of(body, possible)
    worker.check(kind, possible, "the lines' catalogs were not in force together", answer)
    wrong = {}
    for catalog in possible:
        wrong[catalog] = next((place for place, (line, body) in enumerate(zip(asked, bodies))
                               if not _fits_line(worker, line, catalog, body, answer)), None)
    if None not in wrong.values():
        worker.find(kind, "wrong answer", answer, [
            f"of {worker.expectations.catalogs[catalog].name}: line {place} {lines[place]} got {bodies[place]!r}"
            for catalog, place in wrong.items()])


def _fits_line(worker, line, catalog, body, answer):
    if line is None:
        return b'"type":"urn:waymark:problem:invalid-request"' in body
    question, levels = line
    return worker.expectations.fits(question, levels(answer.wall_start, answer.wall_end), catalog, body)


def to_links(worker):
    """`POST /v1/links`."""
    kind = "POST /v1/links"
    stack = worker.random.randrange(len(worker.expectations.stacks))
    answer = worker.ask(kind, "POST", "/v1/links", value=worker.expectations.stacks[stack])
    possible = worker.possible(answer)
    if not any(worker.expectations.fits_link(stack, catalog, answer.status, answer.body) for catalog in possible):
        worker.find(kind, "wrong answer", answer, worker.expectations.wanted_link(stack, possible))
