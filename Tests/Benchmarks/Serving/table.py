"""Collects what was measured, and prints it as a table in Markdown."""

import dataclasses

SIGNS = {"<=": "≤", ">=": "≥"}
MISSED = "**no**"


@dataclasses.dataclass
class Row:
    """Is one measure: our value, what stands beside it, their ratio, and what is wanted of which."""

    measure: str
    ours: str
    beside: str
    ratio: str
    target: str
    met: str


class Table:
    """Is all rows of a run, in the order in which they were added."""

    def __init__(self):
        self.rows = []

    def add(self, measure, ours, beside=None, target=None, unit="", of_ratio=True):
        """Adds a measure. `beside` is a name and a value of the same unit. `target` is `("<=", 0.55)` or `(">=", 1.6)`
        and holds for the ratio, where there is one and `of_ratio`, else for our value."""
        ratio = ours / beside[1] if beside and beside[1] else None
        judged = ratio if of_ratio and ratio is not None else ours
        wanted = met = "–"
        if target:
            sign, limit = target
            wanted = f"{SIGNS[sign]} {limit:,} {'×' if judged is ratio else unit}".strip()
            met = "yes" if (judged <= limit if sign == "<=" else judged >= limit) else MISSED
        self.rows.append(Row(
            measure, with_unit(ours, unit), f"{beside[0]}: {with_unit(beside[1], unit)}" if beside else "–",
            "–" if ratio is None else plain(ratio), wanted, met))

    @property
    def missed(self):
        """The measures whose target was missed."""
        return [row.measure for row in self.rows if row.met == MISSED]

    def markdown(self):
        """Writes the table."""
        lines = ["| measure | Waymark | beside | ratio | target | met |", "|---|--:|--:|--:|--:|---|"]
        lines += ["| " + " | ".join(dataclasses.astuple(row)) + " |" for row in self.rows]
        return "\n".join(lines)


def with_unit(value, unit):
    """Writes a value in a table."""
    return f"{plain(value)} {unit}".strip()


def plain(value):
    """Writes a number with about three digits."""
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
