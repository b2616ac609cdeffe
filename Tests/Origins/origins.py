"""For every kind of origin, what is printed leads where it was printed for, on every surface of the service.

Generates catalogs of one or two origins of random kinds: schemes with and without hosts, hosts of the web, hosts as segments,
`*.`, ignored and absent hosts, each with and without ports, prefixes, several schemes and `fragment: path`, beside a host of short
links. Prints what happens; all parts, or those that are named:

  links     `POST /v1/links` builds, and signs, the link of the model. It resolves to its stack in each spelling that is allowed,
            with the canonical link of the model. A gate has the link of the same origin
  foreign   links of schemes, hosts, ports and prefixes that the catalog lacks are `unknown-origin`, also for short links
  web       `GET` of an https link by its `Host` answers with the plan or the page, all of whose links lead there. Others are
            `misdirected-request` or `unknown-origin`. The association files of the host open the link, as the proof reads them
  short     a short link has the host, port and prefix of its origin. Its code leads to the target, the link of the model
  commands  `waymark check`, `resolve`, `link build` and `association test` agree with the model and the server

usage: origins.py --binary FILE [--quick] [--seed NUMBER] [part …]

Exit codes: 0 all is well, 1 a violation, 69 something needed is unavailable.
"""

import collections
import html
import json
import pathlib
import random
import re
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Cluster"))

import cluster
import model
import parts
import waymark
from cluster import Client, expect

KEYS = {"WAYMARK_SIGNING_SECRETS": "k1=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="}
BROWSERS = ("Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1",
            "Mozilla/5.0 (Linux; Android 15; Pixel 9)", "facebookexternalhit/1.1")
EXPIRY, EXPIRES = "4102444800", "2100-01-01T00:00:00Z"
FILES = {"ios": "/.well-known/apple-app-site-association", "android": "/.well-known/assetlinks.json"}
UNKNOWN = "unknown-origin"
cluster.say = lambda text: print(f"origins: {text}", flush=True)
yaml = parts.module("yaml", "python3-yaml")


class Proof:
    """The parts on one catalog after the other. `cases` and `wrong` are by part."""

    def __init__(self, options, folder):
        self.binary, self.seed, self.folder = options.binary, options.seed, folder
        self.cases, self.wrong, self.kinds = collections.Counter(), collections.defaultdict(list), collections.Counter()

    def run(self, number, chosen):
        """One catalog, with random numbers of its own for each part: so a part alone repeats what it does among all."""
        self.random = random.Random(f"{self.seed} {number}")
        # Each kind comes first in turn, alone and before another one.
        kinds = [model.KINDS[number % len(model.KINDS)], *self.random.choices(model.KINDS, k=number // len(model.KINDS) % 2)]
        self.number, self.catalog = number, model.Catalog(self.random, kinds)
        self.file = self.folder / f"{number}.yaml"
        self.file.write_text(yaml.safe_dump(self.catalog.document, sort_keys=False))
        with waymark.Server(self.binary, self.folder / f"{number}.sqlite", catalog=self.file, settings=KEYS,
                            arguments=("--insecure-no-auth", "--limit-pages", "0")) as server:
            self.client = Client(server.port)
            for self.part in chosen:
                self.random.seed(f"{self.seed} {number} {self.part}")
                getattr(self, self.part)()
            # Its database is of no use, and a stop takes a second.
            server.kill()

    def same(self, asked, wanted, found):
        """Counts a case, and keeps one that is wrong."""
        self.cases[self.part] += 1
        if wanted != found:
            self.wrong[self.part].append(f"catalog {self.number}, {json.dumps(self.catalog.lines)}: {asked}\n        should be "
                                         f"{wanted}\n        and is    {found}")

    def post(self, path, body):
        """The status and the answer, with the code of a problem."""
        status, data, _ = self.client.request("POST", path, json.dumps(body))
        return status, coded(json.loads(data))

    def get(self, path, host="127.0.0.1", accept="application/json"):
        fields = {"Host": host, "Accept": accept, "User-Agent": self.random.choice(BROWSERS)}
        status, data, headers = self.client.get(path or "/", fields)
        return status, coded(json.loads(data)) if "json" in headers["Content-Type"] else data.decode()

    def resolve(self, link, level="signedInUser"):
        """The answer to a link, by one of the two methods."""
        case = {"link": link, "level": level}
        if self.random.random() < 0.5:
            return self.post("/v1/resolve", case)[1]
        return self.get(f"/v1/resolve?{urllib.parse.urlencode(case)}")[1]

    def leads(self, asked, link, canonical, answer, unused=()):
        """Compares an answer with the plan of a link."""
        unused = [[*pair] for pair in unused], None
        found = answer.get("canonicalLink", answer.get("code")), answer.get("stack")
        self.same(asked, (canonical, link.stack, *unused), (*found, answer.get("unusedQuery", []), answer.get("unusedFragment")))

    def printed(self, count, scheme=None):
        """Links as each origin prints them: origin, host, link, text, and the pairs that sign one that needs them."""
        for origin in [one for one in self.catalog.origins if scheme in (None, one.scheme)]:
            for _ in range(count):
                link, host = self.catalog.link(self.random), self.random.choice(origin.hosts or ("",))
                extra = link.signature(self.random.choice(["", EXPIRY])) if link.route == "offer" else []
                if text := origin.prints(link, host, extra):
                    self.kinds[origin.kind] += 1
                    yield origin, host, link, text, extra

    def links(self):
        for _ in range(6):
            self.built(self.catalog.link(self.random))
        for origin, host, link, text, extra in self.printed(5):
            self.leads(text, link, origin.prints(link, host), self.resolve(text))
            for _ in range(3):
                unused = self.random.choice([[], [("utm_source", "mail")]])
                spelling, canonical = origin.spelled(self.random, link, [*extra, *unused])
                self.leads(spelling, link, canonical, self.resolve(spelling), unused)
            if link.route == "item":
                longer, body = link.with_note(), {"link": "note/a", "mode": "append", "from": text, "level": "signedInUser"}
                self.leads(f"note/a from {text}", longer, origin.prints(longer, host), self.post("/v1/resolve", body)[1])
            if link.route == "gate" and not origin.has_host_segment and not self.catalog.has_sites:
                suggestions = self.resolve(text.replace("gate", "gaet")).get("suggestions", [])
                self.same(f"gaet beside {text}", True, text in suggestions)
            if extra:
                unsigned = origin.prints(link, host)
                self.same(unsigned, "signature-required", self.resolve(unsigned).get("code"))
            if link.route == "private":
                gate, wanted = self.resolve(text, "none").get("gate", {}), self.catalog.gate(origin, host)
                self.same(f"the gate of {text}", (wanted, model.GATE.stack), (gate.get("link"), gate.get("stack")))

    def built(self, link):
        """Compares the link of a stack or a destination, under the first origin or that of a scheme."""
        scheme = self.random.choice([None, *sorted({one.scheme for one in self.catalog.origins})])
        body, wanted = {"scheme": scheme.upper()} if scheme else {}, self.catalog.built(link, scheme)
        is_alone = len(link.stack) == 2 and self.random.random() < 0.5
        body |= {key: link.stack[1][key] for key in ("route", "parameters")} if is_alone else {"stack": link.stack}
        if link.route == "offer" and wanted:
            expiry = self.random.choice(["", EXPIRY])
            body |= {"sign": True} | ({"expires": EXPIRES} if expiry else {})
            wanted += "?" + "&".join(f"{key}={value}" for key, value in link.signature(expiry))
        status, answer = self.post("/v1/links", body)
        wanted = (200, wanted) if wanted else (422, "no-link")
        self.same(f"POST /v1/links {json.dumps(body)}", wanted, (status, answer.get("link", answer.get("code"))))

    def foreign(self):
        for origin, _, link, _, _ in self.printed(4):
            for text in sum(origin.foreign(link), []):
                answer = self.resolve(text)
                self.same(text, (UNKNOWN, False), (answer.get("code"), "stack" in answer))
                if self.random.random() < 0.2:
                    status, answer = self.post("/v1/short-links", {"link": text})
                    self.same(f"a short link to {text}", (404, UNKNOWN), (status, answer.get("code")))

    def web(self):
        for origin, host, link, text, _ in self.printed(5, "https"):
            host, path = host_and_path(text)
            for spelled in hosts(host):
                status, answer = self.get(path, spelled)
                if link.route == "private":
                    self.same(f"GET {path} of {spelled}", (403, model.GATE.stack), (status, answer.get("gate", {}).get("stack")))
                else:
                    self.leads(f"GET {path} of {spelled}", link, origin.prints(link, host), answer)
            self.surfaces(link, text)
            for lacking in origin.foreign(link)[1]:
                status, answer = self.get(host_and_path(lacking)[1], host)
                self.same(f"GET {lacking}", (404, UNKNOWN), (status, answer.get("code")))
                self.opened(host, host_and_path(lacking)[1], False)
        first = next((one for one in self.catalog.origins if one.scheme == "https"), None)
        if first and not first.has_host_segment:
            text = first.prints(model.GATE)
            self.leads(f"{text} by a loopback address", model.GATE, text, self.get(host_and_path(text)[1])[1])

    def surfaces(self, link, text):
        """An https link by its page and by the association files, and its path by the hosts and ports that the catalog lacks."""
        host, path = host_and_path(text)
        self.opened(host, path, True)
        for other in ("elsewhere.test", f"{model.bare(host)}:9", f"x.{model.bare(host)}x"):
            status, answer = self.get(path, other)
            self.same(f"GET {path} of {other}", (421, "misdirected-request"), (status, answer.get("code")))
        status, page = self.get(path, self.random.choice(hosts(host)), "text/html")
        address = re.search('<meta property="og:url" content="([^"]*)"', page)
        self.same(f"the page of {text}", (200, text), (status, address and html.unescape(address[1])))
        attributes = [html.unescape(one) for one in re.findall(r'(?:href|content)="([^"]*)"', page)]
        if link.route != "offer" and (scheme := self.catalog.app_scheme):
            button = self.catalog.built(link, scheme)
            self.same(f"the button on the page of {text}", (button, True), (button, button in attributes))
        schemes = "|".join(sorted({one.scheme for one in self.catalog.origins} | {"https"}))
        for attribute in attributes:
            attribute = re.sub(r"^intent:(.*?)#Intent;scheme=([^;]*);.*", r"\2:\1", attribute)
            if "&referrer=waymark%3D" in attribute:
                attribute = urllib.parse.unquote(urllib.parse.unquote(attribute.partition("&referrer=waymark%3D")[2]))
            found = re.search(rf"(?:^|app-argument=)((?:{schemes}):[^ ]*)", attribute)
            if found and not re.match(r"https://(apps\.apple|play\.google)\.com/", found[1]):
                self.same(f"{found[1]}, on the page of {text}", link.stack, self.resolve(found[1]).get("stack"))

    def opened(self, host, path, wanted):
        """Compares whether the files that are served for a host open a path, as the proof and the service read them."""
        host = self.random.choice(hosts(host))
        for platform, name in FILES.items():
            status, file = self.get(name, host)
            found = status == 200 and opens(file, path)
            _, answer = self.post("/v1/associations/test", {"url": f"https://{host}{path}", "platform": platform})
            self.same(f"https://{host}{path} on {platform}", (wanted, wanted), (found, answer.get("opens")))

    def short(self):
        for number in range(5):
            link, short = self.catalog.link(self.random), self.catalog.short
            target, (host,) = self.catalog.built(link), short.hosts
            own = self.random.choice(["", f"/Spring-{number}-0123456789"])
            extra = link.signature() if link.route == "offer" else []
            sources = [{"link": one.spelled(self.random, link, extra)[0]} for one in self.catalog.origins if one.prints(link)]
            body = self.random.choice([{"stack": link.stack}, *sources])
            status, made = self.post("/v1/short-links" + own, body)
            begin = f"https://{host}/{''.join(part + '/' for part in short.prefix)}"
            wanted = (201, begin + (own[1:] or str(made.get("code"))), target) if target else (422, "no-link", None)
            found = status, made.get("link", made.get("code")), made.get("target")
            self.same(f"the short link of {json.dumps(body)}", wanted, found)
            if status != 201:
                continue
            text, path = made["link"], host_and_path(made["link"])[1]
            for spelling in (text, begin + made["code"].upper(), text.replace(host, host.upper()), text + "/?utm_source=mail"):
                self.leads(spelling, link, target, self.resolve(spelling), [("utm_source", "mail")] if "?" in spelling else [])
            for spelled in hosts(host) if link.route != "private" else []:
                self.leads(f"GET {path} of {spelled}", link, target, self.get(path, spelled)[1])
            self.surfaces(link, text)
            if short.prefix:
                status, answer = self.get("/" + made["code"], host)
                self.same(f"GET {text} without its prefix", (404, False), (status, "stack" in answer))

    def command(self, *words, text=None):
        done = subprocess.run([self.binary, *words, "--catalog", self.file], input=text, capture_output=True, text=True,
                              env=waymark.environment(KEYS))
        return done.returncode, done.stdout.strip(), done.stderr.strip()

    def commands(self):
        asked, file = [], self.folder / "links.yaml"
        for origin, _, link, text, extra in self.printed(8):
            spelling, canonical = origin.spelled(self.random, link, extra)
            asked += [{"link": spelling, "stack": link.stack, "canonicalLink": canonical}]
            asked += [{"link": one, "problem": UNKNOWN} for one in sum(origin.foreign(link), [])]
        file.write_text(yaml.safe_dump(asked))
        code, said, fault = self.command("check", str(file), "--level", "signedInUser")
        failed = [line for line in said.splitlines() if line.startswith("FAIL")]
        self.cases[self.part] += max(len(asked) - 1, 0)
        self.same(f"waymark check of {len(asked)} links", (0, [], ""), (code, failed[:2], fault))
        for case in self.random.sample(asked, min(len(asked), 2)):
            code, said, _ = self.command("resolve", case["link"], "--level", "signedInUser", "--format", "json")
            status, answer = self.post("/v1/resolve", {"link": case["link"], "level": "signedInUser"})
            self.same(f"waymark resolve {case['link']}", (status != 200, answer), (code, coded(json.loads(said or "{}"))))
        link = self.catalog.link(self.random)
        wanted, found = self.catalog.built(link), self.command("link", "build", text=json.dumps(link.stack))
        self.same(f"waymark link build of {link.stack}", (0, wanted) if wanted else (1, ""), found[:2])
        for *_, text, _ in [*self.printed(1, "https")][:1]:
            for platform in FILES:
                for url, wanted in ((text, 0), (re.sub("://[^/]*", "://elsewhere.test", text), 1)):
                    found = self.command("association", "test", url, "--platform", platform)
                    self.same(f"waymark association test {url} on {platform}", wanted, found[0])


def coded(answer):
    """An answer, with the code of a problem as `code`."""
    return answer | {"code": answer["type"].rpartition(":")[2]} if "type" in answer else answer


def host_and_path(link):
    """The host with its port, and what follows it."""
    host, slash, path = link.partition("://")[2].partition("/")
    return host, slash + path


def hosts(host):
    """Spellings of a host of https: another case and, where it has no port, that of https."""
    return [host, host.upper()] + ([f"{host}:443", f"{host}:"] if ":" not in host else [])


def opens(file, path):
    """What the first component of an association file that fits a path says, as Apple and Google describe their files."""
    if is_apple := isinstance(file, dict):
        links = file["applinks"]
        components, names = links["details"][0]["components"], links.get("substitutionVariables", {})
    else:
        relation = file[0]["relation_extensions"]["delegate_permission/common.handle_all_urls"]
        components, names = relation["dynamic_app_link_components"], {}

    def pattern(text):
        parts = re.split(r"(\$\(\w+\)|[*?])", text)
        known = {"*": ".*", "?": "."} | {f"$({name})": f"({'|'.join(map(pattern, texts))})" for name, texts in names.items()
                                        if f"$({name})" in parts}
        return "".join(known.get(part) or re.escape(part) for part in parts)

    path, _, query = path.partition("?")
    for one in components:
        # Links here have no fragment.
        sent = {"/": path if one.get("percentEncoded") else urllib.parse.unquote(path), "?": query, "#": ""}
        if is_apple and one.get("/", "").endswith("/*"):
            # On Apple's systems it is the place itself, too.
            sent["/"] += "/"
        if all(re.fullmatch(pattern(one.get(part, "*")), text, re.DOTALL) for part, text in sent.items()):
            return not one.get("exclude", False)
    return False


def main():
    options = parts.options(__doc__, ("links", "foreign", "web", "short", "commands"))
    begin, count = time.monotonic(), 36 if options.quick else 450
    with parts.folder("origins") as folder:
        proof = Proof(options, folder)
        for number in range(count):
            proof.run(number, options.parts)
    for part in options.parts:
        parts.agree(part, proof.cases[part], [f"seed {options.seed}, {one}" for one in proof.wrong[part]])
    is_whole = set(proof.kinds) >= set(model.KINDS) or not {"links", "foreign", "commands"} & set(options.parts)
    expect("each kind of origin has links", is_whole, dict(proof.kinds))
    cluster.say(f"     {count} catalogs: {time.monotonic() - begin:.0f} s")
    return parts.verdict()


if __name__ == "__main__":
    sys.exit(main())
