"""The results of proofs, kept in a file outside the tracked ones, each with the commit that it was had at."""

import dataclasses
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
    """The results in a file; each is written as soon as it is there."""

    def __init__(self, path):
        self.path = path
        kept = json.loads(path.read_text()) if path.exists() else {}
        self.results = {key: Result(**value) for key, value in kept.items()}

    def __getitem__(self, key):
        return self.results.get(key)

    def keep(self, key, result):
        """Keeps a result in place of a former one."""
        self.results[key] = result
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps({key: dataclasses.asdict(one) for key, one in self.results.items()}, indent=2) + "\n")
        os.replace(fresh, self.path)
