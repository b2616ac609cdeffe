"""Five tabs and fifty common screens: by groups in about sixty lines, and with each edge written by hand."""

import json
import random

from cluster import Client, expect

TABS, SCREENS = 5, 50
HEAD = """\
version: 1
origins: [{ scheme: https, hosts: [social.example.com] }, { scheme: social, authority: segment }]
apps: { ios: [{ appID: ABCDE12345.com.example.social, storeID: 1000000003, scheme: social }] }
levels: [guest, member]
gates: { member: /login }
entry: { tabs: { presentation: root, initial: true }, login: root }
"""


class Screens:
    """What both catalogs have: edges of tabs, screens and groups, by the numbers of a generator."""

    def __init__(self, generator):
        self.random = generator
        names = [f"s{number}" for number in range(SCREENS)]
        # The last ones are sheets that open nothing.
        self.leaves = names[-6:]
        self.groups = {"common": {name: generator.choice(["push", "push", "sheet"]) for name in names[:35]},
                       "menu": {name: generator.choice(["push", "fullScreenCover"]) for name in names[35:]}}
        self.routes = {"login": ("{}", {}, ())}
        tabs = {f"t{number}": "{ presentation: tab, initial: true }" if number == 0 else "tab" for number in range(TABS)}
        self.routes["tabs"] = ('path: ""', tabs, ())
        for tab in tabs:
            # Own edges come before those of the groups, and may lead to the same screen by another path.
            edge = f'{{ presentation: push, path: "own-{tab}/{{id}}", parameters: {{ id: int }} }}'
            own = {generator.choice(names[:35]): edge} if generator.random() < 0.6 else {}
            self.routes[tab] = ("", own, ("common", "menu"))
        for name in names:
            kind = generator.choice(["int", "string", "uuid", "{ type: enum, values: [red, blue] }"])
            text = {0: f'path: "{name}/{{id}}", parameters: {{ id: {kind} }}', 1: f"path: {name}x", 2: "",
                    3: f"parameters: {{ q: string, n{name}: {{ type: int, default: 3 }} }}"}[generator.randrange(4)]
            text += (", " if text else "") + "authorizationLevel: member" if generator.random() < 0.2 else ""
            groups = ("common", "menu") if generator.random() < 0.8 else ("menu",)
            self.routes[name] = (text, {}, () if name in self.leaves else groups)

    def text(self, by_hand):
        """The catalog, with groups or with each edge."""
        lines = [HEAD]
        if not by_hand:
            lines.append("groups:\n")
            for name, edges in self.groups.items():
                lines.append(f"  {name}: {{ {', '.join(f'{to}: {kind}' for to, kind in edges.items())} }}\n")
        lines.append("routes:\n")
        for name, (text, own, groups) in self.routes.items():
            opens = {to: [edge] for to, edge in own.items()}
            if by_hand:
                for group in groups:
                    for to, kind in self.groups[group].items():
                        opens.setdefault(to, []).append(kind)
            parts = [text] if text not in ("", "{}") else []
            if opens:
                parts.append("opens: { " + ", ".join(f"{to}: {edges[0] if len(edges) == 1 else '[' + ', '.join(edges) + ']'}"
                                                     for to, edges in opens.items()) + " }")
            if groups and not by_hand:
                parts.append(f"groups: [{', '.join(groups)}]")
            lines.append(f"  {name}: {{ {', '.join(parts)} }}\n" if parts else f"  {name}: {{}}\n")
        return "".join(lines)


class Links:
    """Links of a catalog, as `GET /v1/catalog` describes it, and links with faults."""

    def __init__(self, document, generator):
        self.random, self.entry = generator, document["entry"]
        self.routes = {route["name"]: route for route in document["routes"]}

    def segments(self, edge):
        route = self.routes[edge["route"]]
        path = edge.get("path", route.get("path", ""))
        parameters = edge.get("parameters", route.get("parameters", []))
        for parameter in parameters:
            value = {"int": "7", "uuid": "123e4567-e89b-12d3-a456-426614174000", "enum": "red"}.get(parameter["type"], "ann")
            path = path.replace(f"{{{parameter['name']}}}", value)
        return path

    def link(self):
        edges, segments = self.entry, []
        query = self.random.choice(["", "", "?q=tea", "?ns3=4", "?ns7=x&q=a", "?unused=1"])
        while edges and (not segments or self.random.random() < 0.75) and len(segments) < 9:
            edge = self.random.choice(edges)
            segments.append(self.segments(edge))
            edges = self.routes[edge["route"]]["opens"]
            if edge["route"] == "tabs":
                segments.append(self.segments(edge := self.random.choice(edges)))
                edges = self.routes[edge["route"]]["opens"]
        path = "/".join(segment for segment in segments if segment)
        if self.random.random() < 0.25:
            place = self.random.randrange(len(path) + 1)
            path = path[:place] + self.random.choice(["", "x", "/", "%20", "s1/"]) + path[place + self.random.randrange(2):]
        return self.random.choice(["https://social.example.com/", "social://"]) + path + query


def bare(value):
    """A document without what may differ: its version, places, groups, and tokens."""
    if isinstance(value, dict):
        return {key: bare(one) for key, one in value.items()
                if key not in ("catalogVersion", "location", "group", "continuation")}
    return [bare(one) for one in value] if isinstance(value, list) else value


def part(family):
    for number in range(family.count(5, 1)):
        screens, paths, documents, answers, files = Screens(random.Random(f"{family.seed} groups {number}")), [], [], [], []
        for by_hand in (False, True):
            path = family.folder / f"{number}-{'by-hand' if by_hand else 'groups'}.yaml"
            path.write_text(screens.text(by_hand))
            paths.append(path)
        counted = [family.run("catalog", "check", path) for path in paths]
        told = [one.stdout.partition("version ")[2].strip().partition(", ")[2] for one in counted]
        lines = [len(path.read_text().splitlines()) for path in paths]
        is_sound = all(one.returncode == 0 for one in counted)
        expect("both catalogs are sound, with the same routes and edges", is_sound and told[0] == told[1] and told[0],
               f"number {number}, {lines[0]} lines, {told[0]}; by hand {told[1]}"
               + "".join(f"\n    {one.stdout[:300]}{one.stderr[:300]}" for one in counted if one.returncode))
        if not is_sound:
            continue
        expect("five tabs and fifty screens take about sixty lines", lines[0] <= 70, f"{lines[0]} lines")
        for path in paths:
            with family.server(path) as server:
                client = Client(server.port)
                documents.append(json.loads(client.get("/v1/catalog")[1]))
                status, data, _ = client.get("/.well-known/apple-app-site-association", {"Host": "social.example.com"})
                files.append((status, data))
                if not answers:
                    links = Links(documents[0], family.random)
                    cases = [{"link": links.link(), "level": family.random.choice(["guest", "member"])}
                             for _ in range(family.count(40_000, 1000))]
                    cases = [case | {"explain": True} if number % 10 == 0 else case for number, case in enumerate(cases)]
                answers.append(family.batch(client, cases))
        wrong = [(case, json.dumps(one)[:300], json.dumps(other)[:300]) for case, one, other in zip(cases, *answers)
                 if bare(one) != bare(other)]
        plans = sum("stack" in answer and "type" not in answer for answer in answers[0])
        gates = sum("gate" in answer for answer in answers[0])
        expect("groups answer as edges written by hand", plans and gates and len(cases) - plans - gates and not wrong,
               f"{len(cases):,} links, {plans:,} plans, {gates:,} gates, {len(wrong)} differ"
               + "".join(f"\n    {one}" for one in wrong[:3]))
        expect("`GET /v1/catalog` has the same edges", bare(documents[0]) == bare(documents[1]), f"{told[0]}")
        edges = [edge for route in documents[0]["routes"] for edge in route["opens"]]
        expect("it names the group of an edge", {edge.get("group") for edge in edges} == {None, "common", "menu"},
               f"{sum('group' in edge for edge in edges):,} of {len(edges):,} edges")
        expect("the association files are equal", files[0] == files[1] and files[0][0] == 200, f"{len(files[0][1]):,} bytes")
