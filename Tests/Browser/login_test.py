"""People who log in to the console in a real browser, by a provider of the tests' own."""

import contextlib
import tempfile
import unittest

import provider as providers
import waymark
from browser import BINARY, BrowserTest

SHEET = "/console/link#link=navigation%3A%2F%2Floremipsum.com%2Fcharacters%2Fcharacter%2F1&level=signedInUser"


class LoginTests(BrowserTest):
    """What a person sees, from the button to the history of a user."""

    @contextlib.contextmanager
    def logging_in(self, secret=providers.SECRET):
        """Serves with a provider; gives the server, the provider and a page that was led to nothing yet."""
        with tempfile.TemporaryDirectory() as folder, providers.serving(folder) as provider:
            settings = {"WAYMARK_CONSOLE_OIDC_ISSUER": provider.issuer, "WAYMARK_CONSOLE_OIDC_CLIENT_ID": providers.CLIENT,
                        "WAYMARK_CONSOLE_OIDC_CLIENT_SECRET": secret, "WAYMARK_CONSOLE_OIDC_ROLE_CLAIM": "roles"}
            database = f"{folder}/test.sqlite"
            waymark.command(BINARY, "token", "create", "--role", "admin", "--create", database=database)
            with waymark.Server(BINARY, database, settings=settings) as server:
                server.origin = f"http://localhost:{server.port}"
                context = self.chromium.new_context(reduced_motion="reduce")
                context.set_default_timeout(20_000)
                try:
                    yield server, provider, context.new_page()
                finally:
                    context.close()

    def log_in(self, page, name):
        """Presses the button, and the provider's link of an account."""
        page.get_by_role("button", name="Log in", exact=True).click()
        page.wait_for_url("**/authorize?*")
        page.get_by_role("link", name=name, exact=True).click()
        page.locator("#person-button:not([hidden])").wait_for()
        self.settle(page)

    def test_an_admin_logs_in_reads_writes_a_level_and_logs_out(self):
        with self.logging_in() as (server, provider, page):
            addresses, errors = [], []
            page.on("request", lambda request: addresses.append(request.url))
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(server.origin + SHEET)
            page.get_by_role("button", name="Log in", exact=True).wait_for()
            self.settle(page)
            self.assertIn("Authentication is required", page.locator("main").inner_text())
            self.log_in(page, "ada")
            # The view is the one that it was, and there is nothing of the login in its address.
            self.assertEqual(page.url, server.origin + SHEET)
            page.get_by_role("button", name="Log out ada").wait_for()
            self.assertIn("Resolved", page.locator(".verdict h2").inner_text())
            self.check_rules(page, "logged in")
            # No script sees the session, and no storage has it.
            seen = page.evaluate("document.cookie + Object.values(sessionStorage).join() + Object.values(localStorage).join()")
            self.assertEqual(seen, "")
            cookie, = page.context.cookies()
            self.assertEqual((cookie["name"], cookie["httpOnly"], cookie["sameSite"]), ("waymark-session", True, "Strict"))

            page.goto(server.origin + "/console/users/carol")
            self.settle(page)
            page.get_by_label("Level", exact=True).select_option("premiumUser")
            page.get_by_role("button", name="Store").click()
            page.get_by_text("person ada (id-of-ada)").first.wait_for()

            page.get_by_role("button", name="Log out ada").click()
            page.get_by_role("button", name="Log in", exact=True).wait_for()
            self.settle(page)
            self.assertEqual(provider.logouts, [providers.CLIENT])
            self.assertEqual(page.context.cookies(), [])
            page.goto(server.origin + "/console/users/carol")
            page.get_by_text("Press “Log in”").first.wait_for()
            self.assertEqual(errors, [])
            self.assertFalse([address for address in addresses if "wp_" in address])

    def test_a_person_without_a_role_is_told_and_another_may_less_than_an_admin(self):
        with self.logging_in() as (server, _, page):
            page.goto(server.origin + "/console/report")
            self.log_in(page, "eve")
            self.assertEqual(page.url, server.origin + "/console/report")
            self.assertIn("Your account has no role here", page.get_by_role("alert").inner_text())
            self.check_rules(page, "not logged in")
            self.log_in(page, "nobody")
            self.assertIn("You gave up", page.get_by_role("alert").last.inner_text())
            self.log_in(page, "bob")
            self.assertEqual(page.get_by_role("alert").count(), 0)
            page.get_by_role("button", name="Log out bob").wait_for()
            self.assertIn("Outcomes", page.locator("caption").all_inner_texts())
            page.goto(server.origin + "/console/users")
            self.settle(page)
            self.assertIn("For admins", page.locator("main").inner_text())

    def test_two_tabs_log_in_and_a_used_answer_does_not(self):
        with self.logging_in() as (server, provider, first):
            second = first.context.new_page()
            for page in (first, second):
                page.goto(server.origin + "/console")
                page.get_by_role("button", name="Log in", exact=True).click()
                page.wait_for_url("**/authorize?*")
            answers = []
            first.on("request", lambda request: answers.append(request.url) if "/console/callback" in request.url else None)
            for page in (second, first):
                page.get_by_role("link", name="ada", exact=True).click()
                page.get_by_role("button", name="Log out ada").wait_for()
            first.goto(answers[0])
            self.assertIn("its answer came twice", first.get_by_role("alert").inner_text())
            # The session is still there.
            first.get_by_role("button", name="Log out ada").wait_for()
            provider.skew = 120
            other = self.chromium.new_context()
            page = other.new_page()
            page.goto(server.origin + "/console")
            self.log_in(page, "ada")
            self.assertIn("answer is not valid", page.get_by_role("alert").inner_text())
            other.close()
            self.assertIn("set the clocks of this machine and the provider", server.said())

    def test_a_wrong_secret_and_a_provider_that_is_down_are_told_apart(self):
        with self.logging_in(secret="old") as (server, provider, page):
            page.goto(server.origin + "/console")
            self.log_in(page, "ada")
            self.assertIn("refuses this server’s client id or secret", page.get_by_role("alert").inner_text())
            self.assertIn("does not accept console.oidc.clientID", server.said())
            self.assertNotIn("old", server.said())


if __name__ == "__main__":
    unittest.main()
