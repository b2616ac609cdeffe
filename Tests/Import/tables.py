"""The tables of real apps: the paths that each tells apart, with the origins of its links."""

import collections
import re

import yaml

# A path with the kinds of its values by name, and the origins that its links may have.
Table = collections.namedtuple("Table", "name paths kinds origins")

WEB = ("https://app.example.com/", "https://app.example.com/", "http://www.example.com/")


def read(path):
    """Reads a catalog, or a list of paths."""
    return from_catalog(path) if path.suffix == ".yaml" else from_list(path)


def from_list(path):
    """A line is a path, and `{name:kind}` a value of a kind."""
    kinds, paths = {}, []
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        bare = re.sub(r"\{(\w+):\w+\}", r"{\1}", line)
        for name, kind in re.findall(r"\{(\w+):(\w+)\}", line):
            kinds[bare, name] = kind
        paths.append(bare)
    return Table(path.stem, paths, kinds, WEB + (path.stem + "://",))


def edges(declared):
    for edge in declared if isinstance(declared, list) else [declared]:
        yield edge if isinstance(edge, dict) else {}


def optional(path):
    found = re.search(r"\{(\w+)\?\}", path)
    if not found:
        return [path]
    present = path.replace(found.group(0), "{%s}" % found.group(1), 1)
    return optional(present) + optional(re.sub("/?" + re.escape(found.group(0)), "", path, count=1).strip("/"))


def kind(declared):
    """The kind of a declared parameter's values, or nothing if any will do."""
    if isinstance(declared, dict):
        if "values" in declared:
            return tuple(declared["values"])
        if "pattern" in declared:
            return "/" + declared["pattern"]
        return (declared.get("min"), declared.get("max")) if "max" in declared else kind(declared.get("type"))
    return declared if declared in ("int", "double", "bool", "uuid", "date") else None


def from_catalog(path):
    """The full paths of a catalog, and the types of the parameters by path and name."""
    catalog = yaml.safe_load(path.read_text())
    routes, found = catalog["routes"], {}

    def walk(name, declared, prefix, kinds, above):
        route = routes.get(name) or {}
        for edge in edges(declared):
            own = "path" in edge or "paths" in edge
            if "query" in edge or edge.get("linkable") is False or ("query" in route and not own):
                continue
            parameters = edge.get("parameters") or route.get("parameters") or {}
            below = dict(kinds, **{key: kind(value) for key, value in parameters.items()})
            aliases = edge.get("aliases") or ([] if own else route.get("aliases") or [])
            for text in (edge.get("paths") or [edge.get("path", route.get("path", name))]) + aliases:
                full = (prefix + "/" + (text or "").strip("/")).strip("/")
                full = re.sub(r"\{(\w+)\*\}", r"{\1}", full)
                if "{_" in full:
                    continue
                for one in optional(full):
                    found.setdefault(one, below)
                if name not in above and len(above) < 6:
                    for child, opened in (route.get("opens") or {}).items():
                        walk(child, opened, full, below, above | {name})

    for name, declared in catalog["entry"].items():
        walk(name, declared, "", {}, frozenset())
    kinds = {(one, name): value for one, below in found.items() for name, value in below.items() if value is not None}
    return Table(path.stem, told_apart(found, kinds), kinds, heads(catalog))


def told_apart(found, kinds):
    """One path of those that differ by the names of their parameters alone.

    `foo{a}` and `{b}bar` count as one: they fit the same texts, so a catalog refuses them as two routes.
    """
    shapes = {}
    for one in sorted(found, key=lambda path: any(isinstance(kinds.get((path, name)), tuple) for name in names(path))):
        shape = re.sub(r"\{(\w+)\}", lambda match: pattern(kinds.get((one, match.group(1)))), one)
        shape = re.sub(r"[^/{}]+\{\}(?=/|$)|(?<![^/])\{\}[^/{}]+", "{}+", shape)
        shapes.setdefault(shape, one)
    return sorted(one for one in shapes.values() if one)


def names(path):
    return re.findall(r"\{(\w+)\}", path)


def pattern(value):
    # Values with different first signs stay apart.
    return value[1:3] if isinstance(value, str) and value.startswith("/") and value[1] in "@!#\\" and value[2] != "d" else "{}"


def heads(catalog):
    """The beginnings of links, for each origin whose paths are those of the routes."""
    made = []
    for origin in catalog["origins"]:
        schemes = origin["scheme"] if isinstance(origin["scheme"], list) else [origin["scheme"]]
        prefix = origin.get("pathPrefix", "").strip("/")
        for scheme in schemes:
            authority = origin.get("authority")
            if authority == "none":
                made.append(scheme + ":")
            elif authority == "segment" and "hosts" not in origin:
                made.append(scheme + "://")
            elif authority != "segment" and not any("*" in host for host in origin.get("hosts") or []):
                middle = "/#/" if origin.get("fragment") == "path" else "/"
                made += [f"{scheme}://{host}{middle}{prefix}{'/' if prefix else ''}" for host in origin.get("hosts") or [""]]
    return tuple(made)
