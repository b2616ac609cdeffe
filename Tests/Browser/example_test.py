"""The example app of the web, as its users have it: by address, by buttons, and by the browser's own."""

import contextlib
import json
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.request

import waymark
from browser import BINARY, LOOKS, BrowserTest
from ports import free_port

WEB = waymark.CHECKOUT / "Examples/Web"
CATALOG = waymark.CHECKOUT / "Examples/catalog.yaml"
# The messages of a browser's own in its console.
SAID_BY_ITSELF = re.compile("Failed to load resource: (the server responded with a status of [45]|"
                            "net::ERR_(CONNECTION_REFUSED|FAILED|INTERNET_DISCONNECTED))")


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

    def cut(self):
        """Lets no answer of Waymark's through."""
        self.page.route("**/v1/**", lambda route: route.abort())

    def mend(self):
        self.page.unroute("**/v1/**")

    def is_cut(self, heading, address):
        """Waits for the notice, over a screen and an address that stay."""
        self.page.get_by_role("alert").get_by_text("There is no connection.").wait_for()
        self.is_at(heading, address)

    def ask(self, target, fields=None):
        """Asks the server behind the app, as somebody who has no app."""
        with urllib.request.urlopen(urllib.request.Request(self.server.url + target, headers=fields or {})) as response:
            return response.read()

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
    def app(self, address=None, look="light", catalog=CATALOG, key="", bundle=None):
        """Serves the app and its links, and opens a page in a browser of its own; with the key of bundles it has the engine."""
        with contextlib.ExitStack() as ends:
            folder = pathlib.Path(ends.enter_context(tempfile.TemporaryDirectory()))
            port = free_port()
            backend = subprocess.Popen(["node", WEB / "server.mjs", "0", f"http://127.0.0.1:{port}", "1", key],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            ends.callback(backend.stdout.close)
            ends.callback(lambda: waymark.end(backend))
            origin = backend.stdout.readline().split()[-1]

            def start():
                # The last port counts: that of the server before, once it is gone.
                return waymark.Server(BINARY, folder / "app.sqlite", catalog=catalog,
                                      arguments=["--port", str(port), "--cors-origins", origin,
                                                 *(["--bundle", bundle] if bundle else [])])

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

    def test_a_cold_link_without_a_network_waits_and_its_address_stays(self):
        with self.app() as app:
            app.cut()
            app.open("/characters/character/5?utm_source=mail")
            app.is_cut("Characters", "/characters/character/5?utm_source=mail")
            self.assertTrue(app.has_pending())
            app.page.reload()
            app.is_cut("Characters", "/characters/character/5?utm_source=mail")
            app.mend()
            app.press("Try again")
            app.is_at("Character 5", "/characters/character/5")
            self.assertEqual(app.page.get_by_role("alert").count(), 0)
            self.assertFalse(app.has_pending())
            # A link that was answered is a step of the history, also if the app began with its stack.
            app.cut()
            app.open("/characters")
            app.is_cut("Characters", "/characters")
            app.mend()
            app.press("Try again")
            app.page.wait_for_function("history.state !== null")
            app.press("Character 1")
            app.is_at("Character 1", "/characters/character/1")
            app.page.go_back()
            app.is_at("Characters", "/characters")
            # The next visit asks by itself for a link that waits since the last one, unless that was long ago.
            for days, heading, address in ((0.9, "Character 6", "/characters/character/6"), (1.1, "Characters", "/characters")):
                app.cut()
                app.open("/characters/character/6?again")
                app.is_cut("Characters", "/characters/character/6?again")
                app.page.evaluate("""days => {
                    const link = JSON.parse(localStorage.getItem("link"));
                    localStorage.setItem("link", JSON.stringify({ ...link, openedAt: link.openedAt - days * 86_400_000 }));
                }""", days)
                app.mend()
                app.open("/")
                app.is_at(heading, address)

    def test_the_network_may_be_cut_at_each_step(self):
        with self.app() as app:
            def step(act, before, after):
                app.cut()
                act()
                app.is_cut(*before)
                app.mend()
                if app.page.get_by_role("button", name="Try again").count():
                    app.press("Try again")
                else:
                    act()
                app.is_at(*after)
                self.assertEqual(app.page.get_by_role("alert").count(), 0)

            step(lambda: app.open("/favorites"), ("Characters", "/favorites"), ("Welcome", "/onboarding"))
            step(lambda: app.press("Go on"), ("Welcome", "/onboarding"), ("Sign in", "/login"))
            step(lambda: app.press("Sign in as Ada"), ("Sign in", "/login"), ("Favorites of ada", "/favorites"))
            app.press("Character 3")
            app.is_at("Character 3", "/favorites/character/3")
            step(lambda: app.press("About"), ("Character 3", "/favorites/character/3"), ("Premium", "/paywall"))
            app.cut()
            app.press("Buy")
            app.page.wait_for_timeout(1500)
            app.mend()
            # It asks by itself until the purchase has arrived.
            app.is_at("About character 3", "/favorites/character/3?sheet=About")
            app.press("Close")
            # A screen of the app's own needs no network; the address follows once there is one.
            app.page.context.set_offline(True)
            app.press("Episodes")
            app.is_at("Episodes", "/favorites/character/3")
            app.page.context.set_offline(False)
            app.is_at("Episodes", "/episodes")
            app.page.go_back()
            app.is_at("Character 3", "/favorites/character/3")

    def test_a_problem_goes_with_the_next_step_and_the_address_of_an_unknown_link_stays_until_then(self):
        with self.app("/nowhere?a=1") as app:
            app.page.get_by_role("alert").get_by_text("No route matches the link").wait_for()
            app.is_at("Characters", "/nowhere?a=1")
            self.assertFalse(app.has_pending())
            app.press("Episodes")
            app.is_at("Episodes", "/episodes")
            self.assertEqual(app.page.get_by_role("alert").count(), 0)
            app.press("Favorites")
            app.is_at("Welcome", "/onboarding")
            app.press("Go on")
            app.is_at("Sign in", "/login")
            app.page.route("**/session", lambda route: route.abort())
            app.press("Sign in as Ada")
            app.is_cut("Sign in", "/login")
            app.page.go_back()
            app.is_at("Episodes", "/episodes")
            self.assertEqual(app.page.get_by_role("alert").count(), 0)

    def test_a_gate_that_was_passed_is_no_step_of_back(self):
        with self.app("/") as app:
            app.is_at("Characters", "/characters")
            app.press("Favorites")
            app.sign_in()
            app.is_at("Favorites of ada", "/favorites")
            app.page.go_back()
            app.is_at("Characters", "/characters")
            app.page.go_forward()
            app.is_at("Favorites of ada", "/favorites")
        with self.app("/") as app:
            app.is_at("Characters", "/characters")
            app.open("/favorites")
            app.sign_in()
            app.is_at("Favorites of ada", "/favorites")
            app.page.go_back()
            app.is_at("Characters", "/characters")
            # A gate that was left is a link again.
            app.press("Character 1")
            app.press("About")
            app.is_at("Premium", "/paywall")
            app.page.go_back()
            app.is_at("Character 1", "/characters/character/1")
            self.assertFalse(app.has_pending())
            app.page.go_forward()
            app.is_at("Premium", "/paywall")
            self.assertTrue(app.has_pending())
            app.press("Buy")
            app.is_at("About character 1", "/characters/character/1?sheet=About")

    def test_a_gate_that_was_closed_is_no_step_of_back(self):
        with self.app("/favorites") as app:
            app.sign_in()
            app.press("Characters")
            app.press("Character 1")
            for reloads in (False, True):
                app.press("About")
                app.is_at("Premium", "/paywall")
                if reloads:
                    app.page.reload()
                    app.is_at("Premium", "/paywall")
                app.press("Close")
                app.is_at("Character 1", "/characters/character/1")
                self.assertFalse(app.has_pending())
                app.page.go_back()
                app.is_at("Characters", "/characters")
                app.page.go_forward()
                app.is_at("Character 1", "/characters/character/1")
            # A user may go on at once, before the browser is back.
            app.press("About")
            app.is_at("Premium", "/paywall")
            app.page.evaluate("""() => {
                const press = (name) => [...document.querySelectorAll("button")].findLast((item) => item.textContent === name).click();
                press("Close");
                press("Next");
            }""")
            app.is_at("Character 2", "/characters/character/1/character/2")
            app.page.go_back()
            app.is_at("Character 1", "/characters/character/1")
            app.page.go_back()
            app.is_at("Characters", "/characters")
        # Below a gate that the visit began with, there is no entry to go back to.
        with self.app("/") as app:
            app.open("/favorites")
            app.sign_in()
            app.is_at("Favorites of ada", "/favorites")
            app.open("/characters/character/1?sheet=About")
            app.is_at("Premium", "/paywall")
            app.press("Close")
            app.is_at("Characters", "/characters")
            app.page.go_back()
            app.is_at("Favorites of ada", "/favorites")

    def test_after_signing_out_nothing_private_comes_back_by_back(self):
        with self.app("/") as app:
            app.is_at("Characters", "/characters")
            app.press("Favorites")
            app.sign_in()
            app.is_at("Favorites of ada", "/favorites")
            app.press("Characters")
            app.press("Settings")
            app.press("Profile")
            app.is_at("Profile of ada", "/settings/profile")
            app.press("Close")
            app.is_at("Characters", "/characters")
            app.press("Settings")
            app.press("Sign out")
            app.is_at("Characters", "/characters")
            seen = []
            app.page.expose_function("seen", lambda text: seen.append(text))
            app.page.evaluate("""new MutationObserver(() => { seen(document.body.textContent); })
                .observe(document.body, { childList: true, characterData: true, subtree: true })""")
            app.page.go_back()
            app.is_at("Settings", "/settings")
            # Without a network the address waits, and its screen stays away.
            app.page.go_back()
            app.is_at("Characters", "/characters")
            app.page.context.set_offline(True)
            app.page.go_back()
            app.is_cut("Characters", "/settings/profile")
            app.page.context.set_offline(False)
            app.is_at("Sign in", "/login")
            for _ in range(2):
                app.page.go_back()
            app.is_at("Characters", "/characters")
            app.page.go_back()
            app.is_at("Sign in", "/login")
            self.assertEqual([text for text in seen if re.search("Favorites of|Profile of", text)], [])
            # Somebody else gets what is theirs.
            app.press("Sign in as Ada")
            app.is_at("Favorites of ada", "/favorites")

    def test_the_addresses_are_those_of_the_catalog(self):
        text = CATALOG.read_text(encoding="utf-8")
        for old, new in {
            "gates: { onboardingCompleted: /onboarding, signedInUser: /login,":
                "gates: { onboardingCompleted: /welcome, signedInUser: /account/sign-in,",
            "  onboarding: {": "  onboarding: { path: welcome,", "  login: {": "  login: { path: account/sign-in,",
            "character/{id}": "figures/{id}", "episode/{id}": "{id}", "query: sheet": "query: about", "from: sheet": "from: about",
            "  favorites: {": "  favorites: { path: stars,", "  settings: {": "  settings: { path: preferences,",
            "  profile: {": "  profile: { path: me,", "  paywall: {": "  paywall: { path: premium,",
            "  episodes: {": "  episodes: { path: e,",
        }.items():
            self.assertIn(old, text)
            text = text.replace(old, new)
        with tempfile.TemporaryDirectory() as folder:
            catalog = pathlib.Path(folder) / "catalog.yaml"
            catalog.write_text(text.replace("premiumUser: { link: /paywall", "premiumUser: { link: /premium"), encoding="utf-8")
            with self.app("/stars", catalog=catalog) as app:
                app.is_at("Welcome", "/welcome")
                app.press("Go on")
                app.is_at("Sign in", "/account/sign-in")
                app.press("Sign in as Ada")
                app.is_at("Favorites of ada", "/stars")
                app.press("Character 3")
                app.is_at("Character 3", "/stars/figures/3")
                app.press("About")
                app.is_at("Premium", "/premium")
                app.press("Buy")
                app.is_at("About character 3", "/stars/figures/3?about=About")
                app.press("Close")
                app.press("Episodes")
                app.press("Episode 1")
                app.is_at("Episode 1", "/e/1")
                app.page.reload()
                app.is_at("Episode 1", "/e/1")
                app.press("Characters")
                app.press("Settings")
                app.is_at("Settings", "/preferences")
                app.press("Profile")
                app.is_at("Profile of ada", "/preferences/me")
                app.open("/e/1/figures/2")
                app.is_at("Character 2", "/e/1/figures/2")

    def test_with_the_server_away_the_engine_opens_links_and_gates_and_the_app_goes_on_when_it_is_back(self):
        key = (WEB / ".build/bundle.pub").read_text(encoding="utf-8").strip()
        with tempfile.TemporaryDirectory() as folder:
            bundle = pathlib.Path(folder) / "newer.bundle"
            subprocess.run([BINARY, "catalog", "bundle", CATALOG, "--key", WEB / ".build/bundle.key", "--sequence", "9000000000",
                            "--output", bundle], check=True, stdout=subprocess.DEVNULL)
            with self.app(key=key, bundle=bundle) as app:
                app.server.stop()
                # A cold start by the files of the app alone.
                app.open("/favorites")
                app.is_at("Welcome", "/onboarding")
                app.press("Go on")
                app.is_at("Sign in", "/login")
                app.press("Sign in as Ada")
                app.is_cut("Sign in", "/login")
                app.open("/characters/character/2")
                app.is_at("Character 2", "/characters/character/2")
                app.press("Next")
                app.is_at("Character 3", "/characters/character/2/character/3")
                app.press("Favorites")
                app.is_at("Sign in", "/login")
                self.assertTrue(app.has_pending())
                # A link that the app does not know may be one of a newer catalog: it waits.
                app.open("/nowhere")
                app.is_cut("Characters", "/nowhere")
                app.open("/favorites")
                app.is_at("Sign in", "/login")
                # The server is back.
                app.server = app.start()
                app.press("Sign in as Ada")
                app.is_at("Favorites of ada", "/favorites")
                app.open("/characters/character/1?sheet=About")
                app.is_at("Premium", "/paywall")
                app.page.wait_for_function("localStorage.getItem('catalog')?.includes('9000000000')")
                app.server.stop()
                # Started anew at the level that the app knows, then at the one that it learned from the server.
                app.open("/favorites")
                app.is_at("Favorites of ada", "/favorites")
                app.open("/characters/character/1?sheet=About")
                app.is_at("Premium", "/paywall")
                app.server = app.start()
                app.press("Buy")
                app.is_at("About character 1", "/characters/character/1?sheet=About")
                app.page.wait_for_function("localStorage.getItem('level') === 'premiumUser'")
                app.server.stop()
                app.open("/characters/character/3?sheet=About")
                app.is_at("About character 3", "/characters/character/3?sheet=About")
                app.server = app.start()

    def test_what_is_opened_without_a_sign_in_is_in_the_counts(self):
        with self.app() as app:
            browser = {"Host": "app.example", "Accept": "text/html", "User-Agent": "Mozilla/5.0 (X11; Linux x86_64)"}
            self.assertIn(b"<html", app.ask("/characters/character/2", browser))
            app.open("/characters/character/2")
            app.is_at("Character 2", "/characters/character/2")
            app.press("Favorites")
            app.is_at("Welcome", "/onboarding")
            for _ in range(60):
                rows = json.loads(app.ask("/v1/counts?by=route"))["rows"]
                if len(rows) == 2:
                    break
                app.page.wait_for_timeout(250)
            self.assertEqual(rows, [{"route": "character", "opened": 1, "page": 1},
                                    {"route": "favorites", "gated": {"onboardingCompleted": 1}}])

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
