"""The results of proofs, kept in a file, each with the commit that it was had at."""

import contextlib
import dataclasses
import fcntl
import json
import os


@dataclasses.dataclass
class Result:
    """The result of one form of one proof."""

    # The exit code; None for a proof that was interrupted.
    code: int | None
    minutes: float
    commit: str
    # The time of its end.
    at: str
    # The digest of what it depends on; None where that was not committed, so that nobody could name it again.
    state: str | None
    # The last line that it printed.
    said: str

    def stands(self, state):
        """Whether it passed, and what it depends on is as it was."""
        return self.code == 0 and state is not None and self.state == state


class Results:
    """The results in a file; each is written as soon as it is there, beside those that other runs write."""

    def __init__(self, path):
        self.path = path
        self.results = self.read()

    def read(self):
        kept = json.loads(self.path.read_text()) if self.path.exists() else {}
        return {key: Result(**value) for key, value in kept.items()}

    def __getitem__(self, key):
        return self.results.get(key)

    def keep(self, key, result):
        """Keeps a result in place of a former one."""
        with self.alone():
            self.results = self.read() | {key: result}
            fresh = self.path.with_suffix(".new")
            found = {key: dataclasses.asdict(one) for key, one in sorted(self.results.items())}
            fresh.write_text(json.dumps(found, indent=2) + "\n")
            os.replace(fresh, self.path)

    @contextlib.contextmanager
    def alone(self):
        """Keeps other runs away from the file, by its folder: the file itself is replaced."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)
