#!/usr/bin/env python3
"""Writes the examples in the documentation of the engine's public symbols as functions that an app runs.

Usage: examples.py KEY, with the public key that signed the app's bundle, in place of the one that the examples name.

A line `expression  // value` is compared. Every public type has an example.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ["Engine", "Apps/WaymarkOffline"]
KEY = "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE"

# The names that examples use without declaring them.
CONTEXT = "bytes: [UInt8], signature: [UInt8], folder: URL, transport: any BundleTransport, store: CatalogStore"
DECLARATION = re.compile(r"(?:@\w+ )*public (?:(?:final|static|indirect) )*(\w+)\??(?: (\w+))?")
COMPARED = re.compile(r"(\S.*?) +// (.+)")
STATEMENTS = ("let ", "var ", "if ", "for ", "print(", "do ", "}", "try ", "//")


def symbols():
    """The public symbols, each with its place, kind, name and the lines of its documentation."""
    for room in ROOMS:
        for file in sorted((ROOT / "Sources" / room).rglob("*.swift")):
            lines, documentation = file.read_text().split("\n"), []
            for number, line in enumerate(map(str.strip, lines), 1):
                if line.startswith("///"):
                    documentation.append(line[3:].removeprefix(" "))
                    continue
                found = DECLARATION.match(line)
                if found and found[1] != "import":
                    yield f"{file.relative_to(ROOT)}:{number}", found[1], found[2], documentation
                documentation = []


def examples(documentation):
    """The blocks of Swift in the documentation of a symbol."""
    return re.findall(r"^```swift\n(.*?)\n```$", "\n".join(documentation), re.DOTALL | re.MULTILINE)


def function(number, place, code):
    """A function that runs an example."""
    lines = [f"/// {place}", f"func example{number}({CONTEXT}) async throws {{"]
    for line in code.split("\n"):
        compared = COMPARED.fullmatch(line)
        if compared and not line.startswith((" ", *STATEMENTS)):
            line = f"try check({compared[1]}, {compared[2]}, {place!r})".replace("'", '"')
        lines.append("    " + line)
    return "\n".join([*lines, "}", ""])


PRELUDE = """import DeepLinkCore
import Foundation
import WaymarkOffline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The difference between an example and its comment.
struct Difference: Error, CustomStringConvertible {
    let description: String
}

func check<Value: Equatable>(_ value: Value, _ wanted: Value, _ place: String) throws {
    if value != wanted { throw Difference(description: "\\(place): \\(value) in place of \\(wanted)") }
}
"""


def main():
    key = sys.argv[1]
    functions, calls, lacking = [], [], []
    for place, kind, name, documentation in symbols():
        codes = examples(documentation)
        if not codes and kind in ("actor", "class", "enum", "protocol", "struct"):
            lacking.append(f"{place}: {name} has no example")
        for code in codes:
            number = len(functions) + 1
            functions.append(function(number, place, code.replace(KEY, key)))
            names = re.findall(r"(\w+):", CONTEXT)
            calls.append(f"    try await example{number}({', '.join(f'{name}: {name}' for name in names)})")
    if lacking:
        sys.exit("\n".join(lacking))
    run = f"func runExamples({CONTEXT}) async throws -> Int {{\n" + "\n".join(calls) + f"\n    return {len(calls)}\n}}"
    print("\n".join([PRELUDE, *functions, run]))


main()
