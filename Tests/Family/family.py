"""Two apps and two teams with one catalog, Config/examples/family: each link is one app's or every app's, wherever it is asked.

Prints what happens; all parts, or those that are named:

  apps     each link of links.yaml, and generated links with other spellings, levels, grants and asking apps, has exactly one
           outcome: a plan, a gate or `other-app`, that of a model of the catalog in the proof. `other-app` names the link to
           open, and the app that it names opens it. A link with a fault has the same problem for every app. An app that the
           catalog lacks is `invalid-request`, which lists the apps. `waymark check` agrees without a server
  phones   each canonical https link is handed to its apps and to no other, by both association files as they are served, and
           the page of a link names the store of its app alone
  files    while clients ask without pause, the files of the teams are swapped one by one, by rename and in place, split,
           joined, removed, broken and mended: each answer is that of a set that was whole, no request fails, a broken set
           leaves the former in force, and `GET /v1/catalog` names the file and the line of each route
  bundles  the bundle of each app answers the links of the app as the server does for it, and no others. Code that is generated
           for an app names it
  groups   a catalog of five tabs and fifty common screens in about sixty lines answers as the same catalog with each edge written
           by hand, errors and association files included

usage: family.py --binary FILE [--quick] [--seed NUMBER] [part …]

Exit codes: 0 all is well, 1 a violation, 69 something needed is unavailable.
"""

import concurrent.futures
import contextlib
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
import groups
import model
import parts
import teams
import waymark
from cluster import Client, expect
from parts import agree

FAMILY = waymark.CHECKOUT / "Config/examples/family"
OPEN = ("--insecure-no-auth", "--limit-pages", "0")
BROWSERS = {
    "a computer": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    "an iPhone": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 "
                 "Mobile/15E148 Safari/604.1",
    "Android": "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile "
               "Safari/537.36",
    "a preview bot": "facebookexternalhit/1.1",
}
cluster.say = lambda text: print(f"family: {text}", flush=True)
yaml = parts.module("yaml", "python3-yaml")


class Family:
    def __init__(self, options, folder):
        self.binary, self.quick, self.folder = options.binary, options.quick, folder
        self.random = random.Random(options.seed)
        self.seed = options.seed
        self.counter = 0

    def count(self, full, quick):
        return quick if self.quick else full

    @contextlib.contextmanager
    def server(self, catalog=FAMILY / "catalog.yaml"):
        self.counter += 1
        with waymark.Server(self.binary, self.folder / f"{self.counter}.sqlite", catalog=catalog, arguments=OPEN) as server:
            yield server

    def run(self, *words, **rest):
        return subprocess.run([self.binary, *map(str, words)], capture_output=True, text=True, cwd=waymark.CHECKOUT,
                              env=waymark.environment(), **rest)

    @staticmethod
    def batch(client, cases):
        """The answers to some cases, in lines of one request after the other."""
        answers = []
        for first in range(0, len(cases), 5000):
            body = "".join(json.dumps(case) + "\n" for case in cases[first:first + 5000])
            status, data, _ = client.request("POST", "/v1/resolve/batch", body, {"Content-Type": "application/x-ndjson"})
            assert status == 200, f"a batch is answered with {status}: {data[:300]}"
            answers += [json.loads(line) for line in data.splitlines() if line]
        assert len(answers) == len(cases), f"{len(answers)} answers to {len(cases)} lines"
        return answers

    def links(self, count):
        """Generated links of the family: as sent, canonical, and the stack."""
        made = []
        for _ in range(count):
            path, canonical, stack = model.walk(self.random)
            origin = self.random.choice([f"https://{model.HOST}/"] * 3 + ["rider://", "driver://"])
            written = self.random.choice([origin, "https://GO.Example.com/" if origin.startswith("https") else origin + "/"])
            sent = written + model.spelled(self.random, path, with_escapes=written.startswith("https"))
            made.append((sent, origin + canonical, stack))
        return made

    def cases(self, links):
        """Each link for two users and all apps."""
        return [(question(link, users, app), canonical, stack, users, app) for link, canonical, stack in links
                for users in (self.random.choice(model.USERS), model.ALL) for app in model.apps(self.random)]

    def apps(self):
        with self.server() as server:
            client = Client(server.port)
            self.written(client)
            cases = self.cases(self.links(self.count(10_000, 400)))
            answers = self.batch(client, [case for case, *_ in cases])
            wrong = [fault for one, answer in zip(cases, answers) if (fault := self.fault(*one, answer))]
            agree("each generated link has the one outcome of the model", len(cases), wrong)
            kinds = {kind: sum(model.found(answer)[0] == kind for answer in answers)
                     for kind in ("plan", "insufficient-authorization-level", "missing-grant", "other-app")}
            expect("each kind of outcome is among them", all(kinds.values()), kinds)
            self.opened(client, cases, answers)
            self.ways(client, cases, answers)
            self.damaged(client)
            self.deep(client)
            self.unknown(client)
        self.checked(cases)

    def written(self, client):
        """The links of links.yaml as the file expects them, and then with every level, grants and app as the model does."""
        entries = yaml.safe_load((FAMILY / "links.yaml").read_text())
        wrong = []
        for entry in entries:
            case = {key: value for key, value in entry.items() if key in ("link", "level", "grants", "app", "from")}
            case.setdefault("level", "guest")
            status, data, _ = client.request("POST", "/v1/resolve", json.dumps(case))
            answer = json.loads(data)
            kind, named = model.found(answer)
            gate = entry.get("gate")
            if isinstance(gate, dict):
                holds = kind == "missing-grant" and named == gate["grant"] and answer["gate"]["transition"] == gate["transition"]
            elif gate:
                holds = kind in ("missing-grant", "insufficient-authorization-level") and named == gate
            elif "problem" in entry:
                holds = kind == entry["problem"]
            else:
                holds = kind == "plan" and model.routes(answer["stack"]) == entry["stack"]
            if not holds or (status == 200) != (kind == "plan"):
                wrong.append((case, entry, answer))
        agree("each link of links.yaml has the outcome that stands there", len(entries), wrong)
        links = sorted({entry["link"] for entry in entries})
        plans = self.batch(client, [question(link, model.ALL, None) for link in links])
        cases = [(question(plan["link"], users, app), plan["canonicalLink"], model.routes(plan["stack"]), users, app)
                 for plan in plans for users in model.USERS for app in model.apps(self.random)]
        answers = self.batch(client, [case for case, *_ in cases])
        wrong = [fault for one, answer in zip(cases, answers) if (fault := self.fault(*one, answer))]
        agree("each link of links.yaml has the one outcome of the model, for every level, grant and app", len(cases), wrong)

    @staticmethod
    def fault(case, canonical, stack, users, app, answer):
        """What is wrong with an answer, or None."""
        wanted = model.outcome(stack, *users, app)
        if model.found(answer) != wanted:
            return f"{json.dumps(case)} should be {wanted} and is {json.dumps(answer)[:400]}"
        if wanted[0] == "plan":
            told = (model.routes(answer["stack"]), answer["canonicalLink"])
            if told != (stack, canonical):
                return f"{json.dumps(case)} should open {stack} as {canonical} and opens {told}"
            if canonical.startswith("https") and answer.get("app") != model.app_of_link(canonical):
                return f"{json.dumps(case)} is of the app {answer.get('app')}, and its path says {model.app_of_link(canonical)}"
        elif wanted[0] == "other-app":
            platform = app.partition("/")[0].rpartition(".")[2]
            # The scheme of an app would open that app again.
            scheme, _, path = canonical.partition("://")
            if scheme not in ("https", wanted[1]):
                canonical = f"https://{model.HOST}/{path}"
            told = answer.get("link"), answer.get("storeLink"), answer.get("appVersion"), model.APPS.get(answer.get("route"))
            if told != (canonical, model.STORES[wanted[1], platform], app.removesuffix("-dev"), wanted[1]):
                return f"{json.dumps(case)} names {told}, and the link is {canonical}"
        else:
            gate = answer["gate"]
            if gate["link"].rpartition("://")[2].removeprefix(model.HOST + "/") != model.GATES[wanted[1]]:
                return f"{json.dumps(case)} has the gate {gate['link']}"
            if model.app_of_stack(model.routes(gate["stack"])) not in (None, model.app_of_stack(stack)):
                return f"{json.dumps(case)} has a gate in another app: {gate['stack']}"
        return None

    def opened(self, client, cases, answers):
        """The link of `other-app`, asked by the app that it names."""
        followed = [(one, answer, f"{answer['app']}.ios/1") for one, answer in zip(cases, answers)
                    if model.found(answer)[0] == "other-app"]
        again = self.batch(client, [question(answer["link"], model.ALL, app) for _, answer, app in followed])
        wrong = [f"{json.dumps(one[0])} names {answer['link']}, which {app} is answered with {json.dumps(plan)[:300]}"
                 for (one, answer, app), plan in zip(followed, again)
                 if model.found(plan) != ("plan", answer["app"]) or model.routes(plan["stack"]) != one[2]]
        agree("the link that `other-app` names is opened by the app that it names", len(followed), wrong)

    def ways(self, client, cases, answers):
        """The same questions by query, body, header and as web links have the same answers."""
        wrong, asked = [], self.random.sample(list(zip(cases, answers)), self.count(4000, 200))
        for number, ((case, _, _, (level, grants), app), answer) in enumerate(asked):
            fields = {}
            if number % 3 and app:
                fields["Waymark-App"] = app
            sent = {key: value for key, value in case.items() if key != "app" or not fields}
            if number % 2:
                _, data, _ = client.request("POST", "/v1/resolve", json.dumps(sent), fields)
            else:
                parameters = sent | {"grants": ",".join(grants)} if grants else sent
                _, data, _ = client.get(f"/v1/resolve?{urllib.parse.urlencode(parameters)}", fields)
            if plain(json.loads(data)) != plain(answer):
                wrong.append(f"{json.dumps(sent)} with {fields} is {data[:300]}, and in a batch {json.dumps(answer)[:300]}")
        agree("query, body, header and batch have one answer", len(asked), wrong)
        wrong, asked = [], self.random.sample(self.links(self.count(2000, 100)), self.count(2000, 100))
        for _, canonical, stack in asked:
            path = canonical.partition("://")[2].removeprefix(model.HOST + "/")
            app = self.random.choice(model.apps(self.random)[1:])
            fields = {"Host": model.HOST, "Accept": "application/json", "Waymark-User": "nobody", "Waymark-App": app}
            _, data, _ = client.get("/" + path, fields)
            wanted = model.outcome(stack, "guest", (), app)
            if model.found(json.loads(data)) != wanted:
                wrong.append(f"GET /{path} with {fields} should be {wanted} and is {data[:300]}")
        agree("web links with `Waymark-App` have the outcome of the model", len(asked), wrong)

    def damaged(self, client):
        """Links with faults: one problem for every app, and for none another app's."""
        links = [f"https://{model.HOST}/{model.damaged(self.random, model.walk(self.random)[0])}"
                 for _ in range(self.count(6000, 300))]
        askers = [None, "browser/1", "ios/4", "rider.android/5", "driver.ios/3"]
        cases = [question(link, model.ALL, app) for link in links for app in askers]
        answers, wrong, problems = self.batch(client, cases), [], 0
        for first in range(0, len(cases), len(askers)):
            alone = answers[first]
            for case, app, answer in zip(cases[first:], askers, answers[first:]):
                if model.found(alone)[0] != "plan":
                    problems += 1
                    holds = plain(answer) == plain(alone)
                else:
                    holds = model.found(answer) == model.outcome(model.routes(alone["stack"]), *model.ALL, app)
                if not holds:
                    wrong.append(f"{json.dumps(case)} is {json.dumps(answer)[:300]}, and without an app "
                                 f"{json.dumps(alone)[:300]}")
        agree("a link with a fault has the same problem for every app", problems, wrong)

    def deep(self, client):
        """The deepest stacks that there are, and one deeper."""
        wrong = []
        for root, app, count in ((root, app, count) for root in ("", "/drive") for app in model.NAMES for count in (64, 65)):
            link = f"https://{model.HOST}{root}" + "".join(f"/trip/{number}" for number in range(count))
            answer, = self.batch(client, [question(link, model.ALL, f"{app}.ios/1")])
            owner = "driver" if root else "rider"
            wanted = ("too-deep", None) if count > 64 else ("plan", owner) if app == owner else ("other-app", owner)
            if model.found(answer) != wanted:
                wrong.append(f"{count} trips below {root or '/'} for {app} should be {wanted}: {json.dumps(answer)[:200]}")
        agree("the deepest links have their apps", 8, wrong)

    def unknown(self, client):
        """Apps that the catalog lacks, whatever the link."""
        names = ["zorro", "Driver", "RIDER", "riders", "ride", "x-1", "driver_2"]
        links = [f"https://{model.HOST}/{model.walk(self.random)[0]}" for _ in range(20)] + [f"https://{model.HOST}/nowhere"]
        cases = [question(link, users, f"{name}.{platform}/1.2") for name in names for platform in ("ios", "android")
                 for link in links for users in (model.ALL, model.USERS[0])]
        wrong = [f"{json.dumps(case)} is {json.dumps(answer)[:300]}" for case, answer in zip(cases, self.batch(client, cases))
                 if model.found(answer)[0] != "invalid-request" or answer["status"] != 400 or answer["field"] != "app"
                 or not all(f"`{name}`" in answer["detail"] for name in model.NAMES)]
        agree("an app that the catalog lacks is refused, with the apps that there are", len(cases), wrong)

    def checked(self, cases):
        """The same by `waymark check`, without a server."""
        lines = []
        for case, _, stack, users, app in cases:
            if app and app.startswith("browser/"):
                continue  # A page is no app, and asks a server alone.
            kind, named = model.outcome(stack, *users, app)
            wanted = {"stack": stack} if kind == "plan" else {"problem": kind} if kind == "other-app" else {"gate": named}
            lines.append(json.dumps(case | wanted) + "\n")
        file = self.folder / "cases.ndjson"
        file.write_text("".join(lines))
        catalog = FAMILY / "catalog.yaml"
        run = self.run("check", file, "--catalog", catalog)
        failed = [line for line in run.stdout.splitlines() if not line.startswith("ok")]
        expect("`waymark check` agrees without a server",
               run.returncode == 0 and f"{len(lines)} passed" in run.stdout.replace(",", ""),
               f"exit code {run.returncode}, {failed[:3]} {run.stderr[:200]}")
        run = self.run("check", FAMILY / "links.yaml", "--catalog", catalog, "--coverage")
        expect("links.yaml reaches every route", run.returncode == 0 and "16 of 16 routes reached" in run.stdout,
               run.stdout.splitlines()[-2:] or run.stderr[:300])

    def phones(self):
        with self.server() as server:
            client = Client(server.port)
            files = {}
            for platform, path in (("ios", "apple-app-site-association"), ("android", "assetlinks.json")):
                status, data, _ = client.get(f"/.well-known/{path}", {"Host": model.HOST})
                assert status == 200, f"{path} is answered with {status}"
                files[platform] = data.decode()
            fixed = [model.walk(random.Random(number), 3) for number in range(400)]
            some = {f"https://{model.HOST}/{path}": (stack, canonical) for path, canonical, stack in
                    [*fixed, *(model.walk(self.random) for _ in range(self.count(3000, 100)))]}
            links = {f"https://{model.HOST}/{canonical}": stack for stack, canonical in some.values()}
            chosen = list(links) if not self.quick else self.random.sample(list(links), min(len(links), 50))
            self.tested(client, chosen, links, files)
            self.commands(chosen, links, files)
            self.pages(client, self.random.sample(chosen, min(len(chosen), self.count(500, 40))), links)

    def tested(self, client, chosen, links, files):
        """The verdict of each file about each link, of the catalog's own and of what is served."""
        wrong, cases = [], 0
        identifiers = {"ios": "ABCDE12345.com.example.{}", "android": "com.example.{}"}
        for link in chosen:
            owner = model.app_of_stack(links[link])
            wanted = [name for name in model.NAMES if owner in (None, name)]
            for platform, file in files.items():
                question = {"url": link, "platform": platform}
                status, data, _ = client.request("POST", "/v1/associations/test", json.dumps(question))
                answer = json.loads(data)
                told = answer.get("opens"), answer.get("apps"), model.routes(answer.get("stack", []))
                cases += 1
                if status != 200 or told != (True, wanted, links[link]):
                    wrong.append(f"{json.dumps(question)} should open {wanted} and is {data[:300]}")
                for name in model.NAMES:
                    for named in ({"app": name}, {"app": identifiers[platform].format(name), "file": file, "domain": model.HOST}):
                        status, data, _ = client.request("POST", "/v1/associations/test", json.dumps(question | named))
                        cases += 1
                        if status != 200 or json.loads(data)["opens"] != (name in wanted):
                            of = "the served file" if "file" in named else "the catalog"
                            wrong.append(f"{link} on {platform} by {of}, in {name}, should be {name in wanted}: {data[:300]}")
        agree("each canonical link is handed to its apps and to no other", cases, wrong)

    def commands(self, chosen, links, files):
        """The command with the served files agrees."""
        wrong, cases = [], 0
        for link in self.random.sample(chosen, min(len(chosen), self.count(60, 4))):
            for platform, text in files.items():
                file = self.folder / f"{platform}.json"
                file.write_text(text)
                for name in model.NAMES:
                    app = ("ABCDE12345." if platform == "ios" else "") + f"com.example.{name}"
                    run = self.run("association", "test", link, "--platform", platform, "--file", file, "--app", app)
                    cases += 1
                    if run.returncode != (0 if model.app_of_stack(links[link]) in (None, name) else 1):
                        wrong.append(f"{link} on {platform} in {name}: exit code {run.returncode}, {run.stdout[:200]}"
                                     f"{run.stderr[:200]}")
        agree("`waymark association test --file` agrees", cases, wrong)

    @staticmethod
    def pages(client, chosen, links):
        """The stores and schemes that the page of a link names."""
        wrong, cases = [], 0
        for link in chosen:
            owner = model.app_of_stack(links[link]) or "rider"
            store = {"rider": "1000000001", "driver": "1000000002"}[owner]
            for browser, agent in BROWSERS.items():
                status, data, _ = client.get(link.removeprefix(f"https://{model.HOST}"),
                                             {"Host": model.HOST, "Accept": "text/html", "User-Agent": agent})
                page = data.decode()
                stores = set(re.findall(r"10000000\d\d", page))
                packages = set(re.findall(r"com\.example\.(\w+)", page))
                schemes = set(re.findall(r"\b(rider|driver)://", page))
                cases += 1
                if status != 200 or stores != {store} or not packages <= {owner} or not schemes <= {owner} or \
                        (browser in ("a computer", "Android") and not packages):
                    wrong.append(f"{link} for {browser} should name {owner}: {status} {stores} {packages} {schemes}")
        agree("the page of a link names the store of its app alone", cases, wrong)

    def files(self):
        teams.part(self)

    def bundles(self):
        key = self.folder / "bundle.key"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
        key.chmod(0o600)
        links = self.links(self.count(5000, 300))
        faulty = [f"https://{model.HOST}/{model.damaged(self.random, path)}" for path, _, _ in
                  (model.walk(self.random) for _ in range(self.count(2000, 100)))]
        written = sorted({entry["link"] for entry in yaml.safe_load((FAMILY / "links.yaml").read_text())})
        with self.server() as server:
            for name in model.NAMES:
                catalog = self.bundle(name, key)
                client = Client(server.port)
                asked = [(question(link, self.random.choice(model.USERS), None), stack) for link, _, stack in links]
                asked += [(question(link, model.ALL, None), None) for link in faulty]
                whole = self.batch(client, [case | {"app": f"{name}.ios/1"} for case, _ in asked])
                with self.server(catalog) as other:
                    own = self.batch(Client(other.port), [case for case, _ in asked])
                wrong, counts = [], {"plans": 0, "gates": 0, "of the other app": 0, "with a fault": 0}
                for (case, stack), of_server, of_bundle in zip(asked, whole, own):
                    kind = model.found(of_server)[0]
                    if kind == "other-app":
                        holds = model.found(of_bundle)[0] == "no-matching-route"
                    elif stack is None and kind != "plan":
                        # The path may end earlier for the app alone, without the other's routes.
                        holds = model.found(of_bundle)[0] not in ("plan", "other-app")
                    else:
                        holds = plain(of_server) == plain(of_bundle)
                    counts["of the other app" if kind == "other-app" else "plans" if kind == "plan" else
                           "with a fault" if stack is None else "gates"] += 1
                    if not holds:
                        wrong.append(f"{json.dumps(case)} in the bundle is {json.dumps(of_bundle)[:300]}, and the server answers "
                                     f"{name} {json.dumps(of_server)[:300]}")
                agree(f"the bundle of {name} answers as the server does for it", len(asked), wrong)
                expect("plans, gates, faults and links of the other app are among them", all(counts.values()), counts)
                self.resolved(client, name, catalog, written)
                self.generated(name)

    def bundle(self, name, key):
        """The catalog in the bundle of an app, as its engine loads it."""
        bundle, catalog = self.folder / f"{name}.bundle", self.folder / f"{name}.json"
        run = self.run("catalog", "bundle", FAMILY / "catalog.yaml", "--app", name, "--key", key, "--sequence", "1",
                       "--output", bundle)
        assert run.returncode == 0, run.stderr
        catalog.write_bytes(bundle.read_bytes().split(b'"catalog":', 1)[1].removesuffix(b"}"))
        document = json.loads(catalog.read_text())
        routes = {route["name"] for route in document["routes"]}
        named = [route["name"] for route in document["routes"] if "app" in route]
        own = {"rider": {"rider", "map", "trips", "order"},
               "driver": {"driver", "jobs", "job", "payouts", "payout", "documents"}}
        common = model.ROUTES - own["rider"] - own["driver"]
        wanted = {f"ABCDE12345.com.example.{name}", f"com.example.{name}"}
        apps = [app["appID"] for app in document["apps"]["ios"]] + [app["package"] for app in document["apps"]["android"]]
        expect(f"the bundle of {name} has its routes and its app alone",
               routes == own[name] | common and not named and set(apps) == wanted,
               f"{sorted(routes)}, {apps}")
        return catalog

    def resolved(self, client, name, catalog, links):
        """`waymark resolve` on the bundle's catalog, beside the server's answer to the app."""
        wrong, cases = [], 0
        chosen = self.random.sample(links, 4) if self.quick else links
        for link in chosen:
            for users in (model.ALL, ("guest", ())):
                case = question(link, users, f"{name}.ios/1")
                of_server = self.batch(client, [case])[0]
                words = ["--grants", ",".join(users[1])] if users[1] else []
                run = self.run("resolve", link, "--level", users[0], *words, "--catalog", catalog, "--format", "json")
                answer = json.loads(run.stdout) if run.stdout.strip() else {}
                kind, cases = model.found(of_server)[0], cases + 1
                holds = run.returncode == 1 and model.found(answer)[0] == "no-matching-route" if kind == "other-app" else \
                    run.returncode == (0 if kind == "plan" else 1) and plain(answer) == plain(of_server)
                if not holds:
                    wrong.append(f"{json.dumps(case)}: exit code {run.returncode}, {run.stdout[:300]}{run.stderr[:200]}, and the "
                                 f"server {json.dumps(of_server)[:300]}")
        agree(f"`waymark resolve` on the bundle of {name} agrees", cases, wrong)

    def generated(self, name):
        """The code for an app names it, and has the routes of no other."""
        folder = self.folder / f"code-{name}"
        run = self.run("generate", "typescript", FAMILY / "catalog.yaml", "--app", name, "--output", folder)
        code = (folder / "appRoute.ts").read_text() if run.returncode == 0 else run.stderr
        own, other = ("jobs", "order") if name == "driver" else ("order", "jobs")
        expect(f"`generate typescript --app {name}` names the app, and has its routes alone",
               f'appName: "{name}"' in code and f'"{own}"' in code and f'"{other}"' not in code,
               re.findall(r'appName: "\w*"', code) or code[:200])

    def groups(self):
        groups.part(self)


def question(link, users, app):
    """The body of a resolve."""
    level, grants = users
    return {"link": link, "level": level} | ({"grants": list(grants)} if grants else {}) | ({"app": app} if app else {})


def plain(answer):
    """An answer without what is new each time, and without the name of the catalog and the app."""
    return {key: value for key, value in answer.items() if key not in ("continuation", "catalogVersion", "app")}


def main():
    options = parts.options(__doc__, ("apps", "phones", "files", "bundles", "groups"))
    with parts.folder("family") as folder:

        def run(part):
            begin = time.monotonic()
            # Each part has its own numbers, so that one alone repeats what it does among all.
            family = Family(options, folder / part)
            family.folder.mkdir()
            family.random.seed(f"{options.seed} {part}")
            getattr(family, part)()
            cluster.say(f"     {part}: {time.monotonic() - begin:.0f} s")

        # The files mostly wait for the server to look at them: in the short form, the other parts run meanwhile.
        beside = [part for part in options.parts if part == "files" and options.quick]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            running = [pool.submit(run, part) for part in beside]
            for part in options.parts:
                if part not in beside:
                    run(part)
            for one in running:
                one.result()
    return parts.verdict()


if __name__ == "__main__":
    sys.exit(main())
