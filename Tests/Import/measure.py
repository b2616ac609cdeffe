#!/usr/bin/env python3
"""Measures drafts on the tables of real apps: a draft from half of an app's links, the other half resolved by it.

usage: scripts/prove import [--quick] [--binary FILE]

The links are made from each catalog of Config/examples/apps, some paths more often than others. A draft's route stands for the
path of the hand-written catalog that most of its links have. At least 85 % of the other links reach such a route, at most 2 % one of
another path, and the draft has at most twice as many routes as the catalog has paths.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import yaml

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent.parent
SYLLABLES = [a + b for a in "ka lo mi ter san ver dor pel ri qu".split() for b in "na ble rin tos val ex ium ora".split()]


def edges(declared):
    for edge in declared if isinstance(declared, list) else [declared]:
        yield edge if isinstance(edge, dict) else {}


def optional(path):
    found = re.search(r"\{(\w+)\?\}", path)
    if not found:
        return [path]
    present = path.replace(found.group(0), "{%s}" % found.group(1), 1)
    return optional(present) + optional(re.sub("/?" + re.escape(found.group(0)), "", path, count=1).strip("/"))


def paths(catalog):
    """The full paths of a catalog, and the types of the parameters by name."""
    routes, found, types = catalog["routes"], set(), {}

    def walk(name, declared, prefix, above):
        route = routes.get(name) or {}
        for edge in edges(declared):
            own = "path" in edge or "paths" in edge
            if "query" in edge or ("query" in route and not own):
                continue
            for key, value in (edge.get("parameters") or route.get("parameters") or {}).items():
                if isinstance(value, dict):
                    types[key] = value.get("values") or value.get("type", "string")
                else:
                    types.setdefault(key, value)
            aliases = edge.get("aliases") or ([] if own else route.get("aliases") or [])
            for path in (edge.get("paths") or [edge.get("path", route.get("path", name))]) + aliases:
                full = (prefix + "/" + (path or "").strip("/")).strip("/")
                full = re.sub(r"\{(\w+)\*\}", r"{\1}", full)
                if "{_" in full:
                    continue
                found.update(one for one in optional(full) if one)
                if name not in above and len(above) < 6:
                    for child, below in (route.get("opens") or {}).items():
                        walk(child, below, full, above | {name})

    for name, declared in catalog["entry"].items():
        walk(name, declared, "", frozenset())
    return sorted(found), types


def links(catalog, count, chance):
    """Links with the paths that they were made of."""
    found, types = paths(catalog)
    kinds = {}

    def value(path, name):
        declared = types.get(name)
        if isinstance(declared, list):
            return chance.choice(declared)
        if declared == "bool":
            return chance.choice(["true", "false"])
        if declared == "double":
            return "%d.%d" % (chance.randrange(99), chance.randrange(1, 99))
        kind = 0 if declared == "int" else kinds.setdefault((path.split("/")[0], name), chance.randrange(4))
        if kind == 0:
            return str(chance.randrange(1, 10 ** chance.randrange(2, 9)))
        if kind == 1:
            return "-".join(chance.choice(SYLLABLES) for _ in range(chance.randrange(1, 4)))
        if kind == 2:
            return "%08x-%04x-4%03x-a%03x-%012x" % tuple(chance.randrange(16 ** n) for n in (8, 4, 3, 3, 12))
        return chance.choice(SYLLABLES) + str(chance.randrange(100))

    order = found[:]
    chance.shuffle(order)
    weights = [1 / (place + 1) ** 0.7 for place in range(len(order))]
    made = []
    for path in chance.choices(order, weights=weights, k=count):
        text = re.sub(r"\{(\w+)\}", lambda match: value(path, match.group(1)), path)
        made.append(("https://app.example.com/" + text, path))
    return made, len(found)


def outcomes(binary, catalog, texts, folder):
    """The stacks of links, or nothing for a link that is refused."""
    file = folder / "links.txt"
    file.write_text("".join(text + "\n" for text in texts))
    done = subprocess.run(
        [binary, "check", file, "--catalog", catalog, "--format", "json"], check=False, capture_output=True, text=True)
    return [result["outcome"] if result["passed"] else None for result in json.loads(done.stdout)["results"]]


def measure(binary, name, count, folder):
    """Prints the row of one app, and returns whether it is as good as it has to be."""
    catalog = yaml.safe_load((CHECKOUT / f"Config/examples/apps/{name}.yaml").read_text())
    made, pathCount = links(catalog, 2 * count, random.Random(4))
    first, second = made[:count], made[count:]
    source, draft = folder / "source.txt", folder / "draft.yaml"
    source.write_text("".join(text + "\n" for text, _ in first))
    subprocess.run([binary, "catalog", "import", "--links", source, "--output", draft], check=True, capture_output=True)
    routes = len(yaml.safe_load(draft.read_text())["routes"])
    owners = collections.defaultdict(collections.Counter)
    for (_, path), stack in zip(first, outcomes(binary, draft, [text for text, _ in first], folder)):
        owners[stack][path] += 1
    right = wrong = 0
    for (_, path), stack in zip(second, outcomes(binary, draft, [text for text, _ in second], folder)):
        if stack is not None and owners[stack]:
            isRight = owners[stack].most_common(1)[0][0] == path
            right, wrong = right + isRight, wrong + (not isRight)
    right, wrong = 100 * right / len(second), 100 * wrong / len(second)
    print(f"| {name} | {count:,} | {pathCount} | {routes} | {right:.1f} % | {wrong:.1f} % |", flush=True)
    return right >= 85 and wrong <= 2 and routes <= 2 * pathCount


def main():
    parser = argparse.ArgumentParser(prog="scripts/prove import", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.environ.get("WAYMARK_BINARY"))
    parser.add_argument("--quick", action="store_true", help="2,000 links alone")
    options = parser.parse_args()
    names = sorted(path.stem for path in (CHECKOUT / "Config/examples/apps").glob("*.yaml"))
    print("| app | links | paths by hand | routes drafted | right | wrong |\n|---|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        isGood = [
            measure(options.binary, name, count, pathlib.Path(folder))
            for name in names for count in ([2000] if options.quick else [500, 2000, 20000])
        ]
    return 0 if all(isGood) else 1


if __name__ == "__main__":
    sys.exit(main())
