#!/usr/bin/env python3
"""Compares recorded exchanges with an OpenAPI document: is every response one that the document gives?

usage: exchanges.py DOCUMENT FOLDER

For each exchange of the folder's .http files, finds the operation, and checks the response's status, header fields,
media type and body. Prints every difference, and exits with 1 if there is one.
"""

import json
import pathlib
import re
import sys

from closed import closed
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

# The fields that the files leave out, because they differ each time; see ExchangeTests.
OMITTED = {'"continuation":"…"': '"continuation":"e30.e30"', '"requestId":"…"': '"requestId":"0"'}
# The header lines that the files leave out, since nearly every response has them: ExchangeFile lists them.
LISTED = re.search(
    r"usualLines = \[(.*?)\n    \]",
    (pathlib.Path(__file__).parents[1] / "DeepLinkHTTPTests/ExchangeFile.swift").read_text(),
    re.DOTALL,
).group(1)
USUAL = [line.split(": ", 1) for line in re.findall(r'"(.+)"', LISTED)]
# Fields of the transfer, not of the answer.
TRANSFER = {"content-length", "transfer-encoding", "connection", "date", "content-type"}


class Contract:
    """An OpenAPI document, and what was seen of it."""

    def __init__(self, document):
        self.document = document
        resource = Resource(contents=document, specification=DRAFT202012)
        self.registry = Registry().with_resource("urn:document", resource)
        self.seen = set()

    def resolve(self, node):
        """Follows a reference to a component."""
        while "$ref" in node:
            name = node["$ref"]
            node = self.document
            for part in name.removeprefix("#/").split("/"):
                node = node[part.replace("~1", "/").replace("~0", "~")]
        return node

    def template(self, target):
        """Finds the path of a request target; what is no other path is a link."""
        segments = [part for part in target.partition("?")[0].split("/") if part]
        for template in self.document["paths"]:
            pattern = [part for part in template.split("/") if part]
            if template != "/{link}" and len(pattern) == len(segments):
                if all(want.startswith("{") or want == got for want, got in zip(pattern, segments)):
                    return template
        return "/{link}"

    def response(self, method, target, status):
        """Finds the response that the document gives for a status; None where it gives none."""
        template = self.template(target)
        item = self.document["paths"][template]
        operation = item.get("get" if method == "HEAD" else method.lower())
        if operation is None:
            if status == 405:
                return self.document["components"]["responses"]["MethodNotAllowed"]
            # A request of any method may be refused before it is read.
            operation = next(item[name] for name in ("get", "post") if name in item)
        found = operation["responses"].get(str(status))
        if found is not None:
            self.seen.add((operation["operationId"], status))
        return None if found is None else self.resolve(found)

    def errors(self, schema, value):
        """Lists what is wrong with a value; the schema's references are those of the document."""
        absolute = json.loads(json.dumps(schema).replace('"#/', '"urn:document#/'))
        validator = Draft202012Validator(
            absolute, registry=self.registry, format_checker=Draft202012Validator.FORMAT_CHECKER
        )
        for error in validator.iter_errors(value):
            yield f"{error.json_path}: {error.message}"
            yield from (f"  {inner.json_path}: {inner.message}" for inner in error.context or [])

    def differences(self, request, response):
        """Lists how a response differs from what the document says."""
        line = request.splitlines()[0].split(" ")
        method, target = (line[0], line[1]) if len(line) == 3 else ("GET", "/")
        head, _, text = response.partition("\n\n")
        if not head:
            return [f"`{request.splitlines()[0]}` has no response; record it"]
        status_line, *lines = head.splitlines()
        status = int(status_line.split(" ")[1])
        fields = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        for name, value in USUAL:
            fields.setdefault(name.lower(), value)
        if method == "OPTIONS" and status == 204:
            return [] if "allow" in fields else ["204 without Allow"]
        documented = self.response(method, target, status)
        if documented is None:
            return [f"the document has no {status} for {method} {target[:80]}"]
        found = []
        known = {name.lower(): self.resolve(header) for name, header in documented.get("headers", {}).items()}
        found += [f"the field {name} is not documented" for name in fields.keys() - known.keys() - TRANSFER]
        for name, header in known.items():
            if name in fields:
                value = fields[name]
                if header["schema"].get("type") == "integer":
                    value = int(value) if value.isdecimal() else value
                found += [f"the field {name}: {error}" for error in self.errors(header["schema"], value)]
            elif header.get("required"):
                found.append(f"the field {name} is missing")
        content = documented.get("content", {})
        media = fields.get("content-type")
        if media is None and not content:
            return found + ([] if not text.strip() else ["there is a body"])
        documented_media = content.get(media, content.get(media.split(";")[0] if media else None))
        if documented_media is None:
            return found + [f"the media type {media} is not documented"]
        if method == "HEAD":
            return found
        schema = documented_media.get("schema", {})
        if "json" not in media:
            return found + list(self.errors(schema, text))
        for omitted, stand_in in OMITTED.items():
            text = text.replace(omitted, stand_in)
        if media == "application/x-ndjson":
            body = [json.loads(line) for line in text.splitlines() if line]
        else:
            body = json.loads(text)
        return found + list(self.errors(schema, body))

    def codes(self):
        """Lists the problem codes that the document knows."""
        for schema in self.document["components"]["schemas"].values():
            kind = schema.get("properties", {}).get("type", {})
            if kind.get("const", "").startswith("urn:waymark:problem:"):
                yield kind["const"]

    def examples(self):
        """Lists what is wrong with the examples of the document's schemas."""
        for name, schema in self.document["components"]["schemas"].items():
            for example in schema.get("examples", []):
                yield from (f"the example of {name}: {error}" for error in self.errors(schema, example))


def main():
    document = json.loads(pathlib.Path(sys.argv[1]).read_text())
    validate(document)
    # A member that an answer has and the document does not describe is a difference.
    contract = Contract(closed(document))
    count, breaches = 0, list(contract.examples())
    for file in sorted(pathlib.Path(sys.argv[2]).glob("*.http")):
        for part in file.read_text().split(">>>\n")[1:]:
            request, _, response = part.partition("<<<\n")
            count += 1
            for difference in contract.differences(request, response):
                breaches.append(f"{file.name}: {request.splitlines()[0][:100]}\n    {difference}")
    for breach in breaches:
        print(breach)
    operations = [item[name] for item in document["paths"].values() for name in ("get", "post", "delete") if name in item]
    pairs = sum(len(operation["responses"]) for operation in operations)
    print(
        f"{len(operations)} operations and {len(list(contract.codes()))} problems documented; {count} exchanges agree "
        f"with them, {len(contract.seen)} of {pairs} documented statuses among them"
        if not breaches
        else f"{len(breaches)} differences in {count} exchanges"
    )
    sys.exit(1 if breaches or count == 0 else 0)


if __name__ == "__main__":
    main()
