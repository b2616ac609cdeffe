"""The links of Config/examples/family as the proof understands them: what each opens, what it needs, and whose it is.

Written from the pages, not from the program: the program's answers are compared with it.
"""

import itertools

HOST = "go.example.com"
OPENS = {
    "": ("rider", "driver", "login", "addCard", "help"),
    "rider": ("map", "trips", "order", "trip", "person", "receipt"),
    "driver": ("jobs", "payouts", "documents", "trip", "person", "receipt"),
    "trip": ("trip", "person", "receipt"),
    "person": ("trip", "person", "receipt"),
    "jobs": ("job",),
    "job": ("trip", "person", "receipt"),
    "payouts": ("payout",),
}
ROUTES = {route for opens in OPENS.values() for route in opens}
PATHS = {
    "rider": "", "driver": "drive", "help": "help/{}", "addCard": "card/add", "trip": "trip/{}", "person": "person/{}",
    "receipt": "receipt/{}", "job": "job/{}", "payout": "payout/{}",
}
MEMBERS = {"trips", "order", "trip", "jobs", "documents", "addCard", "receipt", "payouts"}
GRANTS = {"order": "card", "job": "approved"}
GATES = {"member": "login", "card": "card/add", "approved": "drive/documents"}
INITIAL = {"rider": "map", "driver": "jobs"}
TABS = {"map", "trips", "jobs", "payouts"}
# The apps of routes. A route that is not here is every app's.
APPS = {"rider": "rider", "driver": "driver"}
NAMES = ("rider", "driver")
STORES = {
    ("rider", "ios"): "https://apps.apple.com/app/id1000000001",
    ("driver", "ios"): "https://apps.apple.com/app/id1000000002",
    ("rider", "android"): "https://play.google.com/store/apps/details?id=com.example.rider",
    ("driver", "android"): "https://play.google.com/store/apps/details?id=com.example.driver",
}
# The levels and grants with which links are opened.
USERS = (("guest", ()), ("guest", ("card", "approved")), ("member", ()), ("member", ("card",)), ("member", ("approved",)),
         ("member", ("card", "approved")))
ALL = USERS[-1]


def apps(generator):
    """Apps that ask: both by name on both platforms, the one without a name, a page, and nobody."""
    return [None, "browser/2.4", *(f"{name}{platform}/{generator.choice(['0', '3.1.0', '5', '12.0.9-dev'])}"
                                   for name, platform in itertools.product(("", "rider.", "driver."), ("ios", "android")))]


def asking(app):
    """The name of the app that asks, or None for one that opens everything. The one without a name is the rider's."""
    if app is None or app.startswith("browser/"):
        return None
    name, dot, _ = app.partition("/")[0].partition(".")
    return name if dot else "rider"


def app_of_stack(routes):
    """The app of a stack: that of any of its routes, or None."""
    return next((APPS[route] for route in routes if route in APPS), None)


def app_of_link(link):
    """The app of a canonical https link, from its text alone."""
    first = link.removeprefix(f"https://{HOST}/").split("/")[0]
    return {"drive": "driver", "login": None, "card": None, "help": None}.get(first, "rider")


def walk(generator, depth=12):
    """A link that the catalog has, and its stack: the path of its canonical link, its routes, and whether it is canonical."""
    route, chosen, segments = "", [], []
    while (opens := OPENS.get(route)) and len(chosen) < depth and (not chosen or generator.random() < 0.8):
        route = generator.choice(opens)
        chosen.append(route)
        value = generator.choice(["trips", "payments"]) if route == "help" else number(generator)
        segments += [part for part in PATHS.get(route, route).replace("{}", value).split("/") if part]
    stack = list(chosen)
    initial = INITIAL.get(stack[0])
    if initial and (len(stack) == 1 or stack[1] not in TABS):
        stack.insert(1, initial)
    # The link of a root alone is printed with the tab that it shows.
    canonical = segments + [initial] if initial and len(chosen) == 1 else segments
    return "/".join(segments), "/".join(canonical), stack


def number(generator):
    """An identifier as links print it."""
    return str(generator.choice([generator.randrange(100), generator.randrange(10**15), -generator.randrange(1, 10**6)]))


def spelled(generator, path, with_escapes):
    """A path in another spelling that means the same. Links of a custom scheme begin in the host's place, without escapes."""
    kind = generator.randrange(6)
    if kind == 0:
        return path + "/" if path else path
    if kind == 1:
        return path + generator.choice(["?utm_source=mail", "?a=b&c=%26", "?"])
    if kind == 2 and path and with_escapes:
        place = generator.randrange(len(path))
        return path if path[place] == "/" else f"{path[:place]}%{ord(path[place]):02X}{path[place + 1:]}"
    return path


def damaged(generator, path):
    """A path with one fault, or what may be one."""
    place = generator.randrange(len(path) + 1)
    return generator.choice([path[:place], path[:place] + path[place + 1:], path + "/nowhere", "drive/" + path, path + path,
                             path[:place] + generator.choice("/x7%?#-") + path[place:], path.replace("trip", "tripp", 1)])


def outcome(stack, level, grants, app):
    """The one outcome of a stack, for a level with grants, asked by an app: what it is, with what it names."""
    owner = app_of_stack(stack)
    if owner and asking(app) not in (None, owner):
        return "other-app", owner
    if level != "member" and MEMBERS & set(stack):
        return "insufficient-authorization-level", "member"
    missing = [GRANTS[route] for route in stack if route in GRANTS and GRANTS[route] not in grants]
    return ("missing-grant", missing[0]) if missing else ("plan", owner)


def found(answer):
    """The outcome that an answer of the program has, in the same form. An answer that has two, or none, says so."""
    kind = answer.get("type", "plan").removeprefix("urn:waymark:problem:")
    gate, is_gated = answer.get("gate"), kind in ("insufficient-authorization-level", "missing-grant")
    if ("stack" in answer) != (kind == "plan") or (gate is not None) != is_gated:
        return "not one outcome", None
    named = {"plan": answer.get("app"), "other-app": answer.get("app")}
    return kind, (gate.get("level") or gate.get("grant")) if gate else named.get(kind)


def routes(stack):
    """The names of a stack of the program."""
    return [destination["route"] for destination in stack]
