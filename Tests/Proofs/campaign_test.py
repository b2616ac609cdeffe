"""Tests of a run of all proofs, with stand-ins that take no time, in a repository of their own."""

import dataclasses
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import unittest.mock

from campaign import Campaign
from proof import COMMON, Proof
from results import Result, ResultBranch, ResultFile

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent.parent
PASSED = Result(0, 1.5, "abc", "2026-01-01 00:00", "state", "done")


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

    def test_a_run_goes_on_by_the_results_on_a_branch(self):
        def run():
            campaign = self.campaign()
            campaign.results = ResultBranch(self.checkout)
            return campaign.run()

        self.assertEqual(run(), 0)
        self.assertIn("passed in", " ".join(self.said))
        # The commits of the branch change nothing that a proof depends on.
        self.assertEqual(run(), 0)
        self.assertNotIn("passed in", " ".join(self.said))
        self.assertEqual(self.said[-1], "prove: all is proved")

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


class ResultFileTest(unittest.TestCase):
    """The file of results."""

    def test_runs_at_a_time_keep_the_results_of_each_other(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kept/results.json"
            runs = [ResultFile(path), ResultFile(path)]
            for run, key in zip(runs, ("second full", "first full")):
                run.keep(key, PASSED)
            self.assertEqual(ResultFile(path).results, {"first full": PASSED, "second full": PASSED})
            # In the order of names: a difference shows what changed.
            self.assertEqual(list(ResultFile(path).results), ["first full", "second full"])
            self.assertEqual(runs[1]["second full"], PASSED)


class ResultBranchTest(unittest.TestCase):
    """The branch of results, in a repository and in clones of it."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.origin = self.folder / "origin"
        self.origin.mkdir()
        self.git(self.origin, "init", "--quiet", "--initial-branch", "main")
        (self.origin / "README.md").write_text("one\n")
        self.git(self.origin, "add", "--all")
        self.git(self.origin, "commit", "--quiet", "--message", "A page")

    def git(self, folder, *words):
        setup = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"]
        return subprocess.run(
            ["git", *setup, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()

    def clone(self, name):
        self.git(self.folder, "clone", "--quiet", "origin", name)
        return self.folder / name

    def test_a_result_is_a_commit_of_the_branch_alone(self):
        ResultBranch(self.origin).keep("first full", PASSED)
        ResultBranch(self.origin).keep("second full", dataclasses.replace(PASSED, code=3))
        ResultBranch(self.origin).keep("third full", dataclasses.replace(PASSED, code=None))
        self.assertEqual(self.git(self.origin, "log", "--format=%s", "proofs").splitlines(), [
            "third full: interrupted at abc, in 1.5 minutes",
            "second full: failed with 3 at abc, in 1.5 minutes",
            "first full: passed at abc, in 1.5 minutes",
        ])
        self.assertEqual(self.git(self.origin, "ls-tree", "--name-only", "proofs"), "results.json")
        self.assertEqual(list(ResultBranch(self.origin).results), ["first full", "second full", "third full"])
        self.assertEqual(self.git(self.origin, "log", "--format=%s", "main"), "A page")
        self.assertEqual(self.git(self.origin, "status", "--porcelain"), "")

    def test_a_clone_without_the_branch_is_told_what_to_fetch(self):
        clone = self.clone("early")
        results = ResultBranch(clone)
        self.assertIsNone(results["first full"])
        ResultBranch(self.origin).keep("first full", PASSED)
        command = re.search("`git (.*)`", results.hint())[1]
        self.git(clone, *command.split())
        self.assertIsNone(results.hint())
        self.assertEqual(ResultBranch(clone)["first full"], PASSED)

    def test_a_clone_goes_on_behind_the_results_of_its_origin(self):
        ResultBranch(self.origin).keep("first full", PASSED)
        clone = self.clone("late")
        results = ResultBranch(clone)
        self.assertIsNone(results.hint())
        self.assertEqual(results["first full"], PASSED)
        results.keep("second full", PASSED)
        self.git(clone, "push", "--quiet", "origin", "proofs")
        self.assertEqual(list(ResultBranch(self.origin).results), ["first full", "second full"])
        # A branch that is behind takes the commits of its origin along.
        ResultBranch(self.origin).keep("third full", PASSED)
        self.git(clone, "fetch", "--quiet")
        results.keep("fourth full", PASSED)
        self.assertEqual(self.git(clone, "rev-list", "--count", "proofs"), "4")

    def test_the_newest_results_of_two_clones_are_joined(self):
        ResultBranch(self.origin).keep("first full", PASSED)
        clones = [self.clone("one"), self.clone("two")]
        newer, newest = (dataclasses.replace(PASSED, at=f"2026-01-0{day} 00:00") for day in (2, 3))
        ResultBranch(clones[0]).keep("first full", newest)
        ResultBranch(clones[1]).keep("first full", newer)
        ResultBranch(clones[1]).keep("second full", newer)
        self.git(clones[0], "push", "--quiet", "origin", "proofs")
        self.git(clones[1], "fetch", "--quiet")
        results = ResultBranch(clones[1])
        self.assertEqual(results.results, {"first full": newest, "second full": newer})
        results.join()
        self.git(clones[1], "push", "--quiet", "origin", "proofs")
        self.assertEqual(ResultBranch(self.origin).results, results.results)
        before = self.git(clones[1], "rev-parse", "proofs")
        results.join()
        self.assertEqual(self.git(clones[1], "rev-parse", "proofs"), before)

    def test_runs_at_a_time_lose_no_result(self):
        def keep(key):
            ResultBranch(self.origin).keep(key, PASSED)

        keys = [f"proof {number}" for number in range(8)]
        threads = [threading.Thread(target=keep, args=(key,)) for key in keys]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(list(ResultBranch(self.origin).results), keys)
        self.assertEqual(self.git(self.origin, "rev-list", "--count", "proofs"), "8")

    def test_a_result_is_kept_although_git_knows_no_name(self):
        nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_CONFIG_COUNT": "1",
                  "GIT_CONFIG_KEY_0": "user.useConfigOnly", "GIT_CONFIG_VALUE_0": "true"}
        names = [name for name in os.environ if name.startswith(("GIT_AUTHOR_", "GIT_COMMITTER_")) or name == "EMAIL"]
        with unittest.mock.patch.dict(os.environ, nobody):
            for name in names:
                del os.environ[name]
            ResultBranch(self.origin).keep("first full", PASSED)
        self.assertEqual(self.git(self.origin, "log", "--format=%an", "proofs"), "proofs")

    def test_a_branch_that_cannot_be_written_is_an_error(self):
        # A branch of this name is in the way.
        self.git(self.origin, "branch", "proofs/old")
        with self.assertRaisesRegex(OSError, "refs/heads/proofs"):
            ResultBranch(self.origin).keep("first full", PASSED)


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
