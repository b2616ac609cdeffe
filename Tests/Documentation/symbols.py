#!/usr/bin/env python3
"""Builds the documentation of all library targets' symbols with docc, private ones included, and reports each warning.

The symbols of a target are what the compiler says of its sources, with the options that SwiftPM built them with: a
debug build must be there. All targets become one archive. `scripts/check docs` runs this.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The options that say what a source means; the rest is about objects and indexes, which nobody needs here.
WITH_VALUE = {
    "-I", "-Xcc", "-enable-upcoming-feature", "-module-cache-path", "-module-name", "-package-name", "-swift-version",
    "-target",
}


def targets():
    """The folders of Sources that a library target is made of: those that hold Swift, and no executable."""
    for folder in sorted((ROOT / "Sources").glob("*/*")):
        if any(folder.rglob("*.swift")) and not (folder / "main.swift").exists():
            yield folder.name


def options(target, manifest):
    """The options that a target was compiled with, from the manifest of the build."""
    node = re.search(rf'"C\.{target}-[^"]*-debug\.module":\n(.*?)\n\n', manifest, re.DOTALL)
    if not node:
        sys.exit(f"symbols: the debug build has no {target}; run `swift build`")
    words = iter(json.loads(re.search(r"args: (\[.*\])", node[1])[1])[1:])
    for word in words:
        if word in WITH_VALUE:
            yield from (word, next(words))
        elif word.startswith(("@", "-D", "-I/")):
            yield word


def extract(target, manifest, folder):
    """Writes the symbol graphs of a target into a folder."""
    command = ["swiftc", "-parse-as-library", "-wmo", "-emit-module", "-emit-module-path", f"{folder}/{target}.swiftmodule"]
    command += ["-emit-symbol-graph", "-emit-symbol-graph-dir", folder, "-symbol-graph-minimum-access-level", "private"]
    command += ["-symbol-graph-skip-synthesized-members", *options(target, manifest)]
    # Without the bodies it is quicker; Swift 6.3 stumbles over some that it should pass over.
    quick = subprocess.run([*command, "-Xfrontend", "-experimental-skip-all-function-bodies"], cwd=ROOT, capture_output=True)
    if quick.returncode != 0:
        subprocess.run(command, check=True, cwd=ROOT)


def docc():
    """The docc of the toolchain, which is not always on the path."""
    beside = pathlib.Path(shutil.which("swift") or sys.exit("symbols: Swift is not on the path")).resolve().parent
    return shutil.which("docc") or str(beside / "docc")


def main():
    build = subprocess.run(["swift", "build", "--show-bin-path"], check=True, cwd=ROOT, capture_output=True, text=True)
    manifest = (pathlib.Path(build.stdout.strip()).parents[1] / "debug.yaml").read_text()
    names = list(targets())
    with tempfile.TemporaryDirectory() as folder:
        for target in names:
            extract(target, manifest, folder)
        result = subprocess.run(
            [docc(), "convert", "Sources/Engine/DeepLinkCore/Documentation.docc", "--additional-symbol-graph-dir", folder]
            + ["--output-path", f"{folder}/waymark.doccarchive", "--fallback-display-name", "Waymark"]
            + ["--fallback-bundle-identifier", "waymark"],
            cwd=ROOT, capture_output=True, text=True,
        )
        pages = sum(1 for _ in pathlib.Path(folder).rglob("waymark.doccarchive/data/**/*.json"))
    report = result.stdout + result.stderr
    warnings = len(re.findall(r"^(warning|error):", report, re.MULTILINE))
    if result.returncode or warnings:
        print(report, end="")
        sys.exit(f"symbols: {warnings} warnings in the documentation of symbols")
    if pages < 1_000:
        sys.exit(f"symbols: only {pages} pages were made; there are more symbols than that")
    print(f"symbols: {pages} pages of {len(names)} targets, no warnings")


main()
