"""Knows the link and the users that are asked for, and what Lua scripts of wrk are told about them."""

import pathlib
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent

LINK = "navigation://loremipsum.com/characters/character/1/character/2?sheet=test"
USER = "u77"
# Users u0 to u99999 are premium users in each store.
USERS = 100_000

RESOLVE = f"/v1/resolve?user={USER}&link={urllib.parse.quote(LINK, safe='')}"


def many(users, links, name="u%d"):
    """Says what wrk asks for where each request names one of many users and links, both at random."""
    return ["-s", str(HERE / "many.lua")], ["--", name, str(users), str(links)]
