"""The notes of a release: what has changed since the version before, and what was measured."""

import re

# A link to a page of the repository, which a file of a release is not beside.
PAGE_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)\s]+\)")


def text(checkout, version):
    """The section of a version in the changelog, and the results on the page about performance."""
    sections = parts((checkout / "CHANGELOG.md").read_text())
    # Unreleased changes are first.
    changes = sections.get(version) or next(iter(sections.values()))
    results = parts((checkout / "docs/reference/performance.md").read_text())["Results"]
    return PAGE_LINK.sub(r"\1", f"# Waymark {version}\n\n## Changes\n\n{changes}\n\n## Measurements\n\n{results}\n")


def parts(page):
    """The texts of a page below its headings of the second level, by the headings."""
    _, *found = re.split(r"^## ", page, flags=re.MULTILINE)
    return {heading: body.strip() for heading, _, body in (one.partition("\n") for one in found)}
