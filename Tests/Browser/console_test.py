"""The console in a real browser: every view with every example, by mouse and by keyboard."""

import contextlib
import json
import pathlib
import re
import signal
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from urllib.parse import quote, urlencode

import catalogs
import waymark
from browser import LOOKS, BrowserTest

EXAMPLES = sorted((waymark.CHECKOUT / "Config/examples").glob("*.yaml"))
GOLDEN = pathlib.Path(__file__).parent / "Golden"
# The routes that no link opens.
ONLY_THE_APP_OPENS = {"suinavigation": ["PerformView"]}
SHEET = "navigation://loremipsum.com/characters/character/1?sheet=test"


def view(name, **parameters):
    """The address of a view; what it shows stands in the fragment."""
    return f"/console/{name}#{urlencode(parameters)}"


def visit(page, name):
    """Follows the navigation to a view."""
    page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()


# Every view, with something to see in it.
VIEWS = {
    "welcome": "/console",
    "granted": view("link", link=SHEET, level="premiumUser"),
    "gated": view("link", link=SHEET, level="signedInUser"),
    "failed": view("link", link="navigation://loremipsum.com/characters/character/caf%C3%A9"),
    "transition": view("link", link="navigation://loremipsum.com/settings/profile", level="premiumUser",
                       **{"from": SHEET}),
    "routes": view("routes", route="character"),
    "search": view("routes", q="sheet"),
    "graph": view("graph", route="character", depth=2),
    "associations": view("associations", url="https://loremipsum.com/settings"),
    "users": "/console/users",
    "user": "/console/users/ada",
    "short-links": "/console/short-links",
    "changes": "/console/changes",
    "report": "/console/report",
}


class ViewTests(BrowserTest):
    """What is shown."""

    def test_every_view_with_every_example_is_silent_and_keeps_to_its_origin(self):
        for example in EXAMPLES:
            with self.subTest(example.stem), self.serving(example) as server:
                # A catalog without apps has no association files, and they are not asked for.
                with self.visiting(server, "/console") as page:
                    visit(page, "Routes")
                    self.settle(page)
                    names = page.locator(".tree a[data-route]").all_inner_texts()
                    self.assertGreater(len(names), 0)
                    # Every route that links can open has one, and those of the first lead to a stack that has it.
                    for place in range(len(names)):
                        page.locator(".tree a[data-route]").nth(place).click()
                        self.settle(page)
                        route = page.locator(".detail-pane h2").first.inner_text()
                        page.wait_for_selector(".examples a, .detail-pane p:has-text('No link')")
                        if not page.locator(".examples a").count():
                            self.assertIn(route, ONLY_THE_APP_OPENS.get(example.stem, []))
                            continue
                        if place >= 4:
                            continue
                        page.locator(".examples a").first.click()
                        self.settle(page)
                        self.assertRegex(page.locator("ol.screens").inner_text(), re.escape(route))
                        page.go_back()
                        self.settle(page)
                    for name in ["Graph", "Associations", "Users", "Short links", "Changes", "Report"]:
                        visit(page, name)
                        self.settle(page)
                        self.assertEqual(page.locator("h1").inner_text(), name)

    def test_a_link_is_shown_with_all_that_it_does(self):
        with self.serving() as server, self.visiting(server, VIEWS["granted"]) as page:
            self.assertEqual(page.locator(".verdict h2").inner_text(), "Resolved: characterSheet opens as sheet.")
            self.assertEqual(page.locator("ol.screens > li").count(), 4)
            self.assertEqual(page.locator(".ladder > li").count(), 4)
            self.assertIn("stops at the gate login", page.locator(".ladder > li").nth(1).inner_text())
            self.assertIn("lacks signedInUser, then premiumUser", page.locator(".ladder > li").nth(1).inner_text())
            commands = page.locator(".command code").all_inner_texts()
            self.assertIn(f"--data-urlencode 'link={SHEET}'", commands[0])
            self.assertEqual(commands[1], f"waymark resolve '{SHEET}' --level premiumUser --catalog routes.yaml")
            shown = json.loads(page.locator("pre").first.inner_text())
            self.assertEqual(shown["stack"][3]["parameters"], {"title": "test"})
            # A level is pinned by its column, and the address says so.
            page.locator(".ladder button").nth(1).click()
            self.settle(page)
            self.assertIn("level=onboardingCompleted", page.url)
            self.assertIn("Gated", page.locator(".verdict h2").inner_text())
            self.assertIn("the gate of signedInUser", page.locator(".card h2").first.inner_text())

    def test_a_grant_is_a_switch_and_stands_in_the_address(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(catalogs.walls())
            file.flush()
            link = "app:///home/vault"
            with self.serving(file.name) as server, self.visiting(server, view("link", link=link, level="member")) as page:
                verdict = page.locator(".verdict h2")
                self.assertEqual(verdict.inner_text(), "Gated: vault requires a grant; missing is pro, unlocked.")
                self.assertIn("the gate of pro", page.locator(".card h2").first.inner_text())
                self.assertIn("lacks pro, unlocked", page.locator(".ladder > li").nth(1).inner_text())
                page.get_by_role("switch", name="pro").check()
                self.settle(page)
                self.assertEqual(verdict.inner_text(), "Gated: vault requires a grant; missing is unlocked.")
                page.get_by_role("switch", name="unlocked (on the device)").check()
                self.settle(page)
                self.assertEqual(verdict.inner_text(), "Resolved: vault opens as push.")
                self.assertIn("grants=pro%2Cunlocked", page.url)
                self.assertIn("stops at the gate login", page.locator(".ladder > li").nth(0).inner_text())
                commands = page.locator(".command code").all_inner_texts()
                self.assertIn("--data-urlencode grants=pro", commands[0])
                self.assertEqual(commands[1], f"waymark resolve {link} --level member --grants pro --holds unlocked "
                                              "--catalog routes.yaml")
                self.check_rules(page, "grants")
                page.go_back()
                self.settle(page)
                self.assertFalse(page.get_by_role("switch", name="unlocked (on the device)").is_checked())
            # Of a user, only the grants of the device can be chosen.
            with self.serving(file.name) as server, self.visiting(server, view("link", link=link, user="ada")) as page:
                self.assertTrue(page.get_by_role("switch", name="pro").is_disabled())
                self.assertTrue(page.get_by_role("switch", name="unlocked (on the device)").is_enabled())

    def test_the_app_that_opens_a_link_is_said_with_its_stores(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(catalogs.two_apps())
            file.flush()
            link = "app:///shift"
            with self.serving(file.name) as server, self.visiting(server, view("link", link=link)) as page:
                opener = page.locator(".verdict .detail", has_text="Opens in the app driver")
                stores = {store.inner_text(): store.get_attribute("href") for store in opener.get_by_role("link").all()}
                self.assertEqual(stores, {
                    "App Store": "https://apps.apple.com/app/id2",
                    "Google Play": "https://play.google.com/store/apps/details?id=com.example.driver"})
                self.check_rules(page, "apps")
                # The other app is told which app opens the link.
                page.locator("#more summary").click()
                page.get_by_label("Asked by the app").fill("rider.ios/3.1.0")
                page.get_by_role("button", name="Resolve").click()
                self.settle(page)
                self.assertIn("app=rider.ios%2F3.1.0", page.url)
                self.assertIn("bad", page.locator(".verdict").get_attribute("class"))
                self.assertEqual(opener.count(), 1)
                commands = page.locator(".command code").all_inner_texts()
                self.assertIn("--data-urlencode app=rider.ios/3.1.0", commands[0])
                self.assertEqual(commands[1], f"waymark resolve {link} --app rider.ios/3.1.0 --catalog routes.yaml")
                page.get_by_label("Asked by the app").fill("driver.ios/3.1.0")
                page.get_by_role("button", name="Resolve").click()
                self.settle(page)
                self.assertEqual(page.locator(".verdict h2").inner_text(), "Resolved: shift opens as push.")
                # A link of every app is no app's.
                page.goto(server.origin + view("link", link="app:///help"))
                self.settle(page)
                self.assertEqual(page.locator(".detail", has_text="Opens in the app").count(), 0)
                page.goto(server.origin + view("routes", route="shift"))
                self.settle(page)
                self.assertIn("driver", page.locator(".detail-pane .pairs").first.inner_text())
                self.assertEqual(page.locator("a[data-route=ride] .level").inner_text(), "rider")

    def test_a_user_is_given_a_grant_and_loses_it(self):
        def held(server):
            with urllib.request.urlopen(server.origin + "/v1/users/ada") as answer:
                return json.load(answer).get("grants", {})

        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(catalogs.walls())
            file.flush()
            with self.serving(file.name) as server, self.visiting(server, "/console/users/ada", statuses=(404,)) as page:
                self.settle(page)
                # The user is made by the first grant.
                page.get_by_role("switch", name="pro").check()
                page.get_by_role("button", name="Store pro").click()
                self.settle(page)
                self.assertEqual(held(server), {"pro": {}})
                self.assertTrue(page.get_by_role("switch", name="pro").is_checked())
                page.get_by_label("The end of pro").fill("2030-01-02T03:04:05")
                page.get_by_role("button", name="Store pro").click()
                self.settle(page)
                self.assertRegex(held(server)["pro"]["validUntil"], "^2030-01-0")
                page.get_by_role("switch", name="pro").uncheck()
                page.get_by_role("button", name="Store pro").click()
                self.settle(page)
                self.assertEqual(held(server), {})

    def test_the_bytes_that_failed_are_marked(self):
        links = {"navigation://loremipsum.com/characters/character/caf%C3%A9": "caf%C3%A9",
                 "navigation://loremipsum.com/%C3%A9t%C3%A9/x": "%C3%A9t%C3%A9",
                 "navigation://loremipsum.com/é/../b": "..", "navigation://loremipsum.com/a%zz": "%zz"}
        with self.serving() as server:
            for link, fault in links.items():
                with self.subTest(link), self.visiting(server, view("link", link=link)) as page:
                    self.assertEqual(page.locator("mark.failed").inner_text(), fault)
                    self.assertEqual(page.locator(".marked code").inner_text(), link)
            with self.visiting(server, view("link", link=SHEET, level="premiumUser")) as page:
                page.keyboard.press("]")
                page.keyboard.press("]")
                self.assertEqual(page.locator(".marked mark").inner_text(), "characters")
                self.assertIn("step=1", page.url)

    def test_suggestions_are_followed(self):
        with self.serving() as server:
            with self.visiting(server, view("link", link="navigation://loremipsum.com/charcters")) as page:
                page.get_by_role("link", name="navigation://loremipsum.com/characters").click()
                self.settle(page)
                self.assertEqual(page.get_by_label("Link", exact=True).input_value(), "navigation://loremipsum.com/characters")

    def test_a_transition_is_played_from_the_current_stack(self):
        with self.serving() as server, self.visiting(server, VIEWS["transition"], motion="no-preference") as page:
            facts = page.locator(".card .facts").first.inner_text()
            self.assertEqual(re.sub(r"\s+", " ", facts), "keeps 2 dismisses 2 presents 2")
            page.get_by_role("button", name="Play the transition").click()
            self.assertEqual(page.locator("li.leaving").count(), 2)
            self.assertEqual(page.locator("li.arriving").count(), 2)
            page.wait_for_function("() => !document.querySelector('li.leaving')")
            self.assertEqual(page.locator("ol.screens > li").count(), 4)

    def test_a_user_is_changed_unless_somebody_else_was_quicker(self):
        with self.serving() as server, self.visiting(server, "/console/users/ada", statuses=(404, 412)) as page:
            page.get_by_label("Level").select_option("signedInUser")
            page.get_by_role("button", name="Store").click()
            page.wait_for_selector("text=Version")
            self.settle(page)
            self.assertIn("signedInUser", page.locator("dl.pairs").inner_text())
            page.evaluate("""() => fetch('/v1/users/ada', { method: 'POST', headers: { 'Content-Type': 'application/json' },
                body: JSON.stringify({ authorizationLevel: 'premiumUser' }) }).then((response) => response.text())""")
            page.get_by_label("Level").select_option("none")
            page.get_by_role("button", name="Store").click()
            page.wait_for_selector("text=412: somebody else changed this user")
            page.get_by_role("button", name="Read it again").click()
            page.wait_for_selector("dd:has-text('premiumUser')")
            self.assertEqual(page.locator("table").last.locator("tbody tr").count(), 2)

    def test_a_candidate_is_compared_or_its_issues_are_told(self):
        with self.serving() as server, self.visiting(server, VIEWS["changes"], statuses=(400,)) as page:
            page.get_by_label("The new catalog").fill("version: 1\n")
            page.get_by_role("button", name="Compare").click()
            page.wait_for_selector(".result .notice, .result .card")
            self.assertIn("No catalog", page.locator(".result").inner_text())
            changed = (waymark.CHECKOUT / "Config/routes.yaml").read_text().replace("forgotpassword: push", "forgotpassword: sheet")
            page.get_by_label("The new catalog").fill(changed)
            page.get_by_role("button", name="Compare").click()
            page.wait_for_selector(".result >> text=/finding/")

    def test_a_user_is_given_an_end_by_a_picker_and_deleted(self):
        with self.serving() as server, self.visiting(server, "/console/users/eve", statuses=(404,)) as page:
            page.get_by_label("Level").select_option("premiumUser")
            page.get_by_label("Until").fill("2100-01-02T03:04:05")
            page.get_by_role("button", name="Store").click()
            page.wait_for_selector("dd:has-text('premiumUser')")
            self.settle(page)
            self.assertEqual(page.get_by_label("Until").input_value(), "2100-01-02T03:04:05")
            self.assertRegex(page.locator("dl.pairs time").first.inner_text(), r"^2100-01-0[123] ")
            page.locator("summary").click()
            page.get_by_role("button", name="Delete").click()
            page.wait_for_selector("text=Nothing is stored for this user")

    def test_a_route_that_opens_its_opener_stands_on_both_sides(self):
        catalog = """
version: 1
origins: [{ scheme: shop }]
entry: { login: root, tabs: { presentation: root, initial: true } }
routes:
  login: {}
  tabs: { path: "", opens: { user: { presentation: tab, initial: true }, post: tab } }
  user: { opens: { post: push } }
  post: { opens: { user: sheet } }
"""
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(catalog)
            file.flush()
            with self.serving(file.name) as server, self.visiting(server, view("graph", route="user")) as page:
                columns = [[" ".join(box.split()) for box in column.locator(".box").all_inner_texts()]
                           for column in page.locator(".column").all()]
                self.assertEqual(len(columns), 3)
                self.assertIn("post sheet /post", columns[0])
                self.assertIn("post push /post", columns[2])
                self.assertEqual(page.locator("path[marker-end]").count(), 3)
                page.goto(server.origin + "/console/graph")
                self.settle(page)
                # It begins where the app does.
                self.assertEqual(page.locator(".centre b").inner_text(), "tabs")

    def test_a_group_is_one_box_between_its_routes(self):
        catalog = """
version: 1
origins: [{ scheme: shop }]
entry: { home: root }
groups: { common: { post: push, user: push } }
routes:
  home: { groups: [common] }
  post: { groups: [common] }
  user: {}
"""
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(catalog)
            file.flush()
            with self.serving(file.name) as server, self.visiting(server, view("graph", route="home", depth=2)) as page:
                columns = [[" ".join(box.split()) for box in column.locator(".box").all_inner_texts()]
                           for column in page.locator(".column").all()]
                self.assertEqual(len(columns), 4)
                self.assertEqual(columns[2:], [["common group"], ["post push /post", "user push /user"]])
                self.assertEqual(page.locator("path[marker-end]").count(), 4)
                page.goto(server.origin + view("routes", route="user"))
                self.settle(page)
                self.assertIn("push, group common", page.locator("#detail").inner_text())

    def test_the_report_is_tables_of_what_was_asked(self):
        with self.serving() as server:
            self.resolve(server, "navigation://loremipsum.com/charcters")
            with self.visiting(server, VIEWS["report"]) as page:
                self.assertNotIn("This server has no", page.locator("main").inner_text())
                self.assertIn("Outcomes", page.locator("caption").all_inner_texts())
                text = page.locator("main").inner_text()
                for words in ["Links that nothing matched", "navigation://loremipsum.com/…", "no-matching-route", "Hours"]:
                    self.assertIn(words, text)
                self.assertNotIn("{", text)
                self.assertEqual(page.locator("main pre").count(), 0)

    def test_the_report_counts_visitors_apart(self):
        with self.serving() as server:
            self.assertNotIn("Visitors", self.report(server))
            for path in ["/characters/character/1", "/characters/character/2", "/nowhere"]:
                visitor = {"Host": "loremipsum.com", "Accept": "text/html"}
                with contextlib.suppress(urllib.error.HTTPError):
                    urllib.request.urlopen(urllib.request.Request(server.origin + path, headers=visitor)).read()
            text = self.report(server)
            for words in ["Visitors", "Pages of routes", "character\t2\t0\t0", "Links without a page", "https://loremipsum.com/…"]:
                self.assertIn(words, text)

    def test_the_console_itself_counts_nothing(self):
        with self.serving() as server:
            for name in ["granted", "gated", "failed", "transition", "associations"]:
                with self.visiting(server, VIEWS[name], statuses=()) as page:
                    self.settle(page)
            with urllib.request.urlopen(server.origin + "/v1/report") as response:
                total = json.load(response)["total"]
            self.assertEqual([total[name] for name in ["resolved", "gated", "failed"]], [0, 0, 0])

    def test_the_uses_of_30_days_are_a_chart_and_the_same_table(self):
        with self.serving() as server:
            for _ in range(3):
                self.resolve(server, "navigation:/onboarding", app="ios/3.1.0")
            self.resolve(server, "navigation:/settings", app="ios/3.1.0")
            self.resolve(server, "navigation:/onboarding")  # A service by itself is no use.
            visitor = {"Host": "loremipsum.com", "Accept": "text/html"}
            urllib.request.urlopen(urllib.request.Request(server.origin + "/characters", headers=visitor)).read()
            for _ in range(150):
                with urllib.request.urlopen(server.origin + "/v1/counts") as response:
                    if json.load(response)["rows"]:
                        break
                time.sleep(0.1)
            with self.visiting(server, VIEWS["report"]) as page:
                self.settle(page)
                chart = page.get_by_role("img", name="Uses of links in apps by day")
                self.assertEqual(chart.get_attribute("aria-label"),
                                 "Uses of links in apps by day: Opened 3, At a gate 1, Failed 0. The table below has the numbers.")
                self.assertEqual(chart.locator("rect").count(), 2)
                heights = [float(bar.get_attribute("height")) for bar in chart.locator("rect").all()]
                self.assertAlmostEqual(heights[0], 3 * heights[1], delta=0.5)
                page.get_by_text("The same as a table").first.click()
                lines = page.get_by_role("table", name="Uses of links in apps by day").locator("tbody tr")
                self.assertEqual(lines.count(), 30)
                self.assertRegex(lines.last.inner_text(), r"^\d{4}-\d\d-\d\d\t3\t1\t0$")
                text = page.locator("main").inner_text()
                for words in ["Top routes", "onboarding\t3\t0\t0\t0\t0\t0", "settings\t0\t1\t0\t0\t0\t0",
                              "characters\t0\t0\t0\t1\t0\t0", "onboardingCompleted\t1"]:
                    self.assertIn(words, text)
                self.check_rules(page, "report with a chart")
                with page.expect_download() as download:
                    page.get_by_role("button", name="Save as CSV").click()
                table = pathlib.Path(download.value.path()).read_text()
                self.assertEqual(download.value.suggested_filename, "counts.csv")
                self.assertTrue(table.startswith("day,route,label,opened,openedByUsers,"), table)
                self.assertIn(",onboarding,,3,0,0,0,0,0,0,0,0\n", table)

    def resolve(self, server, link, app=None):
        """Resolves a link as a program does, whatever comes of it."""
        fields = {"Waymark-App": app} if app else {}
        address = f"{server.origin}/v1/resolve?link={quote(link, safe='')}"
        with contextlib.suppress(urllib.error.HTTPError):
            urllib.request.urlopen(urllib.request.Request(address, headers=fields)).read()

    def report(self, server):
        with self.visiting(server, VIEWS["report"]) as page:
            self.settle(page)
            return page.locator("main").inner_text()


class ShortLinkTests(BrowserTest):
    """Short links: seen before they are made, found again with their counts, and withdrawn."""

    @contextlib.contextmanager
    def shop(self, **options):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(catalogs.short_links())
            file.flush()
            with self.serving(file.name, **options) as server:
                server.file = file
                yield server

    @staticmethod
    def ask(server, target, body=None, type="application/json", **fields):
        """Sends a request as a program does, and returns the body."""
        fields = {name.replace("_", "-"): value for name, value in fields.items()} | {"Content-Type": type}
        request = urllib.request.Request(server.origin + target, body and body.encode(), headers=fields)
        with urllib.request.urlopen(request) as response:
            return response.read().decode()

    def links(self, server, query=""):
        return json.loads(self.ask(server, f"/v1/short-links{query}"))["shortLinks"]

    def counted(self, server, code):
        """Waits until something is counted of a code."""
        for _ in range(150):
            if json.loads(self.ask(server, f"/v1/counts?by=code&code={code}"))["rows"]:
                return
            time.sleep(0.1)

    def form(self, page, leads, code="", label=""):
        page.locator("#target").fill(leads)
        page.locator("#code").fill(code)
        page.locator("#new-label").fill(label)
        page.get_by_role("button", name="Preview").click()
        self.settle(page)

    def test_a_short_link_is_seen_whole_before_it_is_made(self):
        with self.shop() as server:
            for look in LOOKS:
                with self.subTest(look), self.visiting(server, "/console/short-links", look=look, statuses=(404,)) as page:
                    code = f"summer-{look}"
                    self.form(page, "product id=5", code, "mail")
                    self.assertEqual(page.locator("ol.screens > li").count(), 2)
                    self.assertIn("A product", page.locator("dl.pairs").inner_text())
                    drawn = page.get_by_role("img", name=f"The QR code of https://go.example/{code}").locator("path")
                    self.assertIn(drawn.get_attribute("d"), self.ask(server, f"/v1/qr-code?link=https://go.example/{code}",
                                                                     Accept="image/svg+xml"))
                    self.check_rules(page, f"a preview, {look}")
                    self.keep(page, f"short-link-preview-{look}")
                    self.assertNotIn(code, [link["code"] for link in self.links(server)])
                    page.get_by_role("button", name="Make it").click()
                    page.wait_for_selector("h2:has-text('History'), dl.pairs:has-text('working')")
                    self.settle(page)
                    self.assertTrue(page.url.endswith(f"/console/short-links/{code}"))
                    made = {link["code"]: link for link in self.links(server, "?label=mail")}[code]
                    self.assertEqual([made["target"], made["state"]], ["https://shop.example/product/5", "working"])
                    with page.expect_download() as download:
                        page.get_by_role("button", name="Save the QR code").click()
                    self.assertTrue(pathlib.Path(download.value.path()).read_text().startswith("<svg "))
                    self.check_rules(page, f"a short link, {look}")
                    self.keep(page, f"short-link-{look}")

    def test_the_server_draws_a_code_and_an_example_says_so(self):
        with self.shop() as server, self.visiting(server, "/console/short-links") as page:
            page.locator("#host").select_option("g.example")
            self.form(page, "https://shop.example/product/7")
            self.assertIn("An example: the code is drawn when the link is made.", page.locator("main").inner_text())
            page.get_by_role("button", name="Make it").click()
            page.wait_for_selector("dl.pairs:has-text('working')")
            (link,) = self.links(server)
            self.assertRegex(link["link"], r"^https://g\.example/[0-9a-z]{10}$")
            self.assertIn(link["link"], page.locator("figcaption").inner_text())

    def test_what_goes_wrong_is_told(self):
        with self.shop() as server:
            self.ask(server, "/v1/short-links/sale", '{"link":"https://shop.example/about"}')
            with self.visiting(server, "/console/short-links", statuses=(400, 404, 409, 422)) as page:
                fault = page.locator("form.question .notice.bad")
                for leads, code, words in [("https://shop.example/nowhere", "", "No route matches"),
                                           ("https://else.example/", "", "origin"),
                                           ("product id=x", "", "id"), ("product", "", "id"),
                                           ("https://shop.example/about", "sale", "another short link’s"),
                                           ("https://shop.example/about", "SALE", "another short link’s")]:
                    with self.subTest(leads, code=code):
                        self.form(page, leads, code)
                        if page.get_by_role("button", name="Make it").count():
                            page.get_by_role("button", name="Make it").click()
                            fault.wait_for()
                        self.assertIn(words, fault.inner_text())
                        self.assertEqual(page.get_by_role("button", name="Make it").count(), 0)
                # Somebody else was quicker.
                self.form(page, "https://shop.example/about", "quick")
                self.ask(server, "/v1/short-links/QUICK", '{"link":"https://shop.example/about"}')
                page.get_by_role("button", name="Make it").click()
                fault.wait_for()
                self.assertIn("another short link’s", fault.inner_text())
                self.form(page, "https://shop.example/about", "metrics")
                page.get_by_role("button", name="Make it").click()
                fault.wait_for()
                self.assertIn("a path of the server's own", fault.inner_text())

    def test_links_are_listed_with_counts_filtered_and_paged(self):
        with self.shop() as server:
            lines = [{"link": f"https://shop.example/product/{number}", "label": "mail"} for number in range(60)]
            lines += [{"route": "about", "label": "poster", "code": "poster"}]
            self.ask(server, "/v1/short-links", "".join(json.dumps(line) + "\n" for line in lines), "application/x-ndjson")
            for _ in range(3):
                self.ask(server, "/v1/resolve?link=https://go.example/POSTER", Waymark_App="ios/3.1.0")
            self.ask(server, "/poster", Host="go.example", Accept="*/*", User_Agent="Twitterbot/1.0")
            self.counted(server, "poster")
            with self.visiting(server, "/console/short-links") as page:
                rows = page.get_by_role("table", name="Short links").locator("tbody tr")
                self.assertEqual(rows.count(), 50)
                page.get_by_role("link", name="More short links").click()
                page.wait_for_function("() => document.querySelectorAll('tbody tr').length === 11")
                self.settle(page)
                page.locator("input#label").fill("poster")
                page.locator("#state").select_option("working")
                page.get_by_role("button", name="Show").click()
                page.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
                self.settle(page)
                self.assertEqual(rows.inner_text().split("\t"), ["poster", "about", "poster", "working", "3", "0", "0", "0", "0", "1"])
                self.assertIn("state=working", page.url)
                self.check_rules(page, "a list of short links")
                page.locator("input#label").fill("")
                page.locator("input#route").fill("nothing")
                page.get_by_role("button", name="Show").click()
                page.wait_for_selector("text=None here.")
                # From the labels of the report to the links of one.
                page.goto(server.origin + VIEWS["report"])
                self.settle(page)
                page.get_by_role("table", name="Labels, the last 30 days").get_by_role("link", name="poster").click()
                page.wait_for_selector("tbody a:has-text('poster')")
                self.assertEqual(rows.count(), 1)

    def test_a_link_is_withdrawn_once_that_is_confirmed(self):
        with self.shop() as server:
            self.ask(server, "/v1/short-links/sale", '{"link":"https://shop.example/about"}')
            self.ask(server, "/v1/resolve?link=https://go.example/sale", Waymark_App="ios/3.1.0")
            self.counted(server, "sale")
            with self.visiting(server, "/console/short-links/sale", statuses=(404,)) as page:
                self.assertFalse(page.get_by_role("button", name="Withdraw it").is_visible())
                page.get_by_text("Withdraw this short link").click()
                page.get_by_role("button", name="Withdraw it").click()
                page.wait_for_selector("text=The code sale leads nowhere")
                self.settle(page)
                self.assertIn("withdrawn", page.get_by_role("table", name="History").inner_text())
                self.assertIn("sale\t1\t", page.get_by_role("table", name="Counts").inner_text())
                self.assertEqual([link["state"] for link in self.links(server)], ["withdrawn"])
                page.goto(server.origin + "/console/short-links/nobodys")
                page.wait_for_selector("h2:has-text('No short link')")

    def test_a_broken_link_has_its_reason(self):
        with self.shop() as server:
            self.ask(server, "/v1/short-links/sale", '{"link":"https://shop.example/product/5"}')
            pathlib.Path(server.file.name).write_text(catalogs.short_links(product=None) + "\n")
            server.process.send_signal(signal.SIGHUP)
            for _ in range(200):
                if self.links(server, "?state=broken"):
                    break
                time.sleep(0.1)
            with self.visiting(server, "/console/short-links#state=broken") as page:
                page.get_by_role("link", name="sale", exact=True).click()
                page.wait_for_selector("text=Broken: ")
                self.assertIn("broken", page.locator("dl.pairs").inner_text())

    def test_only_publishers_and_admins_make_links(self):
        with self.shop(tokens=("resolver", "publisher")) as server:
            for token, may in zip(server.tokens, [False, True]):
                with self.visiting(server, "/console/short-links", statuses=(401, 403)) as page:
                    page.locator("#token-button").click()
                    page.locator("#token").fill(token)
                    page.get_by_role("button", name="Use it").click()
                    self.settle(page)
                    self.assertEqual("For publishers and admins" in page.locator("main").inner_text(), not may)
                    self.assertEqual(page.get_by_label("Leads to").count(), int(may))
                    if may:
                        self.form(page, "product id=5")
                        self.assertEqual(page.locator("ol.screens > li").count(), 2)


class StateTests(BrowserTest):
    """Where the state is: in the address, and the token in the tab."""

    def test_back_forward_and_a_pasted_address_restore_the_view(self):
        with self.serving() as server, self.visiting(server, VIEWS["granted"]) as page:
            page.locator(".ladder button").nth(2).click()
            self.settle(page)
            visit(page, "Routes")
            self.settle(page)
            page.get_by_label("Search").fill("sheet")
            page.wait_for_selector(".matches a")
            pasted = page.url
            page.go_back()
            self.settle(page)
            self.assertIn("Gated", page.locator(".verdict h2").inner_text())
            page.go_back()
            self.settle(page)
            self.assertIn("Resolved", page.locator(".verdict h2").inner_text())
            page.go_forward()
            self.settle(page)
            self.assertIn("Gated", page.locator(".verdict h2").inner_text())
            page.goto(pasted)
            self.settle(page)
            self.assertEqual(page.get_by_label("Search").input_value(), "sheet")
            self.assertEqual(page.locator(".matches a b").all_inner_texts(), ["characterSheet"])
            # The fragment alone may be replaced in the address bar, too.
            page.evaluate("location.hash = 'q=profile'")
            page.wait_for_function("document.querySelector('.matches b')?.textContent.startsWith('profile')")

    def test_a_token_is_kept_by_the_tab_and_stands_in_no_address(self):
        with self.serving(waymark.CATALOG, tokens=("admin", "resolver")) as server:
            admin, resolver = server.tokens
            with self.visiting(server, VIEWS["granted"], statuses=(401, 403)) as page:
                page.wait_for_selector("text=Token needed")
                addresses = []
                page.on("request", lambda request: addresses.append(request.url + str(request.headers.get("referer"))))
                for token, is_admin in [(resolver, False), (admin, True)]:
                    page.locator("#token-button").click()
                    page.locator("#token").fill(token)
                    page.get_by_role("button", name="Use it").click()
                    self.settle(page)
                    page.goto(server.origin + VIEWS["granted"])
                    page.reload()
                    self.settle(page)
                    self.assertIn("Resolved", page.locator(".verdict h2").inner_text())
                    self.assertIn('-H "Authorization: Bearer $WAYMARK_TOKEN"', page.locator(".command code").first.inner_text())
                    page.goto(server.origin + "/console/users")
                    self.settle(page)
                    self.assertEqual("For admins" in page.locator("main").inner_text(), not is_admin)
                self.assertFalse([text for text in addresses + [page.url] if "wm_" in text])
                self.assertEqual(page.evaluate("Object.keys(localStorage).length + document.cookie.length"), 0)
                other = page.context.new_page()
                other.goto(server.origin + VIEWS["granted"])
                other.wait_for_selector("text=Token needed")

    def test_hosts_of_origins_and_no_console_have_none(self):
        with self.serving() as server:
            context = self.chromium.new_context()
            for host, status in [("loremipsum.com", 404), (f"localhost:{server.port}", 200)]:
                answer = context.request.get(f"{server.origin}/console", headers={"Host": host})
                self.assertEqual(answer.status, status, host)
        with self.serving(waymark.CATALOG, "--no-console") as server:
            self.assertEqual(context.request.get(f"{server.origin}/console").status, 404)
            context.close()


class KeyboardTests(BrowserTest):
    """Everything without a mouse."""

    def test_a_link_is_tested_by_keys_alone(self):
        with self.serving() as server, self.visiting(server, "/console") as page:
            page.keyboard.press("/")
            self.assertEqual(page.evaluate("document.activeElement.id"), "link")
            # While somebody types, keys are letters.
            page.keyboard.type("navigation://loremipsum.com/characters/character/1?sheet=c")
            page.keyboard.press("Enter")
            self.settle(page)
            self.assertIn("sheet%3Dc", page.url)
            self.assertEqual(page.evaluate("document.activeElement.id"), "link")
            page.keyboard.press("Tab")
            for key, level in [("4", "premiumUser"), ("2", "onboardingCompleted"), ("4", "premiumUser")]:
                page.keyboard.press(key)
                self.settle(page)
                self.assertIn(f"level={level}", page.url)
            page.keyboard.press("ArrowRight")
            self.assertIn("1 of 4", page.evaluate("document.activeElement.textContent"))
            page.keyboard.press("ArrowRight")
            self.assertIn("2 of 4", page.evaluate("document.activeElement.textContent"))
            page.keyboard.press("?")
            self.assertTrue(page.locator("#help-dialog").is_visible())
            page.get_by_label("Single keys do this").uncheck()
            page.keyboard.press("Escape")
            page.keyboard.press("1")
            self.settle(page)
            self.assertIn("level=premiumUser", page.url)

    def test_every_control_is_reached_by_tab_and_shows_its_focus(self):
        with self.serving() as server:
            for name in ["granted", "routes", "graph", "users", "changes"]:
                with self.subTest(name), self.visiting(server, VIEWS[name]) as page:
                    wanted = page.evaluate("""() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
                        .filter((element) => element.checkVisibility() && !(element.type === 'radio' && !element.checked)
                            && !element.closest('dialog:not([open])')).length""")
                    reached = set()
                    for _ in range(wanted + 40):
                        page.keyboard.press("Tab")
                        seen = page.evaluate("""() => { const element = document.activeElement;
                            if (!element || element === document.body) return null;
                            element.dataset.seen ??= String(Math.random());
                            const outline = getComputedStyle(element.type === 'radio' ? element.nextElementSibling : element);
                            return [element.dataset.seen, element.matches('a[href], button, input, select, textarea, summary'),
                                outline.outlineStyle !== 'none' || element.matches('.skip')]; }""")
                        if seen is None:
                            break
                        self.assertTrue(seen[2], "the focus is not shown")
                        if seen[1]:
                            reached.add(seen[0])
                    self.assertGreaterEqual(len(reached), wanted)

    def test_the_focus_is_not_lost_when_a_level_is_pinned(self):
        with self.serving() as server, self.visiting(server, VIEWS["granted"]) as page:
            page.locator("input[name=level][value=premiumUser]").focus()
            page.keyboard.press("ArrowLeft")
            self.settle(page)
            self.assertIn("level=signedInUser", page.url)
            self.assertEqual(page.evaluate("document.activeElement.value"), "signedInUser")


class AccessibilityTests(BrowserTest):
    """What those need who look, hear or read in another way; pictures of every view are kept."""

    def test_every_view_in_every_look_keeps_the_rules(self):
        with self.serving() as server:
            for look in LOOKS:
                for name, path in VIEWS.items():
                    with self.subTest(f"{name}, {look}"):
                        with self.visiting(server, path, look=look, statuses=(404,) if name in ("user", "associations") else ()) as page:
                            self.keep(page, f"{name}-{look}")
                            self.check_rules(page, f"{name}, {look}")

    def test_the_dialogs_keep_the_rules(self):
        with self.serving() as server, self.visiting(server, "/console") as page:
            for button, name in [("#token-button", "token"), ("#help-button", "keys")]:
                page.locator(button).click()
                self.check_rules(page, name)
                page.keyboard.press("Escape")

    def test_each_presentation_is_said_and_drawn(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(catalogs.presentations())
            file.flush()
            with self.serving(file.name) as server:
                for at, name in enumerate(catalogs.PRESENTATIONS):
                    with self.subTest(name), self.visiting(server, view("link", link=f"app:///a{at}/7")) as page:
                        stack = page.locator("ol.screens")
                        said = stack.aria_snapshot() + "\n"
                        golden = GOLDEN / f"{name.replace(':', '-')}.yaml"
                        if not golden.exists():
                            golden.write_text(said)
                        self.assertEqual(said, golden.read_text(), f"{golden}: delete it to record it anew")
                        self.keep(page, f"presentation-{golden.stem}")
                        # It is drawn in another way than a screen that is pushed, or is that.
                        box = "document.querySelector('ol.screens li:last-child .surface').getBoundingClientRect()"
                        size = page.evaluate(f"[{box}.width, {box}.height, {box}.top].map(Math.round).join()")
                        self.drawn = getattr(self, "drawn", {})
                        self.drawn[name] = size
                whole = {"tab", "push", "fullScreenCover"}
                others = [self.drawn[name] for name in catalogs.PRESENTATIONS if name not in whole]
                self.assertEqual(len(set(others)), len(others), self.drawn)


class LayoutTests(BrowserTest):
    """What stands where, on a desktop and on a phone."""

    WIDTHS = {"desktop": {"viewport": {"width": 1280, "height": 900}}, "phone": {"viewport": {"width": 390, "height": 844}}}

    @contextlib.contextmanager
    def looking(self, server, name, device):
        statuses = (404,) if name in ("user", "associations") else ()
        with self.subTest(name, device=device), self.visiting(server, VIEWS[name], statuses=statuses, **self.WIDTHS[device]) as page:
            yield page

    def test_no_control_lies_on_another_and_buttons_stand_beside_what_they_are_of(self):
        with self.serving() as server:
            urllib.request.urlopen(urllib.request.Request(
                server.origin + "/v1/users/ada", b'{"authorizationLevel":"premiumUser","validUntil":"2100-01-02T03:04:05Z"}',
                {"Content-Type": "application/json"})).read()
            for device in self.WIDTHS:
                for name in VIEWS:
                    with self.looking(server, name, device) as page:
                        faults = page.evaluate("""() => {
                            const shown = [...document.querySelectorAll('main :is(button, a.button, select, textarea, input:not([type=radio], [type=checkbox]))')]
                                .filter((one) => one.checkVisibility() && !one.closest('.trace, .screens'));
                            const box = new Map(shown.map((one) => [one, one.getBoundingClientRect()]));
                            const name = (one) => one.id || one.textContent;
                            const lie = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
                            const overlaps = shown.flatMap((one, at) => shown.slice(at + 1).filter((other) => lie(box.get(one), box.get(other)))
                                .map((other) => `${name(one)} lies on ${name(other)}`));
                            // A button is in line with the control before it, or below.
                            const loose = shown.filter((one) => one.matches('.field ~ *')).filter((one) => {
                                const before = one.parentElement.querySelectorAll(':scope > .field');
                                const field = [...before].at(-1).querySelector('input, select, textarea').getBoundingClientRect();
                                return Math.abs(box.get(one).top - field.top) > 2 && box.get(one).top < field.bottom;
                            }).map((one) => `${name(one)} hangs beside the wrong line`);
                            const words = [...document.querySelectorAll('thead th')].filter((one) => {
                                const range = document.createRange();
                                range.selectNodeContents(one);
                                return range.getClientRects().length > one.textContent.split(/[\\s-]+/).length;
                            }).map((one) => `${one.textContent} is broken`);
                            return [...overlaps, ...loose, ...words];
                        }""")
                        self.assertEqual(faults, [])
                        if device == "phone":
                            self.assertLess(page.locator("header").evaluate("one => one.offsetHeight"), 150)

    def test_a_chart_is_readable_on_a_phone(self):
        with self.serving() as server, self.looking(server, "report", "phone") as page:
            self.assertEqual(page.locator(".chart svg text").count(), 0)  # It would shrink with the drawing.
            texts = page.locator(".plot span").filter(has_text=re.compile("."))
            self.assertGreaterEqual(texts.count(), 6)
            sizes = texts.evaluate_all("all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))")
            self.assertGreaterEqual(min(sizes), 11)

    def test_names_in_backticks_are_code(self):
        with self.serving() as server:
            for name in ["granted", "gated", "failed", "changes"]:
                with self.looking(server, name, "desktop") as page:
                    if name == "changes":
                        changed = (waymark.CHECKOUT / "Config/routes.yaml").read_text().replace("forgotpassword: push", "forgotpassword: sheet")
                        page.get_by_label("The new catalog").fill(changed)
                        page.get_by_role("button", name="Compare").click()
                        page.wait_for_selector(".result >> text=/finding/")
                    shown = page.locator(".trace, .verdict, .result table").all_inner_texts()
                    self.assertNotIn("`", "".join(shown))
                    self.assertGreater(page.locator(".trace code, .result td code").count(), 0)

    def test_a_tab_bar_is_the_frame_of_a_screen_and_no_screen(self):
        with self.serving() as server:
            for device in self.WIDTHS:
                with self.looking(server, "granted", device) as page:
                    self.assertEqual(page.locator(".screens .phone").count(), 3)
                    self.assertEqual(page.locator(".screens h3").count(), 4)
                    tops = page.evaluate("[...document.querySelectorAll('.screens h3, .phone')].map((one) => one.getBoundingClientRect().top)")
                    # Its name stands above the phone of its tab.
                    self.assertLess(tops[0], tops[2])

    def test_a_presentation_stands_with_the_name_of_its_route(self):
        with self.serving() as server:
            for device in self.WIDTHS:
                with self.looking(server, "routes", device) as page:
                    lefts = page.locator(".tree a[data-route]").evaluate_all(
                        "all => all.map((one) => [one.querySelector('b'), one.querySelector('.presentation')].map((part) => part.getBoundingClientRect().left))")
                    self.assertGreater(len(lefts), 5)
                    self.assertEqual([pair for pair in lefts if pair[1] < pair[0] - 1], [])


class HostileTests(BrowserTest):
    """Text is text, whoever wrote it."""

    def test_markup_in_catalogs_and_links_is_shown_as_text(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(catalogs.hostile())
            file.flush()
            with self.serving(file.name) as server:
                links = ["app:///img", "app:///img/a", f"app:///img?{quote(catalogs.MARKUP)}={quote(catalogs.MARKUP)}",
                         "app:///<script>alert(5)</script>", "javascript:alert(6)", "app:///\u202eevil", "\"><b>x"]
                paths = [view("link", link=link, user=catalogs.MARKUP) for link in links]
                paths += [view("routes", q="<", route=catalogs.MARKUP), view("routes", route=catalogs.MARKUP),
                          view("graph", route=catalogs.MARKUP), view("associations", url="javascript:alert(7)"),
                          "/console/users/" + quote(catalogs.MARKUP, safe=""), view("users", after=catalogs.MARKUP)]
                for path in paths:
                    with self.subTest(path), self.visiting(server, path, statuses=(400, 404, 422)) as page:
                        made = page.evaluate("document.querySelectorAll('main img, main script, main svg[onload], main b b').length")
                        self.assertEqual(made, 0)
                        bad = page.evaluate("[...document.querySelectorAll('a')].filter((a) => a.protocol !== 'http:').length")
                        self.assertEqual(bad, 0)
                        if "routes" in path or "graph" in path:
                            self.assertIn(catalogs.MARKUP, page.locator("main").inner_text())

    def test_the_policy_refuses_what_is_not_the_pages_own(self):
        with self.serving() as server:
            context = self.chromium.new_context()
            page = context.new_page()
            page.goto(server.origin + "/console")
            violation = page.evaluate("""async () => {
                const seen = [];
                addEventListener('securitypolicyviolation', (event) => seen.push(event.violatedDirective));
                try { document.body.innerHTML += '<i>'; } catch (error) { seen.push(error.name); }
                const script = document.createElement('script');
                try { script.text = 'window.ran = true'; } catch (error) { seen.push(error.name); }
                await fetch('http://127.0.0.1:1/').catch(() => 0);
                await new Promise((done) => setTimeout(done, 100));
                return [seen.filter((word) => word === 'TypeError').length, window.ran ?? false, seen.includes('connect-src')];
            }""")
            self.assertEqual(violation, [2, False, True])
            context.close()


class ScaleTests(BrowserTest):
    """Ten thousand routes: the times are measured and printed, and only far beyond the targets is it a fault."""

    def test_ten_thousand_routes_stay_usable(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(catalogs.large())
            file.flush()
            with self.serving(file.name) as server:
                views = []
                for _ in range(3):
                    begin = time.monotonic()
                    context = self.chromium.new_context()
                    page = context.new_page()
                    page.goto(server.origin + "/console/routes")
                    page.wait_for_selector(".tree a")
                    views.append(time.monotonic() - begin)
                    if len(views) < 3:
                        context.close()
                searches = page.evaluate("""async () => {
                    const input = document.querySelector('#search');
                    const times = [];
                    for (const text of ['r', 'ro', 'route77', 'number 42', 'nothing', 'section9']) {
                        const begin = performance.now();
                        input.value = text;
                        input.dispatchEvent(new Event('input', { bubbles: true }));
                        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                        times.push(performance.now() - begin);
                    }
                    return times;
                }""")
                self.assertLessEqual(page.locator(".matches a").count(), 100)
                self.assertIn("route", page.locator("#count").inner_text())
                self.settle(page)
                self.keep(page, "ten-thousand-routes")
                context.close()
                print(f"\nbrowser: 10,000 routes: first view {min(views):.2f} s (target 1 s), "
                      f"search {max(searches):.0f} ms at most (target 100 ms)")
                self.assertLess(min(views), 5)
                self.assertLess(sorted(searches)[len(searches) // 2], 500)


if __name__ == "__main__":
    unittest.main()
