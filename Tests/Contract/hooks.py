"""Tells schemathesis what the formats of the document mean, what NDJSON is, and what it cannot know of the answers."""

import json
import string

import schemathesis
from hypothesis import strategies as st

# --- Formats: what the sample app has, and what lies beside it -------------------------------------------------------

words = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=12)
numbers = st.integers(0, 9999).map(str)
steps = st.lists(st.sampled_from(["step1", "step2"]), max_size=3)
characters = st.lists(numbers.map("character/{}".format), max_size=3)
paths = st.one_of(
    steps.map(lambda rest: "/".join(["onboarding", *rest])),
    characters.map(lambda rest: "/".join(["characters", *rest])),
    st.sampled_from(["login", "login/registration", "settings", "settings/profile", "episodes/episode/1"]),
    st.lists(words, min_size=1, max_size=4).map("/".join),
    words.map("characters/character/{}".format),
)
queries = st.one_of(st.just(""), words.map("?sheet={}".format), st.just("?utm_source=mail"))
bases = st.sampled_from(["navigation://loremipsum.com/", "navigation:/", "https://loremipsum.com/", "other://host/"])
links = st.builds("{}{}{}".format, bases, paths, queries)

schemathesis.openapi.format("deep-link", links)
schemathesis.openapi.format("deep-link-or-reference", links)
schemathesis.openapi.format("link-path", paths)
schemathesis.openapi.format("link-scheme", st.sampled_from(["navigation", "https", "HTTPS"]))
schemathesis.openapi.format("user-id", st.one_of(st.sampled_from(["alice", "bob"]), words))
schemathesis.openapi.format("idempotency-key", st.text(string.ascii_letters + string.digits, min_size=1, max_size=20))
schemathesis.openapi.format("entity-tags", st.sampled_from(["*", '"1"', '"1", "2"', 'W/"1"']))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Writes the slashes of a link's path as they are: OpenAPI has no template for several segments."""
    if case.operation.path == "/{link}" and isinstance(case.path_parameters.get("link"), str):
        case.path_parameters["link"] = case.path_parameters["link"].replace("%2F", "/")
    # A deletion of long ago may come too late, and then deletes nothing: what follows must not be taken for an error.
    if case.method == "DELETE" and (case.meta is None or case.meta.generation.mode.is_positive):
        (case.query or {}).pop("at", None)


# --- NDJSON ----------------------------------------------------------------------------------------------------------


@schemathesis.serializer("application/x-ndjson")
def serialize_lines(context, value):
    """Writes an array as a line for each element, and anything else as one line."""
    lines = value if isinstance(value, list) else [value]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@schemathesis.deserializer("application/x-ndjson")
def deserialize_lines(context, response):
    """Reads every line as an element of an array."""
    return [json.loads(line) for line in response.content.splitlines()]


# --- Checks that only Waymark needs ----------------------------------------------------------------------------------


@schemathesis.check
def batch_answers_every_line(ctx, response, case):
    """Requires an answer for each line of a stream, whatever the line holds."""
    streams = ("POST /v1/resolve/batch", "POST /v1/users", "POST /v1/short-links")
    if case.operation.label not in streams or response.status_code != 200:
        return
    if "application/x-ndjson" not in response.headers.get("content-type", [""])[0]:
        return
    asked, answered = len((response.request.body or b"").splitlines()), len(response.content.splitlines())
    assert asked == answered, f"{asked} lines were sent and {answered} answered"


# The rules that a schema cannot express: the meaning of a link, a token or a stack, and the fit of two parts.
MEANING = {
    ("after", "invalid-value"),
    ("by", "conflict"),
    ("code", "conflict"),
    ("by", "invalid-value"),
    ("since", "conflict"),
    ("id", "invalid-value"),
    ("from", "invalid-value"),
    ("from", "malformed"),
    ("from", "missing"),
    ("scheme", "invalid-value"),
    ("user", "conflict"),
    ("user", "missing"),
    ("at", "conflict"),
    ("at", "invalid-value"),
    ("id", "conflict"),
    ("If-None-Match", "conflict"),
    ("Idempotency-Key", "conflict"),
    # Lines of short links take none.
    ("Idempotency-Key", "unknown"),
    ("level", "conflict"),
    # The names are those of the catalog in force.
    ("level", "invalid-value"),
    ("authorizationLevel", "invalid-value"),
    ("levelAfter", "invalid-value"),
    # Grants stand beside a level, and are those of the catalog in force, too.
    ("grants", "conflict"),
    ("grants", "invalid-value"),
    ("name", "invalid-value"),
    # A short link has one destination, a host of the catalog's, and a code that is no path of the server's own. Texts are
    # measured in bytes.
    ("link", "missing"),
    ("route", "conflict"),
    ("stack", "conflict"),
    ("stack", "invalid-value"),
    ("parameters", "conflict"),
    ("host", "invalid-value"),
    ("code", "invalid-value"),
    ("label", "invalid-value"),
    ("about", "invalid-value"),
    ("expires", "invalid-value"),
}


@schemathesis.check
def valid_requests_are_refused_for_their_meaning(ctx, response, case):
    """Requires that a 400 to a request of the right form is about what the schemas cannot say."""
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    problem = response.json()
    code = problem["type"].rpartition(":")[2]
    is_about_meaning = code in ("malformed-link", "invalid-continuation") or (
        code == "invalid-request" and (problem["field"], problem["reason"]) in MEANING
    )
    assert is_about_meaning, f"a valid request was refused: {problem['detail']}"
