"""Links of made-up users, as logs have them: some paths and some values far more often than others, with all that clings to links."""

import bisect
import itertools
import re
import urllib.parse

SYLLABLES = [a + b for a in "ka lo mi ter san ver dor pel ri qu be no".split() for b in "na ble rin tos val ex ium ora den li".split()]
# Values are also words that name screens elsewhere.
WORDS = """apple river stone london berlin paris tokyo madrid green blue winter summer coffee music home search settings help news
garden market school football history travel kitchen silver golden forest ocean island mountain city bridge castle""".split()
LANGUAGES = "de fr es pt-BR nl".split()
CAMPAIGN = ["utm_source=mail&utm_medium=newsletter", "utm_campaign=spring", "fbclid=IwAR3", "gclid=Cj0"]


class Values:
    """The values of one parameter: a pool of one kind, of which some are taken more often than others."""

    def __init__(self, kind, chance, isZipf):
        self.chance = chance
        count = int(30 * 200 ** chance.random())
        self.make = maker(kind, chance)
        if isinstance(kind, tuple) and isinstance(kind[0], str):
            self.pool = list(kind)
        else:
            self.pool = list(dict.fromkeys(self.make() for _ in range(count)))
        steepness = chance.uniform(0.7, 1.1) if isZipf else 0
        self.sums = list(itertools.accumulate((place + 1) ** -steepness for place in range(len(self.pool))))

    def pick(self):
        return self.pool[bisect.bisect(self.sums, self.chance.random() * self.sums[-1])]


def maker(kind, chance):
    """A function that makes a value of a kind."""
    pick, number = chance.choice, chance.randrange

    def word():
        return pick(WORDS) if number(8) == 0 else "".join(pick(SYLLABLES) for _ in range(number(1, 3)))

    kinds = {
        "int": lambda: str(number(1, 10 ** number(2, 9))),
        "double": lambda: "%d.%d" % (number(99), number(1, 99)),
        "bool": lambda: pick(["true", "false"]),
        "date": lambda: "20%02d-%02d-%02d" % (number(10, 30), number(1, 13), number(1, 29)),
        "uuid": lambda: "%08x-%04x-4%03x-a%03x-%012x" % tuple(number(16 ** n) for n in (8, 4, 3, 3, 12)),
        "slug": lambda: "-".join(word() for _ in range(number(1, 6))),
        "word": word,
        "user": lambda: word() + pick(["", "", "", "_" + word(), "." + word(), str(number(100)), str(number(2030))]),
        "token": lambda: "".join(pick("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789") for _ in range(11)),
        "hash": lambda: "%040x" % number(16 ** 40),
    }
    if isinstance(kind, str) and kind.startswith("/"):
        if kind[1] in "@!#":
            return lambda: kind[1] + word() + ":" + pick(["one.example", "two.example"])
        if kind[1:3] == "\\$":
            return lambda: "$" + kinds["token"]()
        return (lambda: str(number(1, 29))) if kind[1:3] == "\\d" else kinds["word"]
    if isinstance(kind, tuple):
        return (lambda: pick(kind)) if isinstance(kind[0], str) else (lambda: str(number(kind[0] or 0, kind[1] + 1)))
    return kinds[kind]


class Traffic:
    """The traffic of one app, whose users, paths and values the chance decides once."""

    def __init__(self, table, chance, isZipf):
        self.table, self.chance, self.isZipf = table, chance, isZipf
        order = table.paths[:]
        chance.shuffle(order)
        self.order, self.weights = order, [(place + 1) ** -(0.7 if isZipf else 0) for place in range(len(order))]
        self.values = {}
        self.languages = LANGUAGES[: chance.choice([0, 0, 2, 5])] if any(head.startswith("http") for head in table.origins) else []
        self.kinds = {}

    def pool(self, path, name):
        declared = self.table.kinds.get((path, name))
        # The same name below the same first segment has the same values.
        key = (path.split("/")[0], name, declared)
        if key not in self.values:
            drawn = ["int", "int", "uuid", "slug", "slug", "word", "user", "user", "token", "token", "hash"]
            self.values[key] = Values(declared or self.chance.choice(drawn), self.chance, self.isZipf)
        return self.values[key]

    def link(self, path):
        chance = self.chance
        head = chance.choice(self.table.origins)
        text = re.sub(r"\{(\w+)\}", lambda match: urllib.parse.quote(self.pool(path, match.group(1)).pick(), safe="@:$!"), path)
        if self.languages and head.startswith("http") and chance.random() < 0.3:
            text = chance.choice(self.languages) + "/" + text
        if chance.random() < 0.01:
            text = text[:1].upper() + text[1:] if not path.startswith("{") else text
        if chance.random() < 0.08 and text:
            text += "/"
        query = []
        if chance.random() < 0.2:
            query.append(chance.choice(CAMPAIGN))
        if chance.random() < 0.05:
            query.append("v=3.%d" % chance.randrange(20))
        return head + text + ("?" + "&".join(query) if query else "")

    def links(self, count):
        """Links with the paths that they were made of."""
        return [(self.link(path), path) for path in self.chance.choices(self.order, weights=self.weights, k=count)]
