#!/usr/bin/env python3
"""Counts habits of language in the documentation of the sources, and finds comments that only restate a name.

usage: scripts/english.py                            compares the counts with the limits, as scripts/house does
       scripts/english.py --target [PATH …]          prints the counts of each target, as a table in Markdown
       scripts/english.py --list PATTERN [PATH …]    prints the sentences with a pattern, and where they are
       scripts/english.py --restated [PATH …]        prints the comments that only restate a name

  PATH     a file or a folder; without one, Sources. Of a path that is named, pages (*.md) are read as well
  PATTERN  the name of a counter (semicolon, those-of, who, moment, leads, is-no), or a regular expression; case is ignored

In Swift only paragraphs of `///` comments count. Code, addresses, and labels such as "- Returns:" are left out.

A comment restates a name if it is a single line above a declaration, and each of its words is in the identifier or its type:
"The index of the shape." above `let shapeIndex`, or "The user." above `let id: UserID`. Articles, "of" and plurals make no
difference. Such a comment can go. Only public and package symbols must keep theirs until it says more: they are listed too,
without a limit.

Exit codes: 0 within the limits, 1 beyond one, 64 usage.
"""

import argparse
import bisect
import collections
import pathlib
import re
import signal
import sys

# The maximum of each count.
LIMITS = {
    "semicolon": 3.0,  # in percent of the sentences
    "those-of": 0.3,  # in 1,000 words, as are the next four
    "who": 0.8,
    "moment": 0.2,
    "leads": 0.4,
    "is-no": 0.6,
    "restated": 0,  # comments where none is required
}

# Of the sentences, in percent.
SHARES = {"semicolon": r";"}
# In 1,000 words.
RATES = {
    "those-of": r"\b(?:those|that) of\b",
    "who": r"\bwho(?:se)?\b",
    "moment": r"\bmoments?\b",
    "leads": r"\bleads?\b",
    "is-no": r"\b(?:is|has|have) no\b",
}
COUNTERS = SHARES | RATES
# Comments that restate a name: where none is required, and of public and package symbols.
RESTATED = ("restated", "restated-package")

MASK = "\0"
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
COMMENT = re.compile(r"^\s*/// ?(.*)$")
# A new item, heading or row begins a paragraph; labels such as `- Returns:` are no words of it.
ITEM = re.compile(r"^\s*(?:[-*+] (?:\w+(?: \w+)?: )?|\d+\. |#+ |\||>)")
FENCE = re.compile(r"^\s*(?:```|~~~)")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|\]\([^)]*\)|<[a-z]+:[^>]*>|https?://\S+")
END = re.compile(r"[.?!][\"'”’)\]*_]*\s+(?![a-z])| \| ")
Sentence = collections.namedtuple("Sentence", "file line text masked")


def paragraphs(file, text):
    """Yields the paragraphs of documentation: lists of pairs, number and text of a line."""
    is_page = file.suffix == ".md"
    paragraph, is_fenced, was_blank = [], False, True
    for number, line in enumerate(text.splitlines(), 1):
        match = COMMENT.match(line)
        body = line if is_page else match[1] if match else ""
        if not is_page and not match:
            is_fenced, was_blank = False, True
        elif FENCE.match(body):
            is_fenced, body = not is_fenced, ""
        elif is_fenced or was_blank and body.startswith("    ") and not ITEM.match(body):
            body = ""
        else:
            was_blank = not body.strip()
        item = ITEM.match(body)
        if (not body.strip() or item) and paragraph:
            yield paragraph
            paragraph = []
        if item:
            body = body[item.end():]
        if body.strip():
            paragraph.append((number, body.strip()))
    if paragraph:
        yield paragraph


def sentences(file, text):
    """Yields the sentences of documentation, with code masked."""
    for paragraph in paragraphs(file, text):
        starts, whole = [], ""
        for _, body in paragraph:
            starts.append(len(whole))
            whole += body + " "
        masked = CODE.sub(lambda match: MASK * len(match[0]), whole)
        start = 0
        for end in [match.end() for match in END.finditer(masked)] + [len(whole)]:
            if whole[start:end].strip():
                line = paragraph[bisect.bisect_right(starts, start) - 1][0]
                yield Sentence(file, line, whole[start:end].strip(), masked[start:end])
            start = end


# Access is said by modifiers, or by the extension or the type around: cases and requirements have that of their type.
MODIFIER = (
    r"(?:@\w+(?:\([^)]*\))?|public|package|internal|fileprivate|private|open|static|class|final|indirect|mutating|nonmutating"
    r"|nonisolated|lazy|weak|unowned|override|required|convenience|consuming|borrowing|private\(set\)|package\(set\)"
    r"|internal\(set\)|fileprivate\(set\)|nonisolated\(nonsending\))")
DECLARATION = re.compile(
    rf"^(?P<depth>\s*)(?P<modifiers>(?:{MODIFIER}\s+)*)"
    r"(?P<kind>let|var|func|case|struct|class|enum|protocol|actor|typealias|associatedtype|extension|macro)\s+"
    r"`?(?P<name>\w+)`?(?P<rest>.*)$")
ATTRIBUTE = re.compile(r"^\s*@[^ ]+(\(.*\))?\s*$")
# The type of a property, without collections and optionals.
TYPE = re.compile(r":\s*(?:any |some )?\[?(\w+)")
TYPES = {"struct", "class", "enum", "protocol", "actor", "extension"}
IGNORED = {"a", "an", "the", "of"}


def parts(identifier):
    """Splits an identifier by case, and lowers it: `HTTPHead` is `http head`."""
    identifier = re.sub(r"(?<=[A-Z])s\b", "", identifier)
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", identifier)]


def singular(word):
    """Returns a word without the ending of a plural, roughly: both sides of a comparison lose it."""
    return re.sub(r"ies$", "y", word) if word.endswith("ies") else re.sub(r"(?<!s)s$", "", word)


def words_of(text):
    """Returns the set of words in a comment or identifier."""
    return {singular(part) for word in re.findall(r"\w+", text) for part in parts(word)} - IGNORED


def access(lines, place, declaration):
    """Returns the access of the declaration in a line: by its own modifier, or by the type or extension around it."""
    own = re.search(r"\b(public|package|open|internal|fileprivate|private)\b(?!\()", declaration["modifiers"])
    if own:
        return own[1]
    depth = len(declaration["depth"])
    for outer_place in range(place - 1, -1, -1):
        outer = DECLARATION.match(lines[outer_place])
        if outer and outer["kind"] in TYPES and len(outer["depth"]) < depth:
            inherits = outer["kind"] in {"extension", "protocol"} or declaration["kind"] == "case"
            return access(lines, outer_place, outer) if inherits else "internal"
    return "internal"


def restated(file, text):
    """Yields the comments that restate a name: place, comment, name, and whether the symbol must have a comment."""
    lines = text.splitlines()
    for place, line in enumerate(lines[:-1]):
        comment = COMMENT.match(line)
        if not comment or place and COMMENT.match(lines[place - 1]) or COMMENT.match(lines[place + 1]):
            continue
        target = place + 1
        while target < len(lines) - 1 and ATTRIBUTE.match(lines[target]):
            target += 1
        declaration = DECLARATION.match(lines[target])
        if not declaration:
            continue
        known = words_of(declaration["name"])
        if of_type := TYPE.match(declaration["rest"]):
            known |= words_of(of_type[1])
        words = words_of(comment[1])
        # Code that a comment quotes is more than its words: a key of the catalog, a table.
        if words and words <= known and "`" not in comment[1]:
            is_required = access(lines, target, declaration) in {"public", "package", "open"}
            yield f"{file}:{place + 1}", comment[1], declaration["name"], is_required


class Counts:
    """The counts of some files."""

    def __init__(self):
        self.sentences, self.words, self.found = 0, 0, collections.Counter()

    def add(self, file, text):
        for sentence in sentences(file, text):
            self.sentences += 1
            self.words += len(WORD.findall(sentence.masked))
            for name, pattern in SHARES.items():
                self.found[name] += bool(re.search(pattern, sentence.masked))
            for name, pattern in RATES.items():
                self.found[name] += len(re.findall(pattern, sentence.masked, re.IGNORECASE))
        for *_, is_required in restated(file, text):
            self.found["restated-package" if is_required else "restated"] += 1

    def value(self, name):
        """Returns a count as its limit says it."""
        if name in SHARES:
            return 100 * self.found[name] / max(self.sentences, 1)
        if name in RATES:
            return 1000 * self.found[name] / max(self.words, 1)
        return self.found[name]


def unit(name):
    return " % of the sentences" if name in SHARES else " in 1,000 words" if name in RATES else ""


def show(name, value):
    return f"{value:.2f}" if name in RATES else f"{value:.1f}" if name in SHARES else f"{value}"


def texts(paths):
    """Yields files and their texts: Swift, and of paths that are named pages as well."""
    suffixes = {".swift", ".md"} if paths else {".swift"}
    for path in map(pathlib.Path, paths or ["Sources"]):
        if not path.exists():
            print(f"english: there is no {path}", file=sys.stderr)
            sys.exit(64)
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.suffix in suffixes and file.is_file():
                yield file, file.read_text()


def target_of(file):
    """Returns the folder of a target, such as `Engine/DeepLinkCore`; of other files, their folder."""
    return "/".join(file.parts[1:3]) if file.parts[0] == "Sources" else str(file.parent)


def print_table(paths):
    counts, total = collections.defaultdict(Counts), Counts()
    for file, text in texts(paths):
        counts[target_of(file)].add(file, text)
        total.add(file, text)
    names = [*COUNTERS, *RESTATED]
    print("| target | sentences | words | " + " | ".join(names) + " |")
    print("|---|--:|--:|" + "--:|" * len(names))
    for target, one in [*sorted(counts.items()), ("all", total)]:
        values = (show(name, one.value(name)) for name in names)
        print(f"| {target} | {one.sentences} | {one.words} | " + " | ".join(values) + " |")


def print_sentences(pattern, paths):
    try:
        expression = re.compile(COUNTERS.get(pattern, pattern), re.IGNORECASE)
    except re.error as error:
        print(f"english: {pattern} is no counter, and no regular expression: {error}", file=sys.stderr)
        sys.exit(64)
    for file, text in texts(paths):
        for sentence in sentences(file, text):
            if expression.search(sentence.masked):
                print(f"{file}:{sentence.line}: {sentence.text}")


def print_restated(paths):
    for file, text in texts(paths):
        for place, comment, name, is_required in restated(file, text):
            print(f"{place}: {comment} ({name}{'; required, so say more' if is_required else ''})")


def compare():
    """Prints each count that is beyond its limit; returns whether there is one."""
    counts, is_beyond = Counts(), False
    for file, text in texts([]):
        counts.add(file, text)
    for name, limit in LIMITS.items():
        value = round(counts.value(name), 2)
        if value > limit:
            option = "--restated" if name in RESTATED else f"--list {name}"
            print(f"{name}: {show(name, value)}{unit(name)}, at most {limit}; `scripts/english.py {option}` lists them")
            is_beyond = True
    return is_beyond


class Parser(argparse.ArgumentParser):
    """The parser of the options; its errors have the exit code of all scripts."""

    def error(self, message):
        print(f"english: {message}; --help tells more", file=sys.stderr)
        sys.exit(64)


def main(words):
    parser = Parser(add_help=False)
    for option in ("--help", "--target", "--restated"):
        parser.add_argument(option, action="store_true")
    parser.add_argument("--list")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args(words)
    if options.help:
        print(__doc__.strip())
    elif options.target:
        print_table(options.paths)
    elif options.list is not None:
        print_sentences(options.list, options.paths)
    elif options.restated:
        print_restated(options.paths)
    elif options.paths:
        parser.error("the limits are those of all sources; paths go with --target, --list or --restated")
    else:
        return int(compare())
    return 0


if __name__ == "__main__":
    # As other programs do when their reader, such as `head`, has ended.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main(sys.argv[1:]))
