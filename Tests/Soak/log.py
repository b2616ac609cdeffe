"""What the server's log says that it should not."""

import re

# The beginning of an entry of the log; some have several lines.
ENTRY = re.compile(r"^(?=\d{4}-\d\d-\d\dT\S+ [a-z]+ )", re.MULTILINE)
SEVERE = re.compile(r"\S+ (warning|error|critical) ")
# A file that was replaced is refused for its issues; one that was written in place, for being cut off as well.
REFUSAL = re.compile("The new catalog is refused; the former one serves on|The new catalog is not in force: ")
# A warning that names a route which a catalog in force removes or opens.
CHANGE = re.compile(r" former=[0-9a-f]{12} |… and \d+ more changes of this kind\.")


def faults(text):
    """Returns what is no mere information, without refused catalogs and the changes of others, and what is no entry."""
    return [entry for entry in ENTRY.split(text)
            if entry.strip() and (SEVERE.match(entry) or not ENTRY.match(entry))
            and not REFUSAL.search(entry) and not CHANGE.search(entry)]


def refusals(text):
    """Returns how many catalogs were refused."""
    return len(REFUSAL.findall(text))
