"""The pictures of README and guides: `scripts/prove console --pictures` makes them anew.

The words that a picture shows stand beside it, in docs/images/words.json: a picture whose view shows others by now is stale.
"""

import json
import os
import pathlib
import re
import tempfile
import unittest

import catalogs
import page_test
import waymark
from browser import BrowserTest
from console_test import SHEET, view

FOLDER = waymark.CHECKOUT / "docs/images"
WORDS = FOLDER / "words.json"
IS_RECORDING = "WAYMARK_PICTURES" in os.environ

# The address of each picture, and how it is looked at; those of a page are of the whole page.
CONSOLE = {
    "console-link": (view("link", link=SHEET, level="premiumUser"), 1130),
    "console-routes": (view("routes", route="character"), 880),
    "console-graph": (view("graph", route="character", depth=2), 560),
}
PHONE = {"user_agent": page_test.IPHONE, "viewport": {"width": 390, "height": 844}}
PAGES = {
    "page-iphone-light": PHONE,
    "page-iphone-arabic": PHONE | {"locale": "ar"},
    "page-desktop-dark": {"look": "dark", "viewport": {"width": 1280, "height": 900}},
    "page-300-percent": {"viewport": {"width": 427, "height": 300}},
}


class PictureTests(BrowserTest):
    """Every picture shows what is shown today."""

    def test_pictures_of_the_console(self):
        with self.serving() as server:
            for name, (address, height) in CONSOLE.items():
                with self.visiting(server, address, viewport={"width": 1200, "height": height}) as page:
                    # The first answer of a server is its slowest.
                    page.reload()
                    self.settle(page)
                    self.compare(page, name, "nav, main", is_whole=False)

    def test_pictures_of_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            catalog = pathlib.Path(folder) / "own.yaml"
            catalog.write_text(catalogs.own_pages())
            with self.serving(catalog) as server:
                for name, options in PAGES.items():
                    with self.visiting(server, "/p/7", statuses=(404,), pictures=page_test.PICTURES, **options) as page:
                        self.compare(page, name, "main", is_whole=True)

    def compare(self, page, name, places, is_whole):
        """Compares the words of a view with those of its picture, or records both."""
        texts = " ".join(place.inner_text() for place in page.locator(places).all())
        # Times and ports differ each time.
        texts = re.sub(r"\d+(\.\d+)? ms|localhost:\d+", "…", texts)
        words = [line for line in map(str.strip, re.split(r"[\n\t]+", texts)) if line]
        known = json.loads(WORDS.read_text()) if WORDS.exists() else {}
        if IS_RECORDING:
            WORDS.write_text(json.dumps(known | {name: words}, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
            page.screenshot(path=FOLDER / f"{name}.png", full_page=is_whole)
            return
        with self.subTest(name):
            self.assertTrue((FOLDER / f"{name}.png").exists())
            self.assertEqual(words, known.get(name), f"{name}.png is stale: scripts/prove console --pictures makes it anew")


if __name__ == "__main__":
    unittest.main()
