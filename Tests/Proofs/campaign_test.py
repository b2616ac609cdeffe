"""Tests of a run of all proofs, with stand-ins that take no time, in a repository of their own."""

import importlib.machinery
import importlib.util
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from campaign import Campaign
from proof import COMMON, Proof
from results import Result, Results

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent.parent


class CampaignTest(unittest.TestCase):
    """Each test has a repository with two proofs, `first` and `second`, that depend on a folder each and on `Sources`."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.checkout = pathlib.Path(self.scratch.name) / "checkout"
        self.folder = pathlib.Path(self.scratch.name) / "kept"
        for path in ("Sources/a.swift", "First/one.py", "Second/two.py", "README.md", "docs/guide.html", "First/read.md"):
            self.write(path, "one\n")
        self.git("init", "--quiet")
        self.commit()
        self.proofs = {
            "first": Proof("the first", ("sh",), files=("First",)),
            "second": Proof("the second", ("sh",), files=("Second",)),
        }
        self.scripts = {"first": "echo one", "second": "echo two"}
        self.said = []

    def write(self, path, text):
        file = self.checkout / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def git(self, *words):
        setup = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *setup, *words], cwd=self.checkout, check=True, capture_output=True)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "A change")

    def campaign(self, form="full"):
        self.said.clear()
        return Campaign(
            self.proofs, form, checkout=self.checkout, folder=self.folder, echo=self.said.append,
            command=lambda name: ["sh", "-c", f"echo {name} >>../runs; {self.scripts[name]}"],
            states=lambda proof: proof.state(form, self.checkout, common=("Sources",)))

    def run_all(self, form="full"):
        """Runs all; returns the exit code, and the proofs that were run."""
        runs = self.checkout.parent / "runs"
        runs.write_text("")
        code = self.campaign(form).run()
        return code, runs.read_text().split()

    @staticmethod
    def is_running(process):
        try:
            return not pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].startswith("Z")
        except FileNotFoundError:
            return False

    def rows(self):
        table = "\n".join(self.said)
        return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")][1:]

    def test_what_passed_is_not_run_again(self):
        self.assertEqual(self.run_all(), (0, ["first", "second"]))
        self.assertEqual(self.run_all(), (0, []))
        self.assertEqual(self.said[-1], "prove: all is proved")
        self.assertEqual([row[:2] + row[5:] for row in self.rows()], [["first", "passed", "one"], ["second", "passed", "two"]])
        self.assertEqual((self.folder / "logs/second-full.log").read_text(), "two\n")

    def test_those_that_are_named_run_alone(self):
        self.assertEqual(self.campaign().run(["second"]), 0)
        self.assertEqual(self.said[-1], "prove: those that were named are proved")
        self.assertEqual([row[1] for row in self.rows()], ["not run", "passed"])
        self.assertEqual(self.run_all(), (0, ["first"]))

    def test_a_change_of_pages_alone_voids_nothing(self):
        self.run_all()
        for path in ("README.md", "docs/guide.html", "First/read.md"):
            self.write(path, "two\n")
        self.assertEqual(self.run_all(), (0, []))
        self.commit()
        self.assertEqual(self.run_all(), (0, []))

    def test_a_change_voids_what_depends_on_it(self):
        self.run_all()
        self.write("Second/two.py", "two\n")
        self.commit()
        self.assertEqual(self.run_all(), (0, ["second"]))
        self.write("Sources/a.swift", "two\n")
        self.commit()
        self.assertEqual(self.run_all(), (0, ["first", "second"]))
        self.write("First/new.py", "one\n")
        self.commit()
        self.assertEqual(self.run_all(), (0, ["first"]))
        # Neither depends on this.
        self.write("Other/new.py", "one\n")
        self.commit()
        self.assertEqual(self.run_all(), (0, []))

    def test_a_change_of_the_options_voids(self):
        self.run_all()
        self.proofs["first"] = Proof("the first", ("sh",), full=("--more",), files=("First",))
        self.assertEqual(self.run_all(), (0, ["first"]))
        # The other form has a result of its own.
        self.assertEqual(self.run_all("quick"), (0, ["first", "second"]))
        self.assertEqual(self.run_all(), (0, []))

    def test_a_result_with_uncommitted_changes_does_not_stand(self):
        self.write("First/one.py", "two\n")
        self.assertEqual(self.run_all(), (0, ["first", "second"]))
        self.assertEqual([row[1] for row in self.rows()], ["passed, uncommitted", "passed"])
        self.assertIn("not all is committed", self.said[-1])
        self.assertEqual(self.run_all(), (0, ["first"]))
        self.commit()
        self.assertEqual(self.run_all(), (0, ["first"]))
        self.assertEqual(self.run_all(), (0, []))
        self.write("Second/untracked.py", "one\n")
        self.assertEqual(self.run_all(), (0, ["second"]))

    def test_a_change_while_it_runs_is_proved_by_neither(self):
        self.scripts["first"] = "echo two >First/one.py"
        self.assertEqual(self.run_all(), (0, ["first", "second"]))
        self.commit()
        self.scripts["first"] = "echo one"
        self.assertEqual(self.run_all(), (0, ["first"]))

    def test_a_failure_keeps_no_other_from_running_and_is_run_again(self):
        self.scripts["first"] = "echo broken; exit 3"
        self.assertEqual(self.run_all(), (1, ["first", "second"]))
        self.assertEqual([row[1] for row in self.rows()], ["FAILED (3)", "passed"])
        self.assertEqual(self.said[-1], "prove: not all is proved")
        self.assertEqual(self.rows()[0][5], "broken")
        self.scripts["first"] = "echo mended"
        self.assertEqual(self.run_all(), (0, ["first"]))

    def test_an_interrupted_run_goes_on_where_it_stopped(self):
        # A job of a group of its own, as programs make them.
        self.scripts["second"] = "set -m; sleep 60 & echo $! >../job; echo begun; wait"
        pid = os.getpid()

        def interrupt():
            while "begun" not in self.said:
                time.sleep(0.01)
            os.kill(pid, signal.SIGTERM)

        threading.Thread(target=interrupt).start()
        began = time.monotonic()
        self.assertEqual(self.run_all(), (130, ["first", "second"]))
        self.assertLess(time.monotonic() - began, 30)
        self.assertFalse(self.is_running(int((self.checkout.parent / "job").read_text())))
        self.assertEqual([row[1] for row in self.rows()], ["passed", "interrupted"])
        self.scripts["second"] = "echo two"
        self.assertEqual(self.run_all(), (0, ["second"]))

    def test_the_table_says_what_has_changed_since(self):
        self.run_all()
        self.write("First/one.py", "two\n")
        self.commit()
        self.assertIn("| first | passed, changed since |", self.campaign().table())
        del self.proofs["second"]
        self.proofs["third"] = Proof("the third", ("sh",))
        self.assertIn("| third | not run |", self.campaign().table())


class ResultsTest(unittest.TestCase):
    """The file of results."""

    def test_runs_at_a_time_keep_their_results_beside_each_other(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kept/results.json"
            result = Result(0, 1.5, "abc", "2026-01-01 00:00", "state", "done")
            runs = [Results(path), Results(path)]
            for run, key in zip(runs, ("second full", "first full")):
                run.keep(key, result)
            self.assertEqual(Results(path).results, {"first full": result, "second full": result})
            # The file's changes are those of its results alone.
            self.assertEqual(list(Results(path).results), ["first full", "second full"])
            self.assertEqual(runs[1]["second full"], result)


class ListTest(unittest.TestCase):
    """The list of `scripts/prove`."""

    def test_each_proof_names_files_that_there_are(self):
        loader = importlib.machinery.SourceFileLoader("prove", str(CHECKOUT / "scripts/prove"))
        prove = importlib.util.module_from_spec(importlib.util.spec_from_loader("prove", loader))
        loader.exec_module(prove)
        self.assertGreater(len(prove.PROOFS), 15)
        for name, proof in prove.PROOFS.items():
            for path in (*COMMON, *proof.files, *(word for word in proof.command if "/" in word and "python" not in word)):
                found = subprocess.run(["git", "ls-files", "--", path], cwd=CHECKOUT, check=True, capture_output=True).stdout
                self.assertTrue(found, f"{name}: {path}")


if __name__ == "__main__":
    unittest.main()
