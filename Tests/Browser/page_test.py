"""The page of a link in a real Chromium, as people see it, and what phones get behind TLS."""

import http.client
import subprocess
import tempfile
import unittest

import browser
import waymark

CATALOG = waymark.CHECKOUT / "Config/examples/link-domain.yaml"
PAGES = {"product": "/p/7", "home": "/home", "imprint": "/imprint", "unknown": "/nowhere", "gated": "/basket"}
LINK = "https://links.example.com/p/7"


class PageTests(browser.BrowserTest):
    """Tests of the page in every look: WCAG 2.2 AA, and not a request but its own."""

    def test_every_page_in_every_look(self):
        with self.serving(CATALOG) as server:
            for look in browser.LOOKS:
                for name, path in PAGES.items():
                    with self.subTest(look=look, page=name):
                        with self.visiting(server, path, look=look, statuses=(404,)) as page:
                            self.check_rules(page, f"{name} in {look}")
                            self.keep(page, f"page-{name}-{look}")

    def test_right_to_left(self):
        with self.serving(CATALOG) as server:
            with self.visiting(server, "/p/7", locale="ar", statuses=(404,)) as page:
                self.assertEqual(page.locator("html").get_attribute("dir"), "rtl")
                self.assertEqual(page.title(), "المنتج 7")
                self.check_rules(page, "Arabic")
                self.keep(page, "page-product-arabic")

    def test_no_script(self):
        with self.serving(CATALOG) as server:
            context = self.chromium.new_context(java_script_enabled=False)
            page = context.new_page()
            page.goto(server.origin + "/p/7")
            self.assertEqual(page.locator("h1").inner_text(), "Product 7")
            self.assertEqual(page.locator("nav a").count(), 5)
            self.assertEqual(page.locator("script").count(), 0)
            context.close()

    def test_keyboard(self):
        with self.serving(CATALOG) as server:
            with self.visiting(server, "/p/7", statuses=(404,)) as page:
                for index in range(5):
                    page.keyboard.press("Tab")
                    self.assertTrue(page.locator("nav a").nth(index).evaluate("a => a === document.activeElement"))

    def test_the_policy_holds(self):
        with self.serving(CATALOG) as server:
            context = self.chromium.new_context()
            page = context.new_page()
            page.goto(server.origin + "/p/7")
            broken = page.evaluate("""() => new Promise(done => {
                const found = []
                document.addEventListener("securitypolicyviolation", event => {
                    found.push(event.effectiveDirective)
                    if (found.length === 3) done(found.sort())
                })
                const image = document.createElement("img"); image.src = "/p.png"; document.body.append(image)
                const style = document.createElement("style"); style.textContent = "*{color:red}"; document.head.append(style)
                const script = document.createElement("script"); script.textContent = "window.ran = 1"; document.body.append(script)
            })""")
            self.assertEqual(broken, ["img-src", "script-src-elem", "style-src-elem"])
            self.assertIsNone(page.evaluate("window.ran ?? null"))
            context.close()

    def test_a_phone_reads_the_code(self):
        with self.serving(CATALOG) as server, tempfile.NamedTemporaryFile(suffix=".png") as picture:
            for look in browser.LOOKS:
                with self.visiting(server, "/p/7", look=look, statuses=(404,)) as page:
                    code = page.locator("svg")
                    if look == "narrow":
                        self.assertFalse(code.is_visible())
                        continue
                    code.screenshot(path=picture.name)
                    read = subprocess.run(["zbarimg", "--quiet", "--raw", picture.name], capture_output=True, text=True)
                    self.assertEqual(read.stdout.strip(), LINK, look)

    def test_a_browser_goes_on_and_a_preview_does_not(self):
        with self.serving(CATALOG) as server:
            for fields, status, address in (
                ({"Accept": "text/html"}, 302, "https://www.example.com/c/books"),
                ({"Accept": "*/*", "User-Agent": "Twitterbot/1.0"}, 200, None),
            ):
                connection = http.client.HTTPConnection("localhost", server.port, timeout=30)
                connection.request("GET", "/c/books", headers=fields)
                answer = connection.getresponse()
                self.assertEqual((answer.status, answer.getheader("Location")), (status, address))
                connection.close()


if __name__ == "__main__":
    unittest.main()
