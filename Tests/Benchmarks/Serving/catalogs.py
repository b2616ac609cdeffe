"""Makes catalogs of any size, like those of a large app."""

LEVELS = ["none", "onboardingCompleted", "signedInUser", "premiumUser"]
HEAD = """version: 1
origins:
  - { scheme: navigation, hosts: [loremipsum.com] }
  - { scheme: https, hosts: [loremipsum.com, www.loremipsum.com] }
gates: { onboardingCompleted: /login, signedInUser: /login, premiumUser: /login }
"""
# The routes of a section: its front page, an item, the editor and the comments of an item, and a sheet over it.
SECTION = """  section{n}: {{ opens: {{ item{n}: push }} }}
  item{n}:
    path: "items/{{id}}"
    parameters: {{ id: int }}
    authorizationLevel: {level}
    opens: {{ editor{n}: sheet, comment{n}: push, share{n}: sheet }}
  editor{n}: {{ path: edit, authorizationLevel: {level}, parameters: {{ field: string }} }}
  comment{n}:
    path: "comments/{{key}}"
    parameters: {{ key: {{ type: string, pattern: "[a-z0-9-]{{1,64}}" }} }}
    opens: {{ item{n}: push }}
  share{n}: {{ query: share, parameters: {{ with: {{ type: string, from: share }} }} }}
"""


def make(file, routes):
    """Writes a catalog of so many routes: sections of five, shared by up to ten containers, and a page to log in."""
    containers = max(1, min(10, (routes - 1) // 6))
    sections, rest = divmod(routes - 1 - containers, 5)
    names = [f"tab{number}" for number in range(containers)]
    lines = [HEAD, "entry: { login: root, " + ", ".join(f"{name}: root" for name in names) + " }\n", "routes:\n"]
    lines.append("  login: {}\n")
    shares = [list(range(place, sections, containers)) for place in range(containers)]
    for place, share in enumerate(shares):
        opened = [f"section{n}: tab" for n in share]
        if place == 0:
            opened += [f"page{n}: push" for n in range(rest)]
        lines.append(f"  {names[place]}:\n    path: \"\"\n    opens:\n" + "".join(f"      {one}\n" for one in opened))
    lines += [SECTION.format(n=n, level=LEVELS[n % 4]) for n in range(sections)]
    lines += [f"  page{n}: {{}}\n" for n in range(rest)]
    file.write_text("".join(lines))
