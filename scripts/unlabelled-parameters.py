#!/usr/bin/env python3
"""Lists the functions and initializers that take two or more parameters without a label.

Usage: unlabelled-parameters.py [FOLDER…]    FOLDER: a folder of Swift files; Sources without one

Prints a line for each: file, line, number of parameters without a label, declaration; and at the end the shares of those
with two or more and with three or more. Exits with 1 where a share is above that of well-kept Swift libraries: 4 % and
0.4 %. Labels are left out for peers alone (API Design Guidelines, "Omit all labels when arguments can't be usefully
distinguished"); a list of any length, such as those of `print`, is one parameter of peers.
"""
import pathlib
import re
import sys

DECLARATION = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)\n]*\))?[ \t]+|[a-z]+(?:\([a-z]+\))?[ \t]+)*(?:func[ \t]+`?(\w+)`?|(init)[?!]?)[ \t]*(?=[<(])",
    re.MULTILINE)
LIMITS = {2: 4.0, 3: 0.4}


def without_comments(text):
    """The text with comments and strings blanked, so that places stay."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|#"""(?:.*?)"""#|"""(?:.*?)"""|#"(?:[^\n]*?)"#|"(?:\\.|[^"\\\n])*"', re.DOTALL)
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def parameters(text, start):
    """The parameters of the list that begins at a parenthesis, and the place after it."""
    depth, begin, found = 0, start + 1, []
    for place in range(start, len(text)):
        character = text[place]
        if character in "([{" or character == "<" and text[place - 1] != " ":
            depth += 1
        elif character in ")]}" or character == ">" and text[place - 1] not in "- ":
            depth -= 1
            if depth == 0 and character == ")":
                found.append(text[begin:place])
                return [one.strip() for one in found if one.strip()], place + 1
        elif character == "," and depth == 1:
            found.append(text[begin:place])
            begin = place + 1
    return [], len(text)


def skip_generics(text, start):
    """The place of the parenthesis behind `<…>`, or the start."""
    depth = 0
    for place in range(start, len(text)):
        if text[place] == "<":
            depth += 1
        elif text[place] == ">" and text[place - 1] != "-":
            depth -= 1
        if depth == 0 and text[place] == "(":
            return place
    return start


def main():
    total, counts = 0, {2: 0, 3: 0}
    for folder in sys.argv[1:] or ["Sources"]:
        for file in sorted(pathlib.Path(folder).rglob("*.swift")):
            text = without_comments(file.read_text())
            for match in DECLARATION.finditer(text):
                start = skip_generics(text, match.end())
                found, end = parameters(text, start)
                total += 1
                bare = sum(1 for one in found if re.match(r"(?:@\w+ +)*_ ", one) and not one.endswith("..."))
                for limit in counts:
                    counts[limit] += bare >= limit
                if bare >= 2:
                    line = text.count("\n", 0, match.start() + len(match.group()) - len(match.group().lstrip())) + 1
                    name = match.group(1) or match.group(2)
                    print(f"{file}:{line}: {bare}: {name}({', '.join(' '.join(one.split()) for one in found)})")
    shares = {limit: 100 * count / max(total, 1) for limit, count in counts.items()}
    print(f"{total} functions; {counts[2]} ({shares[2]:.1f} %) have two or more parameters without a label, "
          f"{counts[3]} ({shares[3]:.2f} %) three")
    return any(shares[limit] > most for limit, most in LIMITS.items())


sys.exit(main())
