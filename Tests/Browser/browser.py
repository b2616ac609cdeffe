"""A real browser, and what every page of ours must keep in it: silence, its own origin, WCAG 2.2 AA.

What tests pages has this folder and Tests/Processes on its path (`PYTHONPATH`), as `scripts/prove console` sees to.
"""

import contextlib
import os
import pathlib
import shutil
import tempfile
import unittest
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

import waymark

BINARY = os.environ.get("WAYMARK_BINARY", str(waymark.CHECKOUT / ".build/debug/waymark"))
SCREENSHOTS = pathlib.Path(os.environ.get("WAYMARK_SCREENSHOTS", str(waymark.CHECKOUT / ".build-browser/screenshots")))

# The ways in which people look at a page: each must pass the same rules.
LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"color_scheme": "light", "viewport": {"width": 320, "height": 800}},
    "forced": {"color_scheme": "dark", "forced_colors": "active"},
}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


class BrowserTest(unittest.TestCase):
    """Tests that share one browser, and start a server each where they need it."""

    @classmethod
    def setUpClass(cls):
        cls.ends = contextlib.ExitStack()
        playwright = cls.ends.enter_context(sync_playwright())
        # Root has no sandbox of Chromium's; what is looked at is ours alone.
        cls.chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        cls.ends.callback(cls.chromium.close)

    @classmethod
    def tearDownClass(cls):
        cls.ends.close()

    @contextlib.contextmanager
    def serving(self, catalog=waymark.CATALOG, *arguments, tokens=()):
        """Serves a catalog on a free port; gives the server, and a token for each of the roles."""
        with tempfile.TemporaryDirectory() as folder:
            database = pathlib.Path(folder) / "test.sqlite"
            made = [waymark.command(BINARY, "token", "create", "--role", role, "--create", database=database)
                    for role in tokens]
            with waymark.Server(BINARY, database, catalog=catalog, arguments=arguments) as server:
                server.origin = f"http://localhost:{server.port}"
                server.tokens = made
                yield server

    @contextlib.contextmanager
    def visiting(self, server, path, *, look="light", statuses=(), motion="reduce", pictures=None, **options):
        """Opens a page; when it is left, it must have been silent and asked its own origin alone.

        `pictures` are files of other origins that it may ask for, by their addresses, which are not fetched.
        `statuses` are refusals that the page provokes on purpose: browsers write them to the console by themselves.
        """
        settings = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": motion} | LOOKS[look] | options
        context = self.chromium.new_context(**settings)
        for address, body in (pictures or {}).items():
            context.route(address, lambda route, _, body=body: route.fulfill(body=body, content_type="image/png"))
        page = context.new_page()
        said, asked = [], []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: (said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        try:
            page.goto(server.origin + path)
            self.settle(page)
            yield page
            self.settle(page)
        finally:
            context.close()
        expected = [f"Failed to load resource: the server responded with a status of {status} " for status in statuses]
        self.assertEqual([text for text in said if not text.startswith(tuple(expected) or ("\0",))], [], path)
        strangers = [url for url in asked if url not in (pictures or {}) and f"{urlsplit(url).scheme}://{urlsplit(url).netloc}" != server.origin]
        self.assertEqual(strangers, [], path)

    @staticmethod
    def settle(page):
        """Waits until nothing is loaded and nothing is busy."""
        page.wait_for_load_state("networkidle")
        page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")

    def check_rules(self, page, what):
        """Requires WCAG 2.2 AA, as far as a program can tell."""
        found = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}})
        faults = [f"{fault['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
                  for fault in found.response["violations"] for node in fault["nodes"]]
        self.assertEqual(faults, [], what)
        hidden = page.evaluate("[...document.querySelectorAll('[hidden]')].filter((one) => one.checkVisibility()).map((one) => one.outerHTML)")
        self.assertEqual(hidden, [], f"{what} shows what is hidden")
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(width[0], width[1], f"{what} scrolls sideways")

    @staticmethod
    def keep(page, name):
        """Keeps a picture of the whole page, for people to look at."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)
