"""Dated changes of users as the proof understands them: where they end, what each is answered, and what a link then opens.

Written from the pages, not from the program: the program's answers are compared with it.
"""

import dataclasses
import datetime

LEVELS = ("guest", "member", "gold", "platinum")
GRANTS = ("kyc", "pro", "team")
# A change of all grants is one of those, too, that the catalog may get later.
ALL = (*GRANTS, "")
PAST, FUTURE = {"validUntil": "2020-01-01T00:00:00Z"}, {"validUntil": "2099-12-31T23:59:59Z"}
ENDS = ({}, {}, {}, FUTURE, FUTURE, PAST)
# The level and the grants that each link needs. The gates stand in the order in which a user obtains what they give.
NEEDS = {"home": ("guest", ()), "card": ("guest", ("kyc",)), "desk": ("guest", ("team",)), "inbox": ("member", ()),
         "export": ("member", ("pro", "team")), "lounge": ("gold", ()), "trade": ("gold", ("kyc",)), "club": ("platinum", ()),
         "vault": ("platinum", GRANTS)}
GATES = ("member", "kyc", "gold", "pro", "platinum", "team")
CATALOG = f"""version: 1
origins: [{{ scheme: bank }}]
levels: [{", ".join(LEVELS)}]
grants: [{", ".join(GRANTS)}]
gates: {{ {", ".join(f"{name}: /get-{name}" for name in GATES)} }}
entry: {{ {", ".join(f"{route}: root" for route in [*NEEDS, *(f"get-{name}" for name in GATES)])} }}
routes:
  home: {{}}
  card: {{ requires: [kyc] }}
  desk: {{ requires: [team] }}
  inbox: {{ authorizationLevel: member }}
  export: {{ authorizationLevel: member, requires: [pro, team] }}
  lounge: {{ authorizationLevel: gold }}
  trade: {{ authorizationLevel: gold, requires: [kyc] }}
  club: {{ authorizationLevel: platinum }}
  vault: {{ authorizationLevel: platinum, requires: [kyc, pro, team] }}
""" + "".join(f"  get-{name}: {{}}\n" for name in GATES)
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


@dataclasses.dataclass(frozen=True, eq=False)
class Event:
    """A dated change: a `level`, a `line` of an import, a `grant`, a `revocation` or a `deletion`."""

    kind: str
    moment: int  # Milliseconds since 1970.
    level: dict = None  # The fields of a level.
    grants: dict = None  # The fields of grants, or None for a change that leaves them.

    @property
    def named(self):
        """The grants that it changes."""
        return ALL if self.kind == "deletion" or self.kind == "line" and self.grants is not None else [*(self.grants or ())]

    @property
    def given(self):
        """The grants that it gives. One that has ended is none."""
        return {name: fields for name, fields in (self.grants or {}).items() if fields != PAST and self.kind != "revocation"}


def written(generator, moment):
    """A moment as RFC 3339 has it, in one of the spellings."""
    zone = datetime.timezone(datetime.timedelta(minutes=generator.choice([0, 0, 120, -210])))
    text = (EPOCH + datetime.timedelta(milliseconds=moment)).astimezone(zone).isoformat(timespec="milliseconds")
    return text.replace("+00:00", generator.choice(["Z", "+00:00"]))


def read(text):
    return round((datetime.datetime.fromisoformat(text) - EPOCH) / datetime.timedelta(milliseconds=1))


def events(generator, moment):
    """Some dated changes of one user, 2 to 7, with distinct moments before another, the last one first."""
    made = []
    for _ in range(generator.randint(2, 7)):
        moment -= generator.choice([1, 1, 2, 999, 60_000, 86_400_000, 40 * 86_400_000])
        kind = generator.choice(["level", "level", "line", "line", "grant", "grant", "revocation", "revocation", "deletion"])
        level = grants = None
        if kind in ("level", "line"):
            rank = generator.randrange(len(LEVELS))
            level = {"authorizationLevel": LEVELS[rank]} | (generator.choice(ENDS) if rank else {})
            if "validUntil" in level and generator.random() < 0.6:
                level["levelAfter"] = LEVELS[generator.randrange(rank)]
            if kind == "line" and generator.random() < 0.7:
                grants = {name: generator.choice(ENDS) for name in GRANTS if generator.random() < 0.5}
        elif kind != "deletion":
            grants = {generator.choice(GRANTS): generator.choice(ENDS)}
        made.append(Event(kind, moment, level, grants))
    return made


def state(events):
    """The level and the grants after changes in the order of their moments, as if none had ever come late."""
    level, grants = None, {}
    for one in sorted(events, key=lambda one: one.moment):
        level = one.level if one.kind in ("level", "line", "deletion") else level
        grants = {name: fields for name, fields in grants.items() if name not in one.named} | one.given
    return level, grants


def shown(level, grants):
    """The members of an answer that tell of a level and of grants. Without a level it is the lowest."""
    return (level or {"authorizationLevel": LEVELS[0]}) | ({"grants": grants} if grants else {})


def current(level):
    """The level that counts now."""
    name = level["authorizationLevel"] if level else LEVELS[0]
    has_ended = level and PAST.items() <= level.items()
    return level.get("levelAfter", LEVELS[LEVELS.index(name) - 1]) if has_ended else name


def outcome(link, level, grants):
    """What a link is for a user: a plan, or the first of the gates that give what is missing."""
    wanted, required = NEEDS[link]
    missing = {*LEVELS[LEVELS.index(current(level)) + 1:LEVELS.index(wanted) + 1], *required} - set(grants)
    return next((name for name in GATES if name in missing), "plan")


class User:
    """A user whose changes arrive one after the other. Each part has the moment of its last change, before which all is late."""

    def __init__(self):
        self.level, self.grants, self.is_stored, self.history = None, {}, False, []
        self.of_level, self.of_grants = 0, dict.fromkeys(ALL, 0)

    def apply(self, one):
        """Takes a change that arrives. Returns the status and the members of the answer that a test can know."""
        before, had = (self.is_stored, self.level, self.grants), set(one.grants or {}) & set(self.grants)
        names = [name for name in one.named if one.moment >= self.of_grants[name]]
        is_level = one.kind in ("level", "line", "deletion") and one.moment >= self.of_level
        if is_level:
            self.of_level, self.level = one.moment, one.level
        self.of_grants |= dict.fromkeys(names, one.moment)
        self.grants = {name: fields for name, fields in self.grants.items() if name not in names} | \
                      {name: one.given[name] for name in names if name in one.given}
        is_late = not is_level and not names
        if one.kind not in ("revocation", "deletion"):
            self.is_stored |= not is_late
        elif one.kind == "deletion" and is_level and not self.grants:
            self.is_stored = False
        if is_changed := before != (self.is_stored, self.level, self.grants):
            fields = shown(self.level, self.grants) if self.is_stored else {"authorizationLevel": None}
            self.history.append(fields | {"version": len(self.history) + 1, "asOf": one.moment})
        body = shown(self.level, self.grants) | {"version": len(self.history)} if self.is_stored else {}
        body["currentLevel"] = current(self.level)
        if is_late or one.kind == "deletion" and before[0] and not is_changed:
            return 200, body | {"applied": False}
        if one.kind in ("revocation", "deletion"):
            return (204 if had or one.kind == "deletion" and before[0] else 404), None
        # A grant that has ended already is none, so its `PUT` removes.
        is_new = one.given and not had if one.kind == "grant" else one.kind == "level" and before[1] is None
        return (201 if is_new else 200), body
