"""The page of a link in a real Chromium, as people see it, and what phones get behind TLS."""

import contextlib
import http.client
import pathlib
import subprocess
import struct
import tempfile
import unittest
import zlib

import browser
import catalogs
import waymark

CATALOG = catalogs.LINK_DOMAIN
PAGES = {"product": "/p/7", "home": "/home", "imprint": "/imprint", "unknown": "/nowhere", "gated": "/basket"}
LINK = "https://links.example.com/p/7"

# The likely platform of a visitor is told by these.
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1"
ANDROID = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36"


def png(width, height):
    """A picture of a slope of colors, as a file."""
    rows = b"".join(b"\0" + bytes(part for x in range(width) for part in (90 + 100 * x // width, 120, 200 - 90 * y // height))
                    for y in range(height))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks)


PICTURES = {f"https://www.example.com/{name}.png": png(*size)
            for name, size in {"p": (600, 315), "home": (600, 315), "icon": (96, 96)}.items()}


class PageTests(browser.BrowserTest):
    """Tests of the page in every look: WCAG 2.2 AA, and not a request but its own."""

    def test_every_page_in_every_look(self):
        with self.serving(CATALOG) as server:
            for look in browser.LOOKS:
                for name, path in PAGES.items():
                    with self.subTest(look=look, page=name):
                        with self.visiting(server, path, look=look, statuses=(404,), pictures=PICTURES) as page:
                            self.check_rules(page, f"{name} in {look}")
                            self.keep(page, f"page-{name}-{look}")

    def test_right_to_left(self):
        with self.serving(CATALOG) as server:
            with self.visiting(server, "/p/7", locale="ar", statuses=(404,), pictures=PICTURES) as page:
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
            with self.visiting(server, "/p/7", statuses=(404,), pictures=PICTURES) as page:
                page.keyboard.press("Tab")
                self.assertTrue(page.locator("nav a").nth(0).evaluate("a => a === document.activeElement"))
                page.keyboard.press("Tab")
                page.keyboard.press("Enter")
                for index in range(1, 5):
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
                with self.visiting(server, "/p/7", look=look, statuses=(404,), pictures=PICTURES) as page:
                    code = page.locator("svg")
                    if look == "narrow":
                        self.assertFalse(code.is_visible())
                        continue
                    code.screenshot(path=picture.name)
                    read = subprocess.run(["zbarimg", "--quiet", "--raw", picture.name], capture_output=True, text=True)
                    self.assertEqual(read.stdout.strip(), LINK, look)

    @contextlib.contextmanager
    def serving_own(self, *colors):
        """Serves the catalog as somebody's own, with these colors."""
        with tempfile.TemporaryDirectory() as folder:
            catalog = pathlib.Path(folder) / "own.yaml"
            catalog.write_text(catalogs.own_pages(*colors))
            with self.serving(catalog) as server:
                yield server

    def test_a_page_of_ones_own(self):
        with self.serving_own() as server:
            for look in browser.LOOKS:
                for device, agent in (("iphone", IPHONE), ("android", ANDROID), ("desktop", None)):
                    options = {"user_agent": agent} if agent else {}
                    if agent and look != "narrow":
                        options["viewport"] = {"width": 390, "height": 844}
                    with self.subTest(look=look, device=device):
                        with self.visiting(server, "/p/7", look=look, statuses=(404,), pictures=PICTURES, **options) as page:
                            self.check_rules(page, f"{device} in {look}")
                            self.keep(page, f"page-own-{device}-{look}")
                            page.locator("summary").click()
                            self.check_rules(page, f"{device} in {look}, all devices")
            with self.visiting(server, "/p/7", statuses=(404,), pictures=PICTURES, viewport={"width": 427, "height": 300}) as page:
                self.check_rules(page, "at 300 %")
                self.keep(page, "page-own-300-percent")
            with self.visiting(server, "/p/7", statuses=(404,), pictures=PICTURES, user_agent=IPHONE, locale="ar",
                               viewport={"width": 390, "height": 844}) as page:
                self.check_rules(page, "Arabic")
                self.keep(page, "page-own-iphone-arabic")

    def test_the_main_button_has_the_colors_of_the_catalog(self):
        # White on this blue is readable for large text alone, and axe knows the difference.
        for colors, shown in ((("#0b57d0",), "rgb(255, 255, 255)"), (("#1185fe", "#fff"), "rgb(255, 255, 255)"),
                              (("#1185fe",), "rgb(0, 0, 0)")):
            with self.serving_own(*colors) as server:
                for look in ("light", "dark"):
                    for path in ("/p/7", "/nowhere"):
                        for agent in (IPHONE, ANDROID, None):
                            options = {"user_agent": agent, "viewport": {"width": 390, "height": 844}} if agent else {}
                            with self.subTest(colors=colors, look=look, path=path, agent=agent), self.visiting(
                                    server, path, look=look, statuses=(404,), pictures=PICTURES, **options) as page:
                                buttons = page.locator("a.main")
                                self.assertEqual(buttons.count(), 1)
                                style = buttons.evaluate("a => { const s = getComputedStyle(a); return [s.color, s.borderColor === s.backgroundColor] }")
                                self.assertEqual(style, [shown, True])
                                self.assertTrue(page.get_by_text("Continue on the web").is_visible())
                                self.check_rules(page, f"{colors} on {path}")

    def test_the_title_keeps_its_distance(self):
        with self.serving_own() as server:
            for path in ("/p/7", "/basket"):
                with self.visiting(server, path, statuses=(404,), pictures=PICTURES) as page:
                    bottom = page.locator(".picture, .site").last.evaluate("e => e.getBoundingClientRect().bottom")
                    self.assertEqual(page.locator("h1").evaluate("e => e.getBoundingClientRect().top") - bottom, 16, path)

    def test_the_button_copies(self):
        with self.serving_own() as server:
            with self.visiting(server, "/p/7?utm_source=mail", statuses=(404,), pictures=PICTURES, user_agent=IPHONE,
                               permissions=["clipboard-read", "clipboard-write"]) as page:
                self.assertEqual(page.locator("script").count(), 1)
                page.get_by_role("button").click()
                page.get_by_text("Copied.").wait_for()
                self.assertEqual(page.evaluate("navigator.clipboard.readText()"), LINK + "?utm_source=mail")
            context = self.chromium.new_context(user_agent=IPHONE)
            page = context.new_page()
            page.goto(server.origin + "/p/7")
            broken = page.evaluate("""() => new Promise(done => {
                document.addEventListener("securitypolicyviolation", event => {
                    if (event.effectiveDirective === "script-src-elem") done(event.effectiveDirective)
                })
                const script = document.createElement("script"); script.textContent = "window.ran = 1"; document.body.append(script)
            })""")
            self.assertEqual(broken, "script-src-elem")
            self.assertIsNone(page.evaluate("window.ran ?? null"))
            context.close()
            context = self.chromium.new_context(java_script_enabled=False, user_agent=IPHONE)
            page = context.new_page()
            page.goto(server.origin + "/p/7")
            self.assertFalse(page.locator("button").is_visible())
            context.close()

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
