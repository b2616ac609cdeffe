"""Catalogs of one or two random origins, and the links that they print and read.

Written from docs/reference/catalog.md, not from the program: the program's answers are compared with it.
"""

import base64
import dataclasses
import hmac
import re
import urllib.parse

KINDS = ("scheme", "hosts", "web", "fragment", "segment", "web segment", "wildcard", "ignore", "none")
WORDS = ("a", "b", "c", "d", "x-1", "order", "help", "w.2")
SITES = ("ann", "a.b", "Ann", "x y", "é", "h:1", "7")
TEXTS = ("x", "A b", "café", "50%", "1+1", "a/b", "?q=#", "&=", "-._~!$'()*,;:@", "\U0001f600", "...", "%2F")
COLORS = ["red", "dark-blue"]
SECRET = b"0123456789abcdef0123456789abcdef"
HOME = {"route": "home", "presentation": "root", "parameters": {}}
# A first segment is in the place of the host if it reads back as that host.
HOST, LOWER_HOST = re.compile(r"[A-Za-z0-9.-]+"), re.compile(r"[a-z0-9.-]+")


def quoted(text):
    """A segment or value as links print it."""
    return urllib.parse.quote(text, safe="!$'()*,;:@")


def escaped(random, segment):
    """A segment with one of its letters and digits encoded, or as it is."""
    place = random.randrange(len(segment))
    if "%" in segment or not segment[place].isalnum() or random.random() < 0.5:
        return segment
    return f"{segment[:place]}%{ord(segment[place]):02X}{segment[place + 1:]}"


def bare(host):
    return host.partition(":")[0]


@dataclasses.dataclass(frozen=True)
class Link:
    """A stack with the text of its link, but for the origin."""

    stack: list
    segments: list
    pairs: list

    @property
    def route(self):
        return self.stack[-1]["route"]

    def encoded(self, extra=()):
        pairs = "&".join(f"{key}={quoted(value)}" for key, value in (*self.pairs, *extra))
        return [quoted(segment) for segment in self.segments], "?" + pairs if pairs else ""

    def with_note(self):
        """A link of an item with a note over it."""
        note = {"route": "note", "presentation": "push", "parameters": {"text": "a"}}
        return Link([*self.stack, note], [*self.segments, "note", "a"], self.pairs)

    def signature(self, expiry=""):
        """The pairs that sign the link, the same under each origin."""
        segments, query = self.encoded()
        code = hmac.digest(SECRET, f"waymark-link-v1\nk1\n{expiry}\n/{'/'.join(segments)}{query}".encode(), "sha256")
        return [("exp", expiry)] * bool(expiry) + [("sig", "k1." + base64.urlsafe_b64encode(code).decode().rstrip("="))]


GATE = Link([HOME, {"route": "gate", "presentation": "push", "parameters": {}}], ["gate"], [])


@dataclasses.dataclass(frozen=True)
class Origin:
    kind: str
    scheme: str
    hosts: tuple = ()
    authority: str = "hosts"
    prefix: tuple = ()
    fragment: bool = False

    @property
    def is_web(self):
        return self.scheme in ("https", "http")

    @property
    def has_host_segment(self):
        return self.is_web and self.authority == "segment"

    def host_of(self, link):
        """The host whose segment begins the link, or None."""
        first = link.segments[0] if link.segments else ""
        if self.kind == "wildcard":
            return first + self.hosts[0][1:] if LOWER_HOST.fullmatch(first) else None
        return next((host for host in self.hosts if bare(host) == first), None)

    def prints(self, link, host=None, extra=()):
        """The link under the origin, or None where its first segment is none of the hosts."""
        segments, query = link.encoded(extra)
        if self.has_host_segment:
            host = self.host_of(link)
            return host and f"{self.scheme}://{host}/{'/'.join([*self.prefix, *segments[1:]])}{query}"
        path = [*self.prefix, *segments]
        text = "/".join(path) + query
        if self.authority == "none":
            return f"{self.scheme}:{text}"
        if self.authority == "segment":
            return f"{self.scheme}://{'' if path and HOST.fullmatch(path[0]) else '/'}{text}"
        return f"{self.scheme}://{(self.hosts or ('',))[0] if host is None else host}/{text}"

    def spelled(self, random, link, extra=()):
        """Another spelling of a link that the origin prints, and the canonical one."""
        host, scheme = random.choice(self.hosts or ("",)), random.choice([self.scheme, self.scheme.upper()])
        canonical, (segments, query), first, slash = self.prints(link, host), link.encoded(extra), len(self.prefix), "/"
        path = [*self.prefix, *segments]
        if self.is_web:
            if self.has_host_segment:
                host, path = self.host_of(link), path[:first] + path[first + 1:]
            default = ["", ":", {"https": ":443", "http": ":80"}[self.scheme]] if ":" not in host else [""]
            head = f"{scheme}://{random.choice([host, host.upper()])}{random.choice(default)}"
        elif self.authority == "hosts":
            # The host of a custom scheme is kept as it is written, and may be left out.
            host = random.choice([host, host.upper(), ""])
            head, canonical = f"{scheme}:{'//' + host if host else random.choice(['', '//'])}", self.prints(link, host)
        elif self.authority == "ignore":
            head = f"{scheme}:{random.choice(['', '//', '//elsewhere.test', '//10.0.0.5:19000'])}"
        elif self.authority == "segment" and path and HOST.fullmatch(path[0]) and random.random() < 0.5:
            head, path, first = f"{scheme}://{path[0]}", path[1:], max(first - 1, 0)
        elif self.authority == "segment":
            head = f"{scheme}:{random.choice(['', '//'])}"
        else:
            head, slash = f"{scheme}:", random.choice(["", "/", "///"])
        path = [escaped(random, segment) for segment in path]
        if self.fragment and random.random() < 0.6:
            cut, queries = random.randint(first, len(path)), random.choice([(query, ""), ("", query)])
            return (f"{head}{slash}{'/'.join(path[:cut])}{queries[0]}#{random.choice(['', '/'])}{'/'.join(path[cut:])}{queries[1]}",
                    canonical)
        return head + slash + random.choice(["/", "//"]).join(path) + random.choice(["", "/"] if path else [""]) + query, canonical

    def foreign(self, link):
        """Links like one that the origin prints that no origin has: of other schemes, hosts and ports, and of other prefixes."""
        text, shorter = self.prints(link), set()
        # A link of an unknown scheme has a slash.
        found = [("ftp:" if self.is_web else self.scheme + "x:") + "///" * (self.authority == "none") + text.partition(":")[2]]
        if self.authority == "none":
            found.append(text.replace(":", "://elsewhere/", 1))
        elif self.authority == "hosts" or self.has_host_segment:
            host = text.split("/")[2]
            others = {"elsewhere.test", f"{bare(host) or 'elsewhere'}:9", f"x.{bare(host)}x", bare(host)} - {host, *self.hosts, ""}
            others |= {bare(self.hosts[0])[2:]} if self.kind == "wildcard" else set()
            found += [re.sub(r"://[^/]*", f"://{other}", text, count=1) for other in sorted(others)]
        if self.prefix:
            shorter = {self.prefix[:-1], (*self.prefix[:-1], self.prefix[-1] + "x"), ()}
        return found, [dataclasses.replace(self, prefix=prefix).prints(link) for prefix in sorted(shorter)]


class Catalog:
    def __init__(self, random, kinds):
        self.origins, self.lines = [], []
        for number, kind in enumerate(kinds):
            self.add(random, number, kind)
        host, prefix = random.choice(["go.test", "go.test:8443"]), random.choice([(), ("s", "t")])
        self.short = Origin("short", "https", (host,), prefix=prefix)
        self.lines.append({"scheme": "https", "hosts": [*self.short.hosts], "shortLinks": True} | prefixed(self.short))
        self.words = words = dict(zip(("item", "name", "kind", "files", "offer", "private"), random.sample(WORDS, 6)))
        # A first segment may be anything in some catalogs.
        self.has_sites = random.random() < 0.6
        self.app_scheme = next((one.scheme for one in self.origins if not one.is_web), None)
        self.document = {
            "version": 1, "origins": self.lines, "gates": {"signedInUser": "/gate"},
            "apps": {"ios": [{"appID": "ABCDE12345.com.example.app", "storeID": 1, "scheme": self.app_scheme or "other"}],
                     "android": [{"package": "com.example.app", "fingerprints": [":".join(["AA"] * 32)]}]},
            "entry": {"home": {"presentation": "root", "initial": True}},
            "routes": {
                "home": {"path": "", "opens": dict.fromkeys([*words, "gate", *["site"] * self.has_sites], "push")},
                "item": {"path": words["item"] + "/{id}", "opens": {"note": "push"},
                         "parameters": {"id": "int", "page": {"type": "int", "default": 1}, "q": "string"}},
                "note": {"path": "note/{text}"}, "name": {"path": words["name"] + "/{text}"}, "gate": {},
                "kind": {"path": words["kind"] + "/{kind}", "parameters": {"kind": {"type": "enum", "values": COLORS}}},
                "files": {"path": words["files"] + "/{rest*}"}, "offer": {"path": words["offer"] + "/{code}", "signed": True},
                "private": {"path": words["private"], "authorizationLevel": "signedInUser"},
            } | ({"site": {"path": "{site}/post/{id}", "parameters": {"id": "int"}}} if self.has_sites else {})}

    def add(self, random, number, kind):
        """Adds a line of a kind, which declares an origin for each of its schemes."""
        prefix, port = random.choice([(), (), ("p",), ("q", "--")]), random.choice(["", ":8443"])
        schemes, hosts, authority = [f"nav{number}", f"alt{number}"], [], kind
        if kind in ("scheme", "hosts"):
            names = sorted({f"app{port}", "app", "www.app.test", "10.0.0.1:19000"})
            authority, hosts = "hosts", random.sample(names, 2 if kind == "hosts" else 0)
        elif kind in ("web", "fragment"):
            schemes, authority = ["https", "http"], "hosts"
            hosts = random.sample([f"app{number}.test{port}", f"www.app{number}.test", f"app{number}.test:81"], 2)
        elif kind in ("web segment", "wildcard"):
            schemes, authority = ["https"], "segment"
            names = [f"*.app{number}.test"] if kind == "wildcard" else [["a", "b", "gate"], ["c", "d", "x-1"]][number]
            hosts = [name + port for name in names]
        schemes = schemes[:1 if authority == "none" else random.choice([1, 1, 2])]
        fragment = kind == "fragment" or random.random() < 0.2
        # The port of https is none.
        written = [host + ":443" * (schemes == ["https"] and ":" not in host and random.random() < 0.3) for host in hosts]
        added = [Origin(kind, scheme, tuple(hosts), authority, prefix, fragment) for scheme in schemes]
        self.origins += added
        self.lines.append({"scheme": schemes, "authority": authority} | prefixed(added[0]) | ({"hosts": written} if hosts else {}))

    def built(self, link, scheme=None):
        """The link under the first origin, or under a scheme, or None where none of the scheme can print it.

        A host that is a segment by its name has the links that begin with it. One with a `*` takes what nothing else takes. Where
        no host begins the link, and any scheme will do, it is under the next origin that can print it.
        """
        near = [one for one in self.origins if one.scheme == (scheme or self.origins[0].scheme)]
        found = first(link, sorted(near, key=lambda one: {"web segment": 0, "wildcard": 2}.get(one.kind, 1)))
        return found or (None if scheme else first(link, self.origins))

    def gate(self, origin, host):
        """The link of the gate for links of an origin: under it, or where hosts are segments, under the next that can print it."""
        if not origin.has_host_segment:
            return origin.prints(GATE, host)
        return first(GATE, sorted(self.origins, key=lambda one: (
            one.kind == "wildcard", one.scheme != origin.scheme, one.kind != "web segment")))

    def link(self, random):
        """A random stack and its link."""
        text, query, rest = random.choice(TEXTS), random.choice(TEXTS), random.choices(TEXTS, k=random.randint(1, 3))
        number, page, color, site = map(random.choice, ([0, 7, -12, 2**63 - 1], [1, 2], COLORS, SITES))
        # The segments behind the first, and the values, by route.
        ways = {
            "": ([], {}), "gate": ([], {}), "private": ([], {}), "name": ([text], {"text": text}),
            "item": ([str(number)], {"id": number, "page": page} | random.choice([{}, {"q": query}])),
            "kind": ([color], {"kind": color}), "files": (rest, {"rest": rest}), "offer": ([text], {"code": text}),
            "site": (["post", str(number)], {"site": site, "id": number}),
        }
        route = random.choice(sorted(ways.keys() - {"site"}) + ["item"] + ["site"] * 3 * self.has_sites)
        path, values = ways[route]
        path = [site if route == "site" else self.words.get(route, route), *path] if route else []
        # A value that equals its default is left out.
        pairs = [(key, str(values[key])) for key in ("page", "q") if values.get(key, 1) != 1]
        stack = [HOME] + [{"route": route, "presentation": "push", "parameters": values}] * bool(route)
        if route == "item" and random.random() < 0.4:
            stack.append({"route": "note", "presentation": "push", "parameters": {"text": text}})
            path += ["note", text]
        return Link(stack, path, pairs)


def prefixed(origin):
    """The keys of an origin's prefix and fragment."""
    prefix = {"pathPrefix": "/" + "/".join(origin.prefix)} if origin.prefix else {}
    return prefix | ({"fragment": "path"} if origin.fragment else {})


def first(link, origins):
    """The link under the first origin that can print it, or None."""
    return next((text for one in origins if (text := one.prints(link))), None)
