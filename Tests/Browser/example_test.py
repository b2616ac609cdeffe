"""The example app of the web, as its users have it: by address, by buttons, and by the browser's own."""

import contextlib
import pathlib
import re
import socket
import subprocess
import tempfile
import unittest

import waymark
from browser import BINARY, LOOKS, BrowserTest

WEB = waymark.CHECKOUT / "Examples/Web"
CATALOG = waymark.CHECKOUT / "Examples/catalog.yaml"
# The messages of a browser's own in its console.
SAID_BY_ITSELF = re.compile("Failed to load resource: (the server responded with a status of [45]|net::ERR_CONNECTION_REFUSED)")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class App:
    """A page of the app, with the server behind it."""

    def __init__(self, page, origin, start):
        self.page, self.origin, self.start = page, origin, start
        self.server = start()

    def open(self, address="/"):
        self.page.goto(self.origin + address)

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).last.click()

    def is_at(self, heading, address):
        """Waits for a screen and its address."""
        self.page.get_by_role("heading", name=heading, exact=True).last.wait_for(timeout=10_000)
        self.page.wait_for_function("address => location.pathname + location.search === address", arg=address, timeout=5_000)

    def has_pending(self):
        return self.page.evaluate("localStorage.getItem('link') !== null")

    def user(self):
        return self.page.evaluate("localStorage.getItem('user')")

    def sign_in(self):
        """Goes through the introduction and the login that are in the way."""
        self.is_at("Welcome", "/onboarding")
        self.press("Go on")
        # The introduction is this device's: there is no user for it.
        self.is_at("Sign in", "/login")
        assert self.user() is None
        self.press("Sign in as Ada")


class WebTests(BrowserTest):
    @contextlib.contextmanager
    def app(self, address=None, look="light"):
        """Serves the app and its links, and opens a page in a browser of its own."""
        with contextlib.ExitStack() as ends:
            folder = pathlib.Path(ends.enter_context(tempfile.TemporaryDirectory()))
            port = free_port()
            backend = subprocess.Popen(["node", WEB / "server.mjs", "0", f"http://127.0.0.1:{port}", "1"],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            ends.callback(backend.stdout.close)
            ends.callback(lambda: waymark.end(backend))
            origin = backend.stdout.readline().split()[-1]

            def start():
                # The last port counts: that of the server before, once it is gone.
                return waymark.Server(BINARY, folder / "app.sqlite", catalog=CATALOG,
                                      arguments=["--port", str(port), "--cors-origins", origin])

            page = self.chromium.new_context(**({"viewport": {"width": 800, "height": 900}} | LOOKS[look])).new_page()
            ends.callback(page.context.close)
            said = []
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            app = App(page, origin, start)
            ends.callback(lambda: app.server.stop())
            if address is not None:
                app.open(address)
            yield app
            self.assertEqual([text for text in said if not SAID_BY_ITSELF.match(text)], [])

    def test_a_cold_link_opens_by_its_address_and_back_leads_through_the_history(self):
        with self.app("/characters/character/2") as app:
            app.is_at("Character 2", "/characters/character/2")
            app.press("Next")
            app.is_at("Character 3", "/characters/character/2/character/3")
            app.page.go_back()
            app.is_at("Character 2", "/characters/character/2")
            app.page.go_forward()
            app.is_at("Character 3", "/characters/character/2/character/3")
            app.page.reload()
            app.is_at("Character 3", "/characters/character/2/character/3")
            app.page.go_back()
            app.is_at("Character 2", "/characters/character/2")

    def test_tabs_keep_their_stacks_also_over_a_reload(self):
        with self.app("/") as app:
            app.press("Character 1")
            app.is_at("Character 1", "/characters/character/1")
            app.press("Episodes")
            app.press("Episode 1")
            app.press("Character 2")
            app.is_at("Character 2", "/episodes/episode/1/character/2")
            app.page.get_by_text("In episode 1", exact=True).wait_for()
            app.press("Characters")
            app.is_at("Character 1", "/characters/character/1")
            app.page.reload()
            app.press("Episodes")
            app.is_at("Character 2", "/episodes/episode/1/character/2")
            app.page.go_back()
            app.is_at("Character 1", "/characters/character/1")

    def test_a_link_behind_two_gates_opens_after_them(self):
        with self.app("/favorites") as app:
            app.sign_in()
            app.is_at("Favorites of ada", "/favorites")
            self.assertFalse(app.has_pending())

    def test_a_link_that_waits_is_kept_over_a_reload(self):
        with self.app("/favorites") as app:
            app.is_at("Welcome", "/onboarding")
            app.page.reload()
            app.sign_in()
            app.is_at("Favorites of ada", "/favorites")

    def test_a_purchase_that_arrives_later_opens_what_it_was_for(self):
        with self.app("/favorites") as app:
            app.sign_in()
            app.is_at("Favorites of ada", "/favorites")
            app.press("Characters")
            app.press("Character 1")
            app.press("About")
            app.is_at("Premium", "/paywall")
            self.assertTrue(app.has_pending())
            # Closing the paywall gives the link up, and leaves the user there.
            app.press("Close")
            app.is_at("Character 1", "/characters/character/1")
            self.assertFalse(app.has_pending())
            app.open("/characters/character/1?sheet=About")
            app.is_at("Premium", "/paywall")
            app.press("Buy")
            app.is_at("About character 1", "/characters/character/1?sheet=About")
            app.press("Close")
            app.is_at("Character 1", "/characters/character/1")

    def test_a_paywall_is_presented_over_the_screen_and_leaves_it_as_it_was(self):
        with self.app("/favorites") as app:
            app.sign_in()
            app.is_at("Favorites of ada", "/favorites")
            app.press("Episodes")
            app.press("Episode 1")
            app.press("Favorites")
            app.press("Character 3")
            app.is_at("Character 3", "/favorites/character/3")
            # The second tap presents nothing more.
            app.page.get_by_role("button", name="About").dblclick()
            app.is_at("Premium", "/paywall")
            self.assertEqual(app.page.get_by_role("dialog").count(), 1)
            self.assertTrue(app.has_pending())
            app.press("Close")
            app.is_at("Character 3", "/favorites/character/3")
            self.assertEqual(app.page.get_by_role("dialog").count(), 0)
            self.assertFalse(app.has_pending())
            app.press("About")
            app.is_at("Premium", "/paywall")
            app.page.reload()
            app.is_at("Premium", "/paywall")
            app.page.go_back()
            app.is_at("Character 3", "/favorites/character/3")
            self.assertFalse(app.has_pending())
            app.press("About")
            app.is_at("Premium", "/paywall")
            app.press("Buy")
            app.is_at("About character 3", "/favorites/character/3?sheet=About")
            app.press("Close")
            app.is_at("Character 3", "/favorites/character/3")
            app.press("Episodes")
            app.is_at("Episode 1", "/episodes/episode/1")

    def test_the_back_button_closes_a_gate(self):
        with self.app("/") as app:
            app.press("Character 1")
            app.press("Favorites")
            app.is_at("Welcome", "/onboarding")
            app.page.go_back()
            app.is_at("Character 1", "/characters/character/1")
            self.assertFalse(app.has_pending())

    def test_a_server_that_goes_away_changes_nothing_and_is_asked_again(self):
        with self.app("/") as app:
            app.press("Favorites")
            app.is_at("Welcome", "/onboarding")
            app.press("Go on")
            app.is_at("Sign in", "/login")
            app.server.stop()
            app.press("Sign in as Ada")
            app.page.get_by_role("alert").get_by_text("There is no connection.").wait_for()
            app.is_at("Sign in", "/login")
            self.assertTrue(app.has_pending())
            app.server = app.start()
            app.press("Sign in as Ada")
            app.is_at("Favorites of ada", "/favorites")
            app.press("Characters")
            app.press("Character 1")
            app.server.stop()
            app.press("About")
            app.page.get_by_role("alert").get_by_text("There is no connection.").wait_for()
            app.is_at("Character 1", "/characters/character/1")
            app.server = app.start()
            app.press("About")
            app.is_at("Premium", "/paywall")

    def test_signing_out_forgets_everything_but_the_introduction(self):
        with self.app("/favorites") as app:
            app.sign_in()
            app.is_at("Favorites of ada", "/favorites")
            app.press("Characters")
            app.press("Settings")
            app.press("Profile")
            app.is_at("Profile of ada", "/settings/profile")
            app.page.go_back()
            app.press("Sign out")
            app.is_at("Characters", "/characters")
            self.assertIsNone(app.user())
            app.press("Favorites")
            app.is_at("Sign in", "/login")
            self.assertTrue(app.has_pending())

    def test_every_screen_keeps_the_rules_of_accessibility(self):
        for look in LOOKS:
            with self.subTest(look), self.app("/", look) as app:
                app.is_at("Characters", "/characters")
                self.check_rules(app.page, f"characters, {look}")
                self.keep(app.page, f"example-{look}")
                app.open("/settings")
                app.is_at("Settings", "/settings")
                self.check_rules(app.page, f"settings, {look}")


if __name__ == "__main__":
    unittest.main()
