"""One proof: a command, the builds and packages that it needs, and the files that its result depends on."""

import dataclasses
import hashlib
import subprocess

# The files that each proof depends on: the program, its samples, and the helpers of all proofs.
COMMON = ("Package.swift", "Sources", "Config", "Tests/Processes")


@dataclasses.dataclass(frozen=True)
class Proof:
    """One proof: what it shows, what it needs, and how it is run."""

    summary: str
    command: tuple[str, ...]
    packages: tuple[str, ...] = ()
    # The build of the program that it runs: debug, release, or "" for none.
    build: str = "debug"
    # The options of the short form, and of the full one.
    quick: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    # Whether it mounts file systems, where nobody else sees them.
    mounts: bool = False
    # The option that names the program to it, beside the variable WAYMARK_BINARY.
    names_binary: bool = False
    # Whether the proof has options of its own.
    has_help: bool = False
    # The files and folders that its result depends on beside the common ones, as git names them (pathspecs).
    files: tuple[str, ...] = ()

    def options(self, form):
        """Returns the options of a form, `quick` or `full`."""
        return self.quick if form == "quick" else self.full

    def state(self, form, checkout, common=COMMON):
        """Returns a digest of all that the result of a form depends on, or None where some of it is not committed.

        Pages are left out: a result stands when only they have changed.
        """
        def git(*words):
            return subprocess.run(["git", *words], cwd=checkout, check=True, capture_output=True, text=True).stdout

        paths = [*common, *self.files]
        changed = git("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *paths)
        if any(not is_page(entry[3:]) for entry in changed.split("\0") if entry):
            return None
        # By ls-files, since ls-tree takes no patterns; without changes, the index is the commit.
        files = [line for line in git("ls-files", "--stage", "-z", "--", *paths).split("\0")
                 if line and not is_page(line.split("\t", 1)[1])]
        parts = [*self.command, "", *self.options(form), "", self.build, *files]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def is_page(path):
    """Whether a file is a page of the documentation, which no proof's result depends on."""
    return path.endswith(".md") or path.startswith("docs/")
