"""Catalogs that no example is: every presentation, ten thousand routes, and texts that are markup."""

import json

import waymark

LINK_DOMAIN = waymark.CHECKOUT / "Config/examples/link-domain.yaml"

PRESENTATIONS = ["tab", "push", "sheet", "bottomSheet", "fullScreenCover", "popover", "alert", "confirmationDialog",
                 "custom:wheel"]

MARKUP = "<img src=x onerror=alert(1)>"


def presentations():
    """A catalog with a destination of each presentation over one root."""
    routes = {"home": {"path": "", "opens": {f"a{at}": name for at, name in enumerate(PRESENTATIONS)}}}
    for at, _ in enumerate(PRESENTATIONS):
        routes[f"a{at}"] = {"path": f"a{at}/{{id}}", "parameters": {"id": "int"}}
    return catalog({"home": "root"}, routes)


def large(count=10_000, width=100):
    """A catalog with so many routes, each a child of one of so many sections."""
    routes = {"home": {"path": "", "opens": {f"section{at}": "push" for at in range(width)}}}
    for at in range(width):
        inside = range(at, count - width - 1, width)
        routes[f"section{at}"] = {"opens": {f"route{number}": "push" for number in inside}}
        for number in inside:
            routes[f"route{number}"] = {"description": f"Number {number} of section {at}.", "path": f"r{number}/{{id}}",
                                        "parameters": {"id": "int"}}
    return catalog({"home": "root"}, routes)


def hostile():
    """A catalog whose every free text is markup."""
    script = "<script>alert(2)</script>"
    quoted = "\"><svg onload=alert(3)>"
    routes = {
        MARKUP: {"path": "img", "description": script + quoted, "opens": {quoted: "custom:wheel"}},
        quoted: {"path": "a", "description": "javascript:alert(4)",
                 "parameters": {"q": {"type": "enum", "values": [script, MARKUP], "from": MARKUP, "default": script}}},
    }
    return catalog({MARKUP: "root"}, routes)


def walls():
    """A catalog with levels of its own, a grant that is stored, and one that the app asserts."""
    routes = {"login": {}, "plans": {}, "pin": {}, "home": {"opens": {"vault": "push"}},
              "vault": {"authorizationLevel": "member", "requires": ["pro", "unlocked"]}}
    names = {"levels": ["guest", "member"], "grants": ["pro", {"name": "unlocked", "from": "app"}],
             "gates": {"member": "/login", "pro": "/plans", "unlocked": "/pin"}}
    return catalog({"login": "root", "plans": "root", "pin": "root", "home": "root"}, routes, names)


def two_apps():
    """A catalog with two apps, each with a route that the other lacks."""
    apps = {"rider": {"ios": [{"appID": "ABCDE12345.com.example.rider", "storeID": "1"}]},
            "driver": {"ios": [{"appID": "ABCDE12345.com.example.driver", "storeID": "2"}],
                       "android": [{"package": "com.example.driver", "fingerprints": [":".join(["14"] * 32)]}]}}
    routes = {"home": {"path": "", "opens": {"ride": "push", "shift": "push", "help": "push"}},
              "ride": {"app": "rider"}, "shift": {"app": "driver"}, "help": {}}
    return catalog({"home": "root"}, routes, {"apps": apps})


def short_links(product="product"):
    """A shop with a host of short links; the path of its products can be another, and `None` leaves them out."""
    routes = {"home": {"path": "", "opens": {"about": "push", **({"product": "push"} if product else {})}}, "about": {}}
    if product:
        routes["product"] = {"path": product + "/{id}", "parameters": {"id": "int"},
                             "web": {"title": "A product", "description": "Of the shop."}}
    origins = [{"scheme": "https", "hosts": ["shop.example"]},
               {"scheme": "https", "hosts": ["go.example", "g.example"], "shortLinks": True}]
    return json.dumps({"version": 1, "origins": origins, "entry": {"home": "root"}, "routes": routes})


def own_pages(color="#ffd400", on_color=None):
    """The sample of a link domain with an icon, colors, pictures with sizes, and a button that copies the link."""
    web = ["  hosts: [www.example.com]", "icon: https://www.example.com/icon.png", f'color: "{color}"']
    if on_color:
        web.append(f'onColor: "{on_color}"')
    image = "{ url: https://www.example.com/p.png, width: 600, height: 315, alt: A thing on a table }"
    return LINK_DOMAIN.read_text().replace("scheme: shop }]", "scheme: shop, copy: true }]").replace(
        web[0], "\n  ".join(web)).replace("image: https://www.example.com/p.png", f"image: {image}")


def catalog(entry, routes, names=None):
    """A file with these routes, and with names of levels and grants; JSON is YAML."""
    origins = [{"scheme": "app"}, {"scheme": "https", "hosts": ["links.example.com"]}]
    return json.dumps({"version": 1, "origins": origins, **(names or {}), "entry": entry, "routes": routes})
