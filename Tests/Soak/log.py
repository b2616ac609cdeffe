"""What the server's log says that it should not."""

import re

# The beginning of an entry of the log; some have several lines.
ENTRY = re.compile(r"^(?=\d{4}-\d\d-\d\dT\S+ [a-z]+ )", re.MULTILINE)
SEVERE = re.compile(r"\S+ (warning|error|critical) ")
REFUSAL = "The new catalog is refused; the former one serves on."


def faults(text):
    """Returns what is no mere information, without the refused catalogs, and what is no entry."""
    return [entry for entry in ENTRY.split(text)
            if entry.strip() and (SEVERE.match(entry) or not ENTRY.match(entry)) and REFUSAL not in entry]


def refusals(text):
    """Returns how many catalogs were refused."""
    return text.count(REFUSAL)
