"""Measures the pages of web links beside resolves of the same links: of links that many follow, and of links of one visitor each."""

import contextlib

from loading import Target, compare
from targets import HERE
from waymark import CHECKOUT, Server

SHOP = CHECKOUT / "Config/examples/link-domain.yaml"


def measure(options, folder, table, progress):
    """Adds the rows of pages, whose targets are ratios of CPU per request to a resolve's."""
    def target(name, links, what):
        return Target(name, server.pid, server.url, ["-s", str(HERE / "pages.lua")], ["--", str(links), what])

    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(options.binary, folder / "pages.sqlite", catalog=SHOP, arguments=["--limit-pages", "0"]))
        found = compare([
            target("resolve", 1_000_000, "plan"), target("kept", 1_000, "page"), target("made", 1_000_000, "page"),
        ], options, lambda text: progress(text))
    for name, words in [("kept", "a page of one of 1,000 links"), ("made", "a page of one of 1,000,000 links")]:
        table.add(f"{words}: CPU per request", found[name].cost, ("a resolve", found["resolve"].cost), ("<=", 3), "µs")
