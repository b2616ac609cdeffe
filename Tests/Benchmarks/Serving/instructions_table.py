"""The committed table of the user instructions of each kind of request, and what it demands of a count.

Counts hardly depend on the speed of a machine, but they do on its kind, on the compiler and on the C library, so the table
names those it was recorded with; elsewhere a check says that it is skipped.
"""

import json
import platform
import shutil
import subprocess

from targets import HERE

TABLE = HERE / "instructions.json"
# A kind that needs more than this share above its row has grown. A count varies with the speed of the machine: what is kept
# for a second, as what a token was checked for, is done again more often the fewer requests a second has. Where tasks
# answer, timers and waiting threads are counted too.
TOLERANCE, TASK_TOLERANCE = 0.03, 0.15
TASKS = ("redemption", "batch line", "user", "write of a user")
# The most instructions that the row of a kind may have, which is recorded where nothing else runs.
BUDGETS = {"plain": 40_000, "differing fields": 43_000, "POST": 43_000, "web link": 40_000, "refusal": 60_000}
# A kind that takes more than so many times a plain one needs a reason in the table.
UNREASONED_SHARE = 5
# The functions of a row that are kept, those with the most instructions, and the fewest instructions of those that are named.
FUNCTION_COUNT, LEAST_GROWTH = 60, 20


class InstructionTable:
    """The table."""

    def __init__(self, recorded, rows):
        self.recorded = recorded
        self.rows = rows

    @classmethod
    def read(cls):
        """Reads the table that is committed; an empty one if there is none."""
        content = json.loads(TABLE.read_text()) if TABLE.exists() else {}
        return cls(content.get("recorded", {}), content.get("rows", {}))

    def record(self, found):
        """Writes counts as the table, and keeps the reasons that are still needed."""
        rows = {}
        for kind, (count, own) in found.items():
            row = {"instructions": round(count), "tolerance": tolerance(kind)}
            if kind in BUDGETS:
                row["budget"] = BUDGETS[kind]
            if self._needs_reason(kind, found) and "reason" in self.rows.get(kind, {}):
                row["reason"] = self.rows[kind]["reason"]
            largest = sorted(own.items(), key=lambda one: -one[1])[:FUNCTION_COUNT]
            row["functions"] = {name: round(value) for name, value in largest}
            rows[kind] = row
        content = {"recorded": surroundings(), "rows": rows}
        TABLE.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    def reason_to_skip(self):
        """Says why counts of this machine can't be held against the table; nothing if they can."""
        here = surroundings()
        different = [f"{name} {here[name]}, in the table {self.recorded.get(name)}"
                     for name in here if here[name] != self.recorded.get(name)]
        return "; ".join(different)

    def faults(self, found):
        """Says for each kind whether it has grown, and by which functions, has a row over its budget, or lacks a reason."""
        lines = []
        for kind, (count, own) in found.items():
            row = self.rows.get(kind)
            if row is None:
                lines.append(f"{kind}: {count:,.0f} instructions, and no row in {TABLE.name}")
                continue
            if row["instructions"] > BUDGETS.get(kind, row["instructions"]):
                lines.append(f"{kind}: a row of {row['instructions']:,} instructions, over its budget of {BUDGETS[kind]:,}")
            if self._needs_reason(kind, found) and not row.get("reason"):
                lines.append(f"{kind}: {count:,.0f} instructions, over {UNREASONED_SHARE} × a plain one, without a reason")
            if count > row["instructions"] * (1 + tolerance(kind)):
                lines += grown(kind, count, own, row)
        lines += [f"{kind}: a row in {TABLE.name}, and not counted" for kind in self.rows if kind not in found]
        return lines

    def text(self, found):
        """Returns counts beside the table, in Markdown."""
        plain = found["plain"][0]
        lines = ["| kind of request | instructions | beside a plain one | committed |", "|---|--:|--:|--:|"]
        for kind, (count, _) in found.items():
            committed = f"{self.rows[kind]['instructions']:,}" if kind in self.rows else "–"
            lines.append(f"| {kind} | {count:,.0f} | {count / plain:.2f} × | {committed} |")
        return "\n".join(lines)

    @staticmethod
    def _needs_reason(kind, found):
        return found[kind][0] > UNREASONED_SHARE * found["plain"][0]


def tolerance(kind):
    """Returns the share by which a kind may grow."""
    return TASK_TOLERANCE if kind in TASKS else TOLERANCE


def grown(kind, count, own, row):
    """Says by how much a kind has grown, and by which functions."""
    former = row["functions"]
    # A function that is not in the row took at most as much as the least of those that are.
    least = min(former.values(), default=0)
    growths = sorted(((own[name] - former.get(name, min(least, own[name])), name) for name in own), reverse=True)[:5]
    share = count / row["instructions"] - 1
    lines = [f"{kind}: {count:,.0f} instructions, {share:+.1%} on {row['instructions']:,}; what grew:"]
    return lines + [f"    {growth:+,.0f} {demangled(name)}" for growth, name in growths if growth >= LEAST_GROWTH]


def surroundings():
    """Returns what counts depend on beside the code."""
    run = subprocess.run(["swift", "--version"], capture_output=True, text=True) if shutil.which("swift") else None
    version = run.stdout.splitlines()[0].split("(")[0].strip() if run and run.stdout else "none"
    return {"machine": platform.machine(), "compiler": version, "C library": " ".join(platform.libc_ver())}


def demangled(name):
    """A function's name as the source has it."""
    if not shutil.which("swift"):
        return name
    run = subprocess.run(["swift", "demangle", "--compact", "--simplified", name], capture_output=True, text=True)
    return run.stdout.strip() or name
