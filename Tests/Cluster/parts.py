"""Proofs in parts: their options, the module and the folder that they need, the count of their cases, and their verdict."""

import argparse
import contextlib
import importlib
import os
import pathlib
import random
import shutil
import sys
import tempfile

import cluster
import waymark
from cluster import expect, failures


def options(documentation, parts, *own, has_seed=True):
    """Reads the options of a proof: the program, the form, the seed, its own ones, the parts. `--help` prints the documentation."""
    if {"--help", "-h"} & set(sys.argv[1:]):
        print(documentation)
        sys.exit(0)
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--binary", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--quick", action="store_true")
    if has_seed:
        parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    for name in own:
        parser.add_argument(name)
    parser.add_argument("parts", nargs="*", choices=[*parts, []])
    read = parser.parse_args()
    read.parts = read.parts or list(parts)
    waymark.unwind_when_terminated()
    if has_seed:
        cluster.say(f"seed {read.seed}")
    return read


def module(name, package):
    """Imports a module of a Debian package, or ends."""
    try:
        return importlib.import_module(name)
    except ImportError:
        cluster.say(f"there is no module {name} (Debian's {package})")
        sys.exit(69)


@contextlib.contextmanager
def folder(name):
    """A folder that goes with the proof. Servers of other users may enter it."""
    made = pathlib.Path(tempfile.mkdtemp(prefix=f"waymark-{name}.", dir=os.environ.get("TMPDIR", "/var/tmp")))
    made.chmod(0o755)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def agree(name, cases, wrong):
    """Says how many cases there were, and the first that are wrong."""
    expect(name, cases and not wrong, f"{cases:,} cases, {len(wrong)} wrong" + "".join(f"\n    {one}" for one in wrong[:3]))


def verdict():
    """Says how many violations there were, and returns the exit code."""
    cluster.say(f"{len(failures)} violations")
    return 1 if failures else 0
