"""The results of proofs, each with its commit: those of full forms on a branch, those of short forms in a file."""

import contextlib
import dataclasses
import fcntl
import json
import os
import subprocess


@dataclasses.dataclass
class Result:
    """The result of one form of one proof."""

    # The exit code; None for a proof that was interrupted.
    code: int | None
    minutes: float
    commit: str
    # The time of its end.
    at: str
    # The digest of its files and options; None if some of them were not committed, since the state is then lost.
    state: str | None
    # The last line that it printed.
    said: str

    def stands(self, state):
        """Whether it passed, and what it depends on is as it was."""
        return self.code == 0 and state is not None and self.state == state

    def sentence(self):
        """Returns the result in words, for a commit."""
        word = "interrupted" if self.code is None else f"failed with {self.code}" if self.code else "passed"
        return f"{word} at {self.commit}, in {self.minutes} minutes"


def parsed(text):
    """Returns the results of a text in JSON."""
    return {key: Result(**value) for key, value in json.loads(text).items()}


def printed(results):
    """Returns results as JSON, in the order of their names: a difference shows the results that changed, and no others."""
    return json.dumps({key: dataclasses.asdict(one) for key, one in sorted(results.items())}, indent=2) + "\n"


class ResultFile:
    """The results in a file. Each is written at once; results of other runs are kept."""

    def __init__(self, path):
        self.path = path
        self.results = self.read()

    def read(self):
        return parsed(self.path.read_text()) if self.path.exists() else {}

    def __getitem__(self, key):
        return self.results.get(key)

    def keep(self, key, result):
        """Replaces the former result of this key."""
        with self.alone():
            self.results = self.read() | {key: result}
            fresh = self.path.with_suffix(".new")
            fresh.write_text(printed(self.results))
            os.replace(fresh, self.path)

    @contextlib.contextmanager
    def alone(self):
        """Locks out other runs, by a lock on the folder: the file itself is replaced."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)


class ResultBranch:
    """The results in the file `results.json` of a branch, a commit for each; index and work tree are left alone.

    The branch may be that of the clone or that of `origin`, as the last fetch left it. If each has commits that the other
    lacks, the newer result of each proof counts, and the next commit joins both.
    """

    FILE = "results.json"

    def __init__(self, checkout, name="proofs"):
        self.checkout, self.name = checkout, name
        self.branch = f"refs/heads/{name}"
        self.results = self.read(self.tips())

    def __getitem__(self, key):
        return self.results.get(key)

    def keep(self, key, result):
        """Replaces the former result of this key."""
        self.write(f"{key}: {result.sentence()}", {key: result})

    def join(self):
        """Joins the branch of the clone with that of `origin`, so that it can be pushed."""
        if len(self.tips()) > 1:
            self.write("Join the results of two clones", {})

    def hint(self):
        """Returns how to get the results of others, or None if some are here."""
        if self.tips():
            return None
        return f"this clone has no results; `git fetch origin {self.name}:{self.name}` gets those that were pushed"

    def tips(self):
        """Returns the newest commits: none, one, or two, that of the clone first."""
        found = [self.commit_of(name) for name in (self.branch, f"refs/remotes/origin/{self.name}")]
        tips = [tip for tip in dict.fromkeys(found) if tip]
        if len(tips) < 2:
            return tips
        independent = self.git("merge-base", "--independent", *tips).split()
        return [tip for tip in tips if tip in independent]

    def read(self, tips):
        """Returns the newest results of these commits."""
        found = {}
        for tip in tips:
            for key, result in parsed(self.git("show", f"{tip}:{self.FILE}")).items():
                if key not in found or found[key].at < result.at:
                    found[key] = result
        return found

    def write(self, message, fresh):
        """Adds a commit with the results so far and the fresh ones; after a commit of another run, another attempt."""
        while True:
            former, tips = self.commit_of(self.branch), self.tips()
            results = self.read(tips) | fresh
            blob = self.git("hash-object", "-w", "--stdin", text=printed(results))
            tree = self.git("mktree", text=f"100644 blob {blob}\t{self.FILE}\n")
            parents = [word for tip in tips for word in ("-p", tip)]
            commit = self.git(*self.author(), "commit-tree", tree, *parents, "-F", "-", text=message + "\n")
            # Zeros: the branch must not exist yet.
            if self.attempt("update-ref", "-m", message, self.branch, commit, former or "0" * len(commit)).returncode == 0:
                self.results = results
                return
            if self.commit_of(self.branch) == former:
                raise OSError(f"git cannot write {self.branch}")

    def author(self):
        """Returns options with a name for commits, if git has none: hours of proof should not be lost for that."""
        if self.attempt("var", "GIT_COMMITTER_IDENT").returncode == 0:
            return ()
        return ("-c", f"user.name={self.name}", "-c", f"user.email={self.name}@localhost")

    def commit_of(self, reference):
        """Returns the commit of a branch, or None."""
        return self.attempt("rev-parse", "--verify", "--quiet", reference).stdout.strip() or None

    def attempt(self, *words, text=None):
        return subprocess.run(["git", *words], cwd=self.checkout, check=False, capture_output=True, text=True, input=text)

    def git(self, *words, text=None):
        result = self.attempt(*words, text=text)
        if result.returncode != 0:
            raise OSError(f"git {words[0]}: {result.stderr.strip()}")
        return result.stdout.strip()
