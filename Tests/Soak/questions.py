"""Makes up what is asked: links that lead somewhere and links that do not, and ways to ask for them."""

import json
import pathlib
import random
import re

# A path and query that a client may send as a request target, so that the link surface answers it.
SURFACE = re.compile(r"https://((?:www\.)?loremipsum\.com)(/(?!/)[A-Za-z0-9/_.~!$'()*,;:@%?&=-]*)")
# The paths that the server reserves.
RESERVED = {"v1", ".well-known", "healthz", "readyz", "metrics", "console", "openapi.json", "openapi.yaml"}

ORIGINS = ["navigation://loremipsum.com", "navigation:", "navigation://", "https://loremipsum.com",
           "https://www.loremipsum.com", "HTTPS://LoremIpsum.com"]
FOREIGN = ["https://evil.example", "other://loremipsum.com", "https://loremipsum.com:8443", "navigation://else.where",
           "https://loremipsum.com.evil.example", "mailto:a@b.c"]
WORDS = ["test", "two%20words", "caf%C3%A9", "a%2Fb", "%252F", "x+y", "日本", "'quoted'", "emoji😀", "", "a=b",
         "%22"]
MALFORMED = ["", " ", "no scheme", "https:///path", "https://user@loremipsum.com/login", "navigation:login",
             "https://loremipsum.com/../login", "https://[::1]/login", "https://loremipsum.com\\@evil.com/",
             "navigation://loremipsum.com/%zz", "navigation://loremipsum.com/caf%E9", "https://loremipsum.com:x/",
             "navigation://loremipsum.com/a\x01b", " navigation:/login", "navigation:/login ", "1nav:/login",
             "navigation:/" + "a/" * 300, "navigation:/" + "a" * 9000, "navigation:/login?" + "k=v&" * 140]


class Question:
    """Is one thing to ask the resolver; `body` is what `POST /v1/resolve` takes, without the user."""

    __slots__ = ("index", "body", "plain", "surface")

    def __init__(self, index, body):
        self.index, self.body = index, body
        self.plain = list(body) == ["link"]
        found = SURFACE.fullmatch(body["link"]) if self.plain else None
        self.surface = None
        if found and re.split("[/?]", found[2])[1] not in RESERVED:
            self.surface = found.groups()

    @property
    def link(self):
        """The link that is asked for."""
        return self.body["link"]


class Maker:
    """Makes links at random, the same ones each time."""

    def __init__(self, seed=1):
        self._random = random.Random(seed)

    def links(self, count):
        """Distinct links, among them those of the tests' vectors."""
        found = {}
        for file in sorted(pathlib.Path("Tests/DeepLinkCoreTests/Vectors").glob("*.json")):
            for case in json.loads(file.read_text())["cases"]:
                found[case.get("link") or case.get("input") or ""] = None
        found.update(dict.fromkeys(MALFORMED))
        # They come first, and must leave room for the others.
        known = [link for link in found if "\0" not in link]
        self._random.shuffle(known)
        found = dict.fromkeys(known[: max(count // 4, 10)])
        while len(found) < count:
            found[self.link()] = None
        return list(found)

    def link(self):
        """One link: mostly one that leads somewhere in some catalog."""
        pick, chance = self._random.choice, self._random.random()
        link = pick(ORIGINS) + self.path()
        if chance < 0.65:
            return link
        if chance < 0.72:
            return pick(FOREIGN) + self.path()
        if chance < 0.80:
            wrong = pick(["charcter", "characters/x", "Character"])
            return link.replace("character", wrong, 1) + pick(["", "/nowhere"])
        if chance < 0.88:
            more = pick(["utm_source=mail", "sheet=a&sheet=b", "stars=9", "x", "&&"])
            return link + ("&" if "?" in link else "?") + more
        if chance < 0.94:
            return link + "#" + pick(WORDS)
        place = self._random.randrange(len(link))
        return link[:place] + pick(["\\", "%", "%zz", "\x7f", " ", "..", "//", "?", "é"]) + link[place:]

    def path(self):
        """A path, and perhaps a query, of one of the two apps."""
        return self._sample() if self._random.random() < 0.6 else self._shop()

    def _number(self):
        if self._random.random() < 0.25:
            return self._random.choice(["007", "one", "-5", "9223372036854775807", "9223372036854775808"])
        return str(self._random.randrange(self._random.choice([10, 1000])))

    def _sample(self):
        pick, depth = self._random.choice, self._random.randrange(4)
        kind = self._random.randrange(5)
        if kind == 0:
            return "/onboarding" + "".join(pick(["/step1", "/step2"]) for _ in range(depth))
        if kind == 1:
            return "/login" + pick(["", "/registration", "/forgotpassword", "/"])
        if kind == 2:
            return "/episodes" + "".join(f"/episode/{self._number()}" for _ in range(depth))
        if kind == 3:
            return pick(["/settings", "/settings/profile", "", "/"])
        sheet = pick(["", "?sheet=" + pick(WORDS), "?sheet"])
        return "/characters" + "".join(f"/character/{self._number()}" for _ in range(depth)) + sheet

    def _shop(self):
        pick = self._random.choice
        products = pick(["/products", "/p"]) + "".join(
            f"/{pick(['product', 'item'])}/{self._number()}" for _ in range(self._random.randrange(3)))
        return pick([
            products + "?" + "&".join(self._random.sample(
                ["sort=price", "sort=size", f"limit={self._number()}", "below=9.50", "inStock", "inStock=no", "tag=a",
                 "tag=b%20c", "area.from=1", "area.to=5", "color=red", "review=4", "review=8", "help=" + pick(WORDS)],
                self._random.randrange(1, 5))),
            products,
            "/products/folder" + "".join(self._random.choices(["/a", "/b-c", "/x.y", "/ä"],
                                                              k=self._random.randrange(1, 5))),
            "/orders/order/" + pick(["00000000-0000-4000-8000-00000000000A", "1"]) + pick(["", "?day=2026-02-28",
                "?day=2026-02-30", "?time=2026-02-28T12:00:00Z"]),
            "/orders/recent" + pick(["", "/2", "/two"]),
            pick(["/welcome", "/login", "/settings", "/settings/plan"]),
        ])

    def question(self, links, stacks):
        """Asks for a link in one of the less common ways; `stacks` are navigation stacks of some catalog."""
        pick, body = self._random.choice, {}
        body["link"] = pick(links)
        kind = self._random.randrange(6)
        if kind >= 3:
            body["from"] = pick(stacks) if self._random.random() < 0.6 else pick(ORIGINS[:2]) + self.path()
        if kind >= 4:
            body["mode"] = "append"
            if self._random.random() < 0.8:
                body["link"] = pick(["character/7", "/character/7?sheet=over", "episode/3", "product/1/product/2", "",
                                     "?sheet=top", "profile", "step1/step2", "nowhere", "//x", "?review=2"])
        if kind in (0, 1, 5):
            body["explain"] = True
        if kind in (1, 2, 3):
            body["partial"] = True
            if self._random.random() < 0.7:
                body["link"] = re.sub(r"^([^?#]*)", r"\1/left/over", body["link"])
        return body
