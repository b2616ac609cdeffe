#!/usr/bin/env python3
"""Proves that the folders of a target stand in an order: the types of one use those of others, and never the reverse.

usage: scripts/folder-circles.py FOLDER …    FOLDER: that of a target

Inside a target the compiler sees no folders, so arrows between them are counted from the names of types: a name that is
declared in one folder only and used in another. Arrows that are allowed to point back stand below, each with its reason;
the others must form no circle, of two folders or of more. Prints every arrow of every circle with the files that draw it.
"""

import collections
import pathlib
import re
import sys

# From where to where, and why; paths below the target's folder.
BACK = {
    "DeepLinkCore": {
        ("Catalog/Checks", "Resolver"): "GateChecks resolves each gate with the engine that will send users there;",
        ("Catalog/Checks", "Catalog"): "for that it needs a catalog, whole but for its gates.",
        ("Catalog/Compiled", "Catalog/Checks"): "Paths that no rule tells apart show while the automaton is laid out.",
    },
}

DECLARATION = re.compile(
    r"^(?:(?:public|package|internal|fileprivate|private|final|indirect) )*"
    r"(?:struct|final class|class|enum|protocol|actor|typealias) (\w+)", re.MULTILINE)


def names_in(text):
    """The words of Swift code that may name types: neither comments nor strings count."""
    return re.sub(r'//.*|"(?:\\.|[^"\\\n])*"', "", text)


def arrows_of(root):
    """Maps (folder, other folder) to the files of the first that use types of the other, each with the types."""
    files = [(str(path.parent.relative_to(root)), path.name, names_in(path.read_text()))
             for path in sorted(root.rglob("*.swift"))]
    declared = collections.defaultdict(set)
    for folder, _, text in files:
        for name in DECLARATION.findall(text):
            declared[name].add(folder)
    arrows = collections.defaultdict(dict)
    for folder, file, text in files:
        for name in sorted(set(re.findall(r"\b[A-Z]\w*", text))):
            owners = declared.get(name, ())
            if len(owners) == 1 and folder not in owners:
                arrows[folder, next(iter(owners))].setdefault(file, []).append(name)
    return arrows


def circles(arrows):
    """The sets of folders that reach each other."""
    reached = collections.defaultdict(set)
    for start, _ in arrows:
        waiting = [start]
        while waiting:
            folder = waiting.pop()
            for one, other in arrows:
                if one == folder and other not in reached[start]:
                    reached[start].add(other)
                    waiting.append(other)
    together = {frozenset(other for other in reached[folder] if folder in reached[other]) for folder in list(reached)}
    return [circle for circle in sorted(together, key=sorted) if circle]


def main():
    breaches = 0
    for root in map(pathlib.Path, sys.argv[1:]):
        target = root.name
        arrows = arrows_of(root)
        allowed = BACK.get(target, {})
        for arrow in sorted(allowed.keys() - arrows.keys()):
            print(f"{target}: no arrow points back from {arrow[0]} to {arrow[1]} any more; strike it from the list")
            breaches += 1
        for circle in circles({arrow: files for arrow, files in arrows.items() if arrow not in allowed}):
            print(f"{target}: a circle of folders: {', '.join(sorted(circle))}")
            breaches += 1
            for (one, other), files in sorted(arrows.items()):
                if one in circle and other in circle and (one, other) not in allowed:
                    uses = "; ".join(f"{file}: {', '.join(names)}" for file, names in files.items())
                    print(f"    {one} -> {other} ({uses})")
    sys.exit(breaches > 0)


if __name__ == "__main__":
    main()
