"""Tests of the model that sizes machines: its costs are those of the page, and it answers as anybody would expect."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("size", str(CHECKOUT / "scripts/size"))
size = importlib.util.module_from_spec(importlib.util.spec_from_loader("size", loader))
loader.exec_module(size)


def run(*words):
    """The exit code, and what is printed."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = size.main(list(words))
    return code, output.getvalue()


def answer(*words):
    code, text = run(*words, "--format", "json")
    assert code in (0, 1), text
    return json.loads(text)


class SizeTest(unittest.TestCase):
    def test_the_costs_are_those_of_the_page(self):
        page = (CHECKOUT / "docs/guides/operate/sizing.md").read_text()
        rows = dict(re.findall(r"^\| ([^|]+?) \| ([\d.,]+) \|", page, re.MULTILINE))
        self.assertEqual({name: float(rows[name].replace(",", "")) for name in size.COSTS if name in rows},
                         {name: float(value) for name, value in size.COSTS.items()})

    def test_the_page_shows_what_is_printed(self):
        page = (CHECKOUT / "docs/guides/operate/sizing.md").read_text()
        self.assertIn(f"```\n{run('--users', '1M')[1]}```\n", page)

    def test_more_of_anything_never_takes_less(self):
        before = answer("--users", "10M", "--store", "postgres")
        for option in ("--users", "--active", "--links", "--pages", "--changes", "--days", "--connections", "--routes", "--labels"):
            words = {"--users": "10M", "--active": "1M", "--links": "5M", "--pages": "500k", "--changes": "100k",
                     "--days": "365", "--connections": "1000", "--routes": "50", "--labels": "0"}
            given = [word for pair in words.items() for word in pair]
            self.assertEqual(answer(*given, "--store", "postgres")["diskBytes"], before["diskBytes"])
            given[given.index(option) + 1] = "20M"
            for store in ("sqlite", "postgres"):
                one = answer(*[word for pair in words.items() for word in pair], "--store", store)
                other = answer(*given, "--store", store)
                for member in ("machines", "processorsBusyAtPeak", "diskBytes"):
                    self.assertGreaterEqual(other[member], one[member], (option, store, member))
                # Replicas share the connections.
                memory = [found["memoryBytesOfAServer"] * found["machines"] for found in (one, other)]
                self.assertGreaterEqual(memory[1], memory[0], (option, store))
                self.assertNotEqual(other, one, (option, store))

    def test_rows_and_disk_are_sums_of_the_costs(self):
        found = answer("--users", "1M", "--changes", "10k", "--days", "10", "--routes", "0", "--store", "sqlite")
        self.assertEqual(found["rows"], {"users": 10**6, "changes": 1_100_000, "counts": 0})
        costs = size.COSTS
        self.assertEqual(found["diskBytes"], round(
            10**6 * (costs["SQLite: a user with one change (bytes)"] + costs["SQLite: a user's name in the audit log (bytes)"]) + 10**5 * costs["SQLite: a further change (bytes)"]
            + 10**4 * costs["SQLite: a kept answer (bytes)"] + size.LOG))

    def test_a_history_ends_where_its_setting_ends_it(self):
        self.assertEqual(answer("--users", "1k", "--changes", "1M", "--history", "5")["rows"]["changes"], 5_000)

    def test_counts_end_after_400_days(self):
        self.assertEqual(answer("--users", "1", "--days", "4000")["rows"]["counts"], answer("--users", "1", "--days", "400")["rows"]["counts"])

    def test_a_store_is_chosen_by_load_and_replicas(self):
        self.assertEqual(answer("--users", "1M")["store"], "sqlite")
        self.assertEqual(answer("--users", "1M", "--replicas", "2")["store"], "postgres")
        found = answer("--users", "1G", "--links", "10G")
        self.assertEqual(found["store"], "postgres")
        # One may be away.
        self.assertEqual(found["machines"], found["machinesNeededForProcessors"] + 1)

    def test_what_is_not_enough_says_so(self):
        code, text = run("--users", "1G", "--links", "10G", "--store", "sqlite")
        self.assertEqual(code, 1)
        self.assertIn("not enough", text)
        self.assertEqual(run("--users", "1G", "--links", "10G", "--replicas", "2")[0], 1)

    def test_many_catalogs_share_the_users_and_have_a_server_each(self):
        one, ten = answer("--users", "10M"), answer("--users", "10M", "--catalogs", "10")
        servers = 9 * size.COSTS["memory of a server (MiB)"] << 20
        self.assertEqual(ten["memoryBytesOfAMachine"], one["memoryBytesOfAMachine"] + servers)
        self.assertEqual(ten["memoryBytesOfAServer"], round(ten["memoryBytesOfAMachine"] / 10))
        self.assertEqual(ten["diskBytes"], one["diskBytes"] + 9 * size.LOG)
        self.assertEqual((one["settings"], ten["settings"]), ({"cache.maximumUsers": 10**6}, {}))
        page = (CHECKOUT / "docs/guides/operate/many-catalogs.md").read_text()
        self.assertIn(f"```\n{run('--users', '1M', '--catalogs', '10')[1]}```\n", page)

    def test_wrong_words_are_refused(self):
        for words in ((), ("--users", "x"), ("--users", "-1"), ("--users", "nan"), ("--users", "1", "--peak", "0"),
                      ("--users", "1", "--nothing"), ("--users", "1e99"), ("--users", "1", "--store", "oracle"), ("--users", "")):
            self.assertEqual(run(*words)[0], 64, words)
        self.assertEqual(run("--help")[0], 0)

    def test_every_option_of_the_help_is_taken(self):
        for option in re.findall(r"^  (--[a-z]+) ", size.__doc__, re.MULTILINE):
            value = {"--store": "sqlite", "--format": "json"}.get(option, "2")
            self.assertIn(run(*(() if option == "--users" else ("--users", "9")), option, value)[0], (0, 1), option)


if __name__ == "__main__":
    unittest.main()
