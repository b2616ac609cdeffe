"""Spoils the documents in each way that breaks a client or a catalog, and has the comparison name it; additions pass."""

import collections
import copy
import importlib.machinery
import importlib.util
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("compatibility", str(CHECKOUT / "scripts/compatibility"))
compatibility = importlib.util.module_from_spec(importlib.util.spec_from_loader("compatibility", loader))
loader.exec_module(compatibility)

API = json.loads((CHECKOUT / "Sources/Apps/EmbeddedFiles/openapi.json").read_text())
CATALOG = json.loads((CHECKOUT / "Config/catalog.schema.json").read_text())


def spoiled(document, change):
    changed = copy.deepcopy(document)
    change(changed)
    return compatibility.breaks(document, changed)


def schema(before, after, is_answer=False):
    comparison = compatibility.Comparison({}, {})
    comparison.schema("it", before, after, is_answer)
    return comparison.breaks


class RealDocuments(unittest.TestCase):
    def one_break(self, document, change, *words):
        found = spoiled(document, change)
        self.assertTrue(any(all(word in one for word in words) for one in found), found)

    def test_the_present_documents_break_nothing(self):
        self.assertEqual(compatibility.breaks(API, API) + compatibility.breaks(CATALOG, CATALOG), [])

    def test_every_path_and_method_and_of_some_status_and_parameter_count(self):
        for path, item in API["paths"].items():
            self.one_break(API, lambda api: api["paths"].pop(path), path, "path is gone")
            for method in set(item) & set(compatibility.METHODS):
                self.one_break(API, lambda api: api["paths"][path].pop(method), path, "method is gone")
                operation = item[method]
                if path not in ("/v1/resolve", "/v1/users/{id}"):
                    continue
                for status in operation["responses"]:
                    self.one_break(API, lambda api: api["paths"][path][method]["responses"].pop(status), status, "gone")
                for number in range(len(operation.get("parameters", []))):
                    self.one_break(API, lambda api: api["paths"][path][method]["parameters"].pop(number), "parameter", "gone")

    def test_every_member_of_a_reachable_answer_or_body_counts(self):
        text = json.dumps(API["paths"]) + json.dumps(API["components"])
        missed = []
        for name, value in API["components"]["schemas"].items():
            for member in value.get("properties", {}):
                found = spoiled(API, lambda api: api["components"]["schemas"][name]["properties"].pop(member))
                if f'"#/components/schemas/{name}"' in text and not any(f"member {member} is gone" in one for one in found):
                    missed.append(f"{name}.{member}")
        self.assertEqual(missed, [])

    def test_every_key_of_a_catalog_counts(self):
        for member in CATALOG["properties"]:
            self.one_break(CATALOG, lambda schema: schema["properties"].pop(member), f"member {member} is gone")

    def test_a_newly_required_parameter_or_key(self):
        def require(api):
            api["paths"]["/v1/resolve"]["get"]["parameters"].append({"name": "x", "in": "query", "required": True})
        self.one_break(API, require, "parameter x (query) is newly required")
        self.one_break(CATALOG, lambda schema: schema["required"].append("gates"), "member gates is newly required")

    def test_additions_break_nothing(self):
        def add(api):
            api["paths"]["/v1/new"] = {"get": {"responses": {}}}
            api["paths"]["/v1/resolve"]["get"]["parameters"].append({"name": "x", "in": "query"})
            for value in api["components"]["schemas"].values():
                value.setdefault("properties", {})["another"] = {"type": "string"}
        self.assertEqual(spoiled(API, add), [])
        self.assertEqual(spoiled(CATALOG, lambda schema: schema["properties"].update(another={"type": "string"})), [])


class Names(unittest.TestCase):
    """The names that pages of the reference promise."""

    def without(self, page, text, replacement=""):
        """The names that are gone where a text is taken out of a page."""
        with tempfile.TemporaryDirectory() as folder:
            pages = pathlib.Path(folder)
            for one in compatibility.PAGES.glob("*.md"):
                shutil.copy(one, pages)
            before = (pages / page).read_text()
            self.assertIn(text, before)
            (pages / page).write_text(before.replace(text, replacement))
            return set(compatibility.names()) - set(compatibility.names(pages))

    def test_there_are_names_of_every_kind(self):
        kinds = collections.Counter(name.split()[0] for name in compatibility.names())
        for kind, least in {"command": 30, "option": 60, "exit": 5, "setting": 100, "metric": 40, "problem": 30}.items():
            self.assertGreaterEqual(kinds[kind], least, kinds)

    def test_those_of_the_last_release_are_there(self):
        self.assertEqual(set(compatibility.NAMES.read_text().splitlines()) - set(compatibility.names()), set())

    def test_each_that_is_gone_counts(self):
        for page, text, name in (
            ("command-line.md", "| `waymark user export` |", "command waymark user export"),
            ("command-line.md", " [--from …] [--partial]", "option waymark resolve --partial"),
            ("command-line.md", "65 bad data, ", "exit code 65 bad data"),
            ("settings.md", "| `--host` |", "setting --host"), ("settings.md", "`WAYMARK_HTTP_PORT` |", "setting WAYMARK_HTTP_PORT"),
            ("settings.md", "| `drain.seconds` |", "setting drain.seconds"),
            ("metrics.md", "| `waymark_gated_total` |", "metric waymark_gated_total gate"),
            ("problems.md", "| 400 | `malformed-link` |", "problem malformed-link 400"),
        ):
            with self.subTest(name):
                self.assertIn(name, self.without(page, text))

    def test_another_meaning_of_a_code_or_a_type_counts(self):
        self.assertIn("exit code 69 unavailable resource", self.without("command-line.md", "69 unavailable", "70 unavailable"))
        self.assertIn("metric waymark_ready (gauge)", self.without("metrics.md", "`waymark_ready` | gauge", "`waymark_ready` | counter"))
        self.assertIn("problem internal 500", self.without("problems.md", "| 500 | `internal`", "| 502 | `internal`"))


class Schemas(unittest.TestCase):
    """The rules, each in the direction in which it holds."""

    def test_what_is_sent_may_become_wider_and_not_narrower(self):
        for narrow, wide in (
            ({"type": "integer"}, {"type": "number"}), ({"type": "string"}, {"type": ["string", "null"]}),
            ({"type": "string"}, {}), ({"enum": ["a"]}, {"enum": ["a", "b"]}), ({"enum": ["a"]}, {}),
            ({"maxLength": 1}, {"maxLength": 2}), ({"maxLength": 1}, {}), ({"minimum": 2}, {"minimum": 1}),
            ({"pattern": "a"}, {}), ({"required": ["a"]}, {}), ({"additionalProperties": False}, {}),
            ({"oneOf": [{"type": "string"}]}, {"oneOf": [{"type": "string"}, {"type": "null"}]}),
            ({"items": {"const": 1}}, {"items": {"enum": [1, 2]}}), ({"allOf": [{"not": {"required": ["a"]}}]}, {}),
        ):
            with self.subTest(narrow=narrow, wide=wide):
                self.assertEqual(schema(narrow, wide), [])
                self.assertNotEqual(schema(wide, narrow), [])

    def test_answers_may_become_narrower_and_not_wider(self):
        for wide, narrow in (
            ({"type": ["string", "null"]}, {"type": "string"}), ({"type": "number"}, {"type": "integer"}),
            ({}, {"required": ["a"]}), ({"maxLength": 2}, {"maxLength": 1}), ({"format": "uuid"}, {"format": "uuid", "minLength": 1}),
        ):
            with self.subTest(wide=wide, narrow=narrow):
                self.assertEqual(schema(wide, narrow, is_answer=True), [])
                self.assertNotEqual(schema(narrow, wide, is_answer=True) or wide.get("format"), [])

    def test_a_value_or_a_member_that_is_gone_breaks_both(self):
        for before, after in (
            ({"enum": ["a", "b"]}, {"enum": ["a"]}), ({"const": "a"}, {"const": "b"}),
            ({"properties": {"a": {}}}, {"properties": {}}),
            ({"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"type": "array"}}}),
        ):
            for is_answer in (False, True):
                self.assertNotEqual(schema(before, after, is_answer), [], (before, after))

    def test_references_are_followed_and_recursion_ends(self):
        before = {"$defs": {"a": {"properties": {"next": {"$ref": "#/$defs/a"}, "x": {"type": "string"}}}}, "$ref": "#/$defs/a"}
        after = copy.deepcopy(before)
        self.assertEqual(compatibility.breaks(before, after), [])
        after["$defs"]["a"]["properties"]["x"]["maxLength"] = 3
        self.assertEqual(len(compatibility.breaks(before, after)), 1)


if __name__ == "__main__":
    unittest.main()
