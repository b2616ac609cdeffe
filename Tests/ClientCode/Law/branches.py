"""The lines and branches of modules that ran: a model that was never asked proves nothing."""

import ast
import collections
import pathlib
import sys


def function_lines(code):
    """The lines of the functions in a code object; the bodies of modules and classes run once, when they are loaded."""
    for constant in code.co_consts:
        if hasattr(constant, "co_lines"):
            # A body that has variables of its own is a function's.
            if constant.co_flags & 0x02:
                yield from (line for *_, line in constant.co_lines() if line and line != constant.co_firstlineno)
            yield from function_lines(constant)


def conditions(text):
    """The conditions and loops of a text: the first and the last line of each, and the first of its body."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.If, ast.While, ast.For)):
            condition = node.iter if isinstance(node, ast.For) else node.test
            yield node.lineno, condition.end_lineno, node.body[0].lineno


class Branches:
    """The lines and branches of some modules' functions that ran while they were watched (`with`)."""

    def __init__(self, *modules):
        self.files = [module.__file__ for module in modules]
        # The steps from line to line of each file; the line 0 is the end of a function.
        self.steps = {file: collections.Counter() for file in self.files}

    def __enter__(self):
        sys.settrace(self.call)

    def __exit__(self, *_):
        sys.settrace(None)

    def call(self, frame, event, _):
        steps = self.steps.get(frame.f_code.co_filename)
        if steps is None:
            return None
        last = 0

        def local(frame, event, _):
            nonlocal last
            if event != "exception":
                line = frame.f_lineno if event == "line" else 0
                steps[last, line] += 1
                last = line
            return local

        return local

    def report(self):
        """What ran, in words, and a list of what did not."""
        counts, lacking = collections.Counter(), []
        for file in self.files:
            text, name = pathlib.Path(file).read_text(encoding="utf-8"), pathlib.Path(file).name
            lines, ran = set(function_lines(compile(text, file, "exec"))), {to for _, to in self.steps[file]}
            counts["line"] += len(lines)
            lacking += [("line", f"{name}:{line} never ran") for line in sorted(lines - ran)]
            for begin, end, body in conditions(text):
                ways = {to for at, to in self.steps[file] if begin <= at <= end and not begin <= to <= end}
                counts["branch"] += 2
                lacking += [("branch", f"{name}:{begin} was never true")] * (body not in ways)
                lacking += [("branch", f"{name}:{begin} was never false")] * (not ways - {body})
        missing = collections.Counter(kind for kind, _ in lacking)
        return (f"{counts['line'] - missing['line']} of {counts['line']} lines and "
                f"{counts['branch'] - missing['branch']} of {counts['branch']} branches ran"), [item for _, item in lacking]
