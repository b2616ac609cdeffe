"""Uses a client that was generated from the OpenAPI document: resolve, refusal, user, link, history.

usage: client.py FOLDER URL TOKEN

FOLDER holds the package `waymark_client` that openapi-python-client wrote. Exits with 1 where an answer is not what the
client says it is.
"""

import sys

sys.path.insert(0, sys.argv[1])

from waymark_client import AuthenticatedClient
from waymark_client.api.links import build_link
from waymark_client.api.resolve import redeem_continuation, resolve_link, resolve_link_in_body
from waymark_client.api.server import check_readiness
from waymark_client.api.users import delete_user, read_user, read_user_history, write_user
from waymark_client.models import (
    ContinuationRequest,
    Destination,
    InsufficientAuthorizationLevel,
    LinkAnswer,
    StackLinkRequest,
    MalformedLink,
    Mode,
    ParameterValues,
    Plan,
    Ready,
    ResolveRequest,
    UnknownUser,
    UserHistory,
    UserState,
    UserStateRequest,
)

LINK = "navigation://loremipsum.com/characters/character/1"


def expect(answer, kind):
    """Requires an answer of a kind, and returns it."""
    if not isinstance(answer, kind):
        raise SystemExit(f"client: {answer!r} is no {kind.__name__}")
    return answer


def require(what, found, wanted):
    """Requires a value."""
    if found != wanted:
        raise SystemExit(f"client: {what} is {found!r}, not {wanted!r}")


def main():
    client = AuthenticatedClient(base_url=sys.argv[2], token=sys.argv[3])
    require("readiness", expect(check_readiness.sync(client=client), Ready).status, "ready")

    plan = expect(resolve_link.sync(client=client, link="navigation:/onboarding?utm_source=mail&flag"), Plan)
    require("unusedQuery", plan.unused_query, [["utm_source", "mail"], ["flag", None]])
    require("the top", plan.stack[-1].route, "onboarding")
    malformed = expect(resolve_link.sync(client=client, link="no link"), MalformedLink)
    require("a malformed link's status", malformed.status, 400)

    refusal = expect(resolve_link.sync(client=client, link=LINK, user="ada"), InsufficientAuthorizationLevel)
    require("the gate's level", refusal.gate.level, "onboardingCompleted")
    require("the gate's stack", refusal.gate.stack[-1].route, "onboarding")

    request = UserStateRequest(authorization_level="premiumUser")
    written = write_user.sync_detailed("ada", client=client, body=request)
    require("the status of a write", written.status_code, 201)
    state = expect(written.parsed, UserState)
    require("the version", state.version, 1)
    require("the state", expect(read_user.sync("ada", client=client), UserState), state)

    request = ContinuationRequest(token=refusal.continuation, user="ada")
    require("the link", expect(redeem_continuation.sync(client=client, body=request), Plan).link, LINK)
    request = ResolveRequest(link=LINK, user="ada", mode=Mode("replace"))
    plan = expect(resolve_link_in_body.sync(client=client, body=request), Plan)
    require("the parameters", plan.stack[-1].parameters.to_dict(), {"id": 1})

    stack = []
    for destination in plan.stack:
        parameters = ParameterValues.from_dict(destination.parameters.to_dict())
        stack.append(Destination(route=destination.route, presentation=destination.presentation, parameters=parameters))
    built = expect(build_link.sync(client=client, body=StackLinkRequest(stack=stack)), LinkAnswer)
    require("the link of the stack", built.link, LINK)

    require("the status of a deletion", delete_user.sync_detailed("ada", client=client).status_code, 204)
    expect(read_user.sync("ada", client=client), UnknownUser)
    history = expect(read_user_history.sync("ada", client=client), UserHistory).history
    require("the versions", [change.version for change in history], [1, 2])

    # Members that a later server adds are passed over, and kept.
    newer = plan.to_dict() | {"later": {"x": 1}}
    require("a member of a later server", Plan.from_dict(newer)["later"], {"x": 1})
    print("client: ready, resolved, refused, granted, redeemed, built and deleted, as the document says")


if __name__ == "__main__":
    main()
