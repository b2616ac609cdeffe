"""The notes of a release tell its changes and its measurements, without links that lead nowhere."""

import pathlib
import re
import sys

checkout, release = map(pathlib.Path, sys.argv[1:])
notes = (release / "NOTES.md").read_text()
version = re.fullmatch(r"waymark-(.*)-linux-[a-z0-9]+[.]tar[.]gz", next(release.glob("*.tar.gz")).name)[1]

assert notes.startswith(f"# Waymark {version}\n"), notes[:40]
lines = set(notes.splitlines())
changelog = (checkout / "CHANGELOG.md").read_text().split("\n## ")[1].splitlines()[1:]
measured = (checkout / "docs/reference/performance.md").read_text().split("\n## Results\n")[1].split("\n## ")[0].splitlines()
for line in (*changelog, *measured):
    # Texts of links are without them, which may begin on the line before.
    assert line in lines or "[" in line or "](" in line, line
rows = sum(line.startswith("| ") and "--" not in line for line in lines)
assert rows >= 40, rows
assert not re.search(r"\]\((?!https?:)", notes), "a link to a page that is not there"
assert re.findall("^## (.*)", notes, re.MULTILINE) == ["Changes", "Measurements"]
print(f"the notes of {version} have {len(changelog)} lines of changes and {rows} rows of measurements")
