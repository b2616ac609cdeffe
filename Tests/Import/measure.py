#!/usr/bin/env python3
"""Measures drafts on the tables of apps: a draft from half of an app's links, the other half resolved by it.

usage: scripts/prove import [--quick] [--links COUNT …] [--seeds COUNT] [--catalogs FOLDER] [--binary FILE]

The tables are the catalogs of Config/examples/apps and the paths in Tests/Import/tables. Links are made from each: some paths and
some values more often than others, with languages, slashes at the end, campaigns and versions. A draft's route stands for the path
of the table that most of its links have. At least 85 % of the other links reach such a route, at most 2 % one of another path, and
the draft has at most twice as many routes as the table has paths. Some paths have no link in the half that is drafted: the column
`seen` has the share of the other links whose path has one. A row has the worst of several seeds in each column. The bounds must hold
from 3,000 links on. Rows of fewer links show what becomes of some four links of each path.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import yaml

import tables
from links import Traffic

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent.parent
# The fewest links of which the bounds must hold. Of 300 there are some four of each path.
LEAST = 3000
ROW = "| {} | {:,} | {} | {} | {:.1f} % | {:.1f} % | {:.1f} % | {} |"


def outcomes(binary, catalog, texts, folder):
    """The stacks of links, or nothing for a link that is refused."""
    file = folder / "links.txt"
    file.write_text("".join(text + "\n" for text in texts))
    done = subprocess.run(
        [binary, "check", file, "--catalog", catalog, "--format", "json"], check=False, capture_output=True, text=True)
    return [result["outcome"] if result["passed"] else None for result in json.loads(done.stdout)["results"]]


def measure(binary, table, count, seed, folder):
    """The numbers of one draft: its routes, and the shares that are seen, right and wrong."""
    chance = random.Random(f"{table.name} {count} {seed}")
    traffic = Traffic(table, chance, isZipf=seed % 2 == 0)
    first, second = traffic.links(count), traffic.links(min(count, 3000))
    source, draft = folder / "source.txt", folder / "draft.yaml"
    source.write_text("".join(text + "\n" for text, _ in first))
    done = subprocess.run([binary, "catalog", "import", "--links", source, "--output", draft], check=False, capture_output=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    routes = len(yaml.safe_load(draft.read_text())["routes"])
    owners = collections.defaultdict(collections.Counter)
    for (_, path), stack in zip(first, outcomes(binary, draft, [text for text, _ in first], folder)):
        owners[stack][path] += 1
    right = wrong = 0
    for (_, path), stack in zip(second, outcomes(binary, draft, [text for text, _ in second], folder)):
        if stack is not None and owners[stack]:
            isRight = owners[stack].most_common(1)[0][0] == path
            right, wrong = right + isRight, wrong + (not isRight)
    known = {path for _, path in first}
    share = 100 / len(second)
    return routes, share * sum(path in known for _, path in second), share * right, share * wrong


def row(binary, table, count, seeds, folder):
    """Prints the row of one table, the worst of all seeds in each column, and returns whether it is as good as it has to be."""
    made = [measure(binary, table, count, seed, folder) for seed in range(seeds)]
    routes = max(one[0] for one in made)
    seen, right = min(one[1] for one in made), min(one[2] for one in made)
    wrong = max(one[3] for one in made)
    holds = right >= 85 and wrong <= 2 and routes <= 2 * len(table.paths)
    isGood = holds or count < LEAST
    print(ROW.format(table.name, count, len(table.paths), routes, seen, right, wrong, "yes" if holds else "no"), flush=True)
    return isGood


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/prove import", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.environ.get("WAYMARK_BINARY"))
    parser.add_argument("--quick", action="store_true", help="3,000 links and two seeds, of the catalogs alone")
    parser.add_argument("--links", type=int, nargs="+", default=[300, 1000, 3000, 30000])
    parser.add_argument("--seeds", type=int, default=4, help="even ones have uneven paths and values")
    parser.add_argument("--catalogs", type=pathlib.Path, default=CHECKOUT / "Config/examples/apps")
    options = parser.parse_args()
    if options.quick:
        options.links, options.seeds = [3000], 2
    read = [tables.read(path) for path in sorted(options.catalogs.glob("*.yaml"))]
    if not options.quick:
        read += [tables.read(path) for path in sorted((CHECKOUT / "Tests/Import/tables").glob("*.txt"))]
    print("| app | links | paths | routes | seen | right | wrong | holds |\n|---|--:|--:|--:|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory() as folder:
        isGood = [row(options.binary, table, count, options.seeds, pathlib.Path(folder)) for table in read for count in options.links]
    return 0 if all(isGood) else 1


if __name__ == "__main__":
    sys.exit(main())
