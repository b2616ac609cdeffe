"""Knows what the state and history of one user must be."""

import datetime
import json

from engine import LEVELS

# The largest difference of the server's clock from the client's, in seconds: they are one machine's.
CLOCK_TOLERANCE = 0.05


def rfc3339(milliseconds):
    """A moment as the server writes it."""
    seconds, rest = divmod(milliseconds, 1000)
    text = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{rest:03}Z" if rest else f"{text}Z"


def seconds(text):
    """The moment that a text of the server means, in seconds since 1970."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class UserModel:
    """Follows a user whom one worker alone changes, so that everything about the user is known."""

    def __init__(self, identifier):
        self.id = identifier
        self.state = None
        self.version = 0
        # (version, level or None)
        self.history = []

    def saved(self, level, valid_until, level_after, updated_at):
        """Notes an acknowledged write; `valid_until` is in milliseconds since 1970.

        Returns whether it changed the state: one that is there already is not written.
        """
        if self.state is not None and self.state[:3] == (level, valid_until, level_after):
            return False
        self.version += 1
        self.history.append((self.version, LEVELS[level]))
        self.state = (level, valid_until, level_after, updated_at)
        return True

    def removed(self):
        """Notes an acknowledged deletion."""
        self.version += 1
        self.history.append((self.version, None))
        self.state = None

    def levels(self, start, end):
        """The levels, of which one counts, between two moments of the wall clock."""
        if self.state is None:
            return {0}
        level, valid_until, level_after, _ = self.state
        if valid_until is None:
            return {level}
        later = level_after if level_after is not None else max(level - 1, 0)
        found = set()
        if start - CLOCK_TOLERANCE <= valid_until / 1000:
            found.add(level)
        if end + CLOCK_TOLERANCE > valid_until / 1000:
            found.add(later)
        return found

    def fits(self, body, start, end):
        """Whether a body, as parsed, shows this state at a moment between two: what is stored, and the level that counts."""
        if self.state is None:
            return False
        level, valid_until, level_after, updated_at = self.state
        stored = {"id": self.id, "authorizationLevel": LEVELS[level]}
        if valid_until is not None:
            stored["validUntil"] = rfc3339(valid_until)
        if level_after is not None:
            stored["levelAfter"] = LEVELS[level_after]
        return any(
            json.dumps(stored | {"currentLevel": LEVELS[current], "version": self.version, "updatedAt": updated_at})
            == json.dumps(body) for current in self.levels(start, end))

    def fits_history(self, body, author, after=0, limit=1000):
        """Whether a body, as parsed, is a page of this user's history, by one author and in the order of time."""
        entries = body["history"]
        times = [seconds(entry["at"]) for entry in entries]
        return ([(entry["version"], entry["authorizationLevel"]) for entry in entries]
                == self.history[after:after + limit]
                and body.get("next") == (after + limit if after + limit < len(self.history) else None)
                and {entry["by"] for entry in entries} <= {author} and times == sorted(times)
                and (self.state is None or not entries or "next" in body or entries[-1]["at"] == self.state[3]))

    def __repr__(self):
        return f"{self.id!r}: state {self.state}, version {self.version}, history {self.history[-5:]}"
