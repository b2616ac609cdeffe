"""Pages of the manual, one for each command, made from what `--experimental-dump-help` prints."""

import re


def pages(help_tree, version, date):
    """The text of each page by its name, such as `waymark-token-create`."""
    found = {}

    def visit(command, parents):
        names = [*parents, command["commandName"]]
        if command.get("shouldDisplay", True) and names[1:2] != ["help"]:
            found["-".join(names)] = page(command, names, version, date)
            for child in command.get("subcommands", []):
                visit(child, names)

    visit(help_tree["command"], [])
    return found


def page(command, names, version, date):
    """One page, in the language of man(7)."""
    name = "-".join(names)
    arguments = [one for one in command.get("arguments", []) if one.get("shouldDisplay", True)]
    children = [one for one in command.get("subcommands", []) if one.get("shouldDisplay", True)]
    lines = [
        f'.TH "{name.upper()}" "1" "{date}" "Waymark {version}" "Waymark"',
        ".nh", ".ad l",
        ".SH NAME", f"{escaped(name)} \\- {escaped(command['abstract'].rstrip('.'))}",
        ".SH SYNOPSIS", f".B {escaped(' '.join(names))}",
        *(synopsis(one) for one in arguments if not is_common(one)),
    ]
    if children:
        lines.append("\\fIcommand\\fR")
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *paragraphs(command["discussion"])]
    for title, kinds in (("ARGUMENTS", ("positional",)), ("OPTIONS", ("option", "flag"))):
        chosen = [one for one in arguments if one["kind"] in kinds]
        if chosen:
            lines += [f".SH {title}"]
        for one in chosen:
            lines += [".TP", heading(one), *explanation(one)]
    if children:
        lines += [".SH COMMANDS"]
        for child in children:
            lines += [".TP", f"\\fB{escaped(child['commandName'])}\\fR", escaped(child["abstract"])]
    if len(names) == 1:
        lines += [".SH EXIT STATUS", *exit_codes(command["discussion"])]
    lines += [".SH SEE ALSO", see_also(names, children)]
    return "\n".join(lines) + "\n"


def is_common(argument):
    """Whether every command has it: `--version`, `--help`."""
    return argument.get("valueName") in ("version", "help") and argument["kind"] == "flag"


def spelled(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def value(argument):
    return f"\\fI{escaped(argument['valueName'])}\\fR"


def synopsis(argument):
    """An argument of the first line: in brackets where it may be left out."""
    dots = " ..." if argument["isRepeating"] else ""
    if argument["kind"] == "positional":
        text = value(argument)
    else:
        text = f"\\fB{escaped(spelled(argument['preferredName']))}\\fR"
        text += f" {value(argument)}" if argument["kind"] == "option" else ""
    return f"[{text}]{dots}" if argument["isOptional"] else text + dots


def heading(argument):
    if argument["kind"] == "positional":
        return value(argument)
    names = sorted(argument["names"], key=lambda name: name["kind"] != "short")
    text = ", ".join(f"\\fB{escaped(spelled(name))}\\fR" for name in names)
    return text + (f" {value(argument)}" if argument["kind"] == "option" else "")


def explanation(argument):
    """The sentences on an argument, with its values and its default."""
    sentences = [argument.get("abstract", "")]
    if argument.get("allValues"):
        sentences.append("Values: " + ", ".join(argument["allValues"]) + ".")
    if argument.get("defaultValue"):
        sentences.append(f"Default: {argument['defaultValue']}.")
    return [escaped(" ".join(sentence for sentence in sentences if sentence) or "\\&")]


def paragraphs(text):
    """Paragraphs of prose are filled; those with lines of commands stay as they are."""
    lines = []
    for paragraph in text.strip().split("\n\n"):
        if "\n" in paragraph:
            lines += [".PP", ".nf", *(escaped(line) for line in paragraph.split("\n")), ".fi"]
        else:
            lines += [".PP", escaped(paragraph)]
    return lines


def exit_codes(text):
    """The exit codes that the command line's help lists in a sentence: `Exit codes: 0 done, 1 …`."""
    found = re.search(r"Exit codes: (.*)\.", text)
    if not found:
        raise ValueError("the help of `waymark` lists no exit codes")
    lines = []
    for code in found.group(1).split(", "):
        number, _, meaning = code.partition(" ")
        lines += [".TP", number, escaped(meaning)]
    return lines


def see_also(names, children):
    others = ["-".join([*names, child["commandName"]]) for child in children if child["commandName"] != "help"]
    if len(names) > 1:
        others.insert(0, "-".join(names[:-1]))
    return ", ".join(f"\\fB{escaped(other)}\\fR(1)" for other in others)


def escaped(text):
    """Text as roff takes it: a line that begins with a point or an apostrophe is none of its commands."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(character if ord(character) < 128 else f"\\[u{ord(character):04X}]" for character in text)
    return "\\&" + text if text[:1] in (".", "'") else text
