"""A model of what an app shows, of its own: by what a stack has in common with the one before, without steps.

`Model` is what a navigator must leave behind after each command; it asks the server the same by `POST /v1/resolve`.
"""

import copy


def same(one, two):
    """Whether two destinations have the same route, presentation and parameters."""
    return (one["route"] == two["route"] and one["presentation"] == two["presentation"]
            and one.get("parameters", {}) == two.get("parameters", {}))


def common(one, two):
    """Counts the destinations that two stacks have in common, from the root onwards."""
    count = 0
    for left, right in zip(one, two):
        if not same(left, right):
            break
        count += 1
    return count


def presented(destination, presentation):
    return destination | {"presentation": presentation}


class Screen:
    """A destination with its tabs, each a list of screens."""

    def __init__(self, destination):
        self.destination, self.tabs, self.selected = destination, [], None


def path(branch):
    """The destinations of a branch from its opener to what is on top."""
    selected = branch[-1].selected
    return [screen.destination for screen in branch] + (path(branch[-1].tabs[selected]) if selected is not None else [])


def place(old, target):
    """A branch that shows a path: the screens of an old one stay as far as they are the same, with their tabs."""
    branch, index = [], 0
    while index < len(target) and (index == 0 or target[index]["presentation"] == "push"):
        if old and index < len(old) and same(old[index].destination, target[index]):
            branch.append(old[index])
        else:
            old = None
            branch.append(Screen(target[index]))
        index += 1
    top, rest = branch[-1], target[index:]
    for screen in branch:
        screen.selected = None
    if rest:
        openers = [tab[0].destination for tab in top.tabs]
        equal = [at for at, opener in enumerate(openers) if same(opener, rest[0])]
        alike = [at for at, opener in enumerate(openers) if opener["route"] == rest[0]["route"]]
        if equal:
            top.selected = equal[0]
            top.tabs[equal[0]] = place(top.tabs[equal[0]], rest)
        elif alike:
            top.selected = alike[0]
            top.tabs[alike[0]] = place(None, rest)
        else:
            top.selected = len(top.tabs)
            top.tabs.append(place(None, rest))
    return branch


class Tree:
    """The layers that an app shows."""

    def __init__(self, stack=()):
        self.layers = []
        self.show(list(stack))

    @property
    def path(self):
        return [destination for layer in self.layers for destination in path(layer)]

    def show(self, target):
        parts = []
        for index, destination in enumerate(target):
            if index == 0 or destination["presentation"] not in ("push", "tab"):
                parts.append([])
            parts[-1].append(destination)
        layers, is_same = [], True
        for index, part in enumerate(parts):
            old = self.layers[index] if is_same and index < len(self.layers) else None
            shown = path(old) if old else []
            is_same = is_same and len(shown) == len(part) and common(shown, part) == len(part)
            layers.append(place(old, part))
        self.layers = layers

    def tabs(self, at):
        """The tabs over the destination below an index of the path."""
        shown = copy.deepcopy(self)
        shown.show(self.path[:at])
        if not shown.layers:
            return []
        branch = shown.layers[-1]
        while branch[-1].selected is not None:
            branch = branch[-1].tabs[branch[-1].selected]
        return branch[-1].tabs

    def select(self, tab, at=None):
        if at is None:
            places = [index for index, item in enumerate(self.path) if index and item["presentation"] == "tab"]
            if self.tabs(len(self.path)):
                places.append(len(self.path))
            fitting = [index for index in places
                       if any(old[0].destination["route"] == tab["route"] for old in self.tabs(index))]
            at = (fitting or places or [len(self.path)])[-1]
        if not 0 <= at <= len(self.path):
            return
        tab = presented(tab, "tab")
        tabs = self.tabs(at)
        old = ([old for old in tabs if same(old[0].destination, tab)]
               or [old for old in tabs if old[0].destination["route"] == tab["route"]])
        self.show(self.path[:at] + (path(old[0]) if old else [tab]))

    def present(self, destination):
        if destination["presentation"] == "root":
            self.layers = []
            self.show([destination])
        elif destination["presentation"] == "tab":
            self.select(destination)
        else:
            self.show(self.path + [destination])

    def dismiss(self, count=None):
        if count is None:
            count = len(self.path) - 1
            while count > 0 and self.path[count]["presentation"] == "tab":
                count -= 1
            if count == 0:
                return
        if 0 <= count < len(self.path):
            self.show(self.path[:count])

    def set_path(self, pushes, at):
        if 0 <= at < len(self.path):
            self.show(self.path[:at + 1] + pushes)

    def json(self):
        def branch(screens):
            return [screen.destination
                    | ({"tabs": [branch(tab) for tab in screen.tabs]} if screen.tabs else {})
                    | ({"selected": screen.selected} if screen.selected is not None else {}) for screen in screens]
        return {"layers": [branch(layer) for layer in self.layers]}


class Model:
    """What a navigator must show, keep and answer.

    `resolve(link, mode, user, holds, start, shown)` asks the server: a link that is appended continues from `start`, and a
    gate is shown over `shown`. `link(stack)` asks for the link of a stack.
    """

    def __init__(self, first, resolve, link):
        self.first, self.resolve, self.link = first, resolve, link
        self.user, self.holds = None, []
        self.tree, self.pending, self.lost, self.turn = Tree(first), None, 0, 0
        # Whether the token of the pending link is good for its user.
        self.is_token_good = False
        # The number of links that were opened, and the times that the app says of them.
        self.taps, self.times = 0, {}
        # Whether the app shows a problem, and the link of what it shows if a plan, a gate or the server has said it.
        self.has_problem, self.known = False, None

    def gate_is_shown(self):
        gate = self.pending["gate"] if self.pending else []
        return bool(gate) and common(gate, self.tree.path) == len(gate)

    def closing(self, change):
        """Makes a change of the user's; closing the gate gives the pending link up."""
        was_shown = self.gate_is_shown()
        change()
        if was_shown and not self.gate_is_shown():
            self.pending = None

    def do(self, command):
        """Does one command; returns the outcome of a link."""
        # A step of the user's own, and a navigator made anew.
        if command["do"] not in ("open", "show", "resume", "link", "user", "hold"):
            self.has_problem = False
        match command["do"]:
            case "push":
                self.tree.present(presented(command["destination"], "push"))
            case "present":
                self.tree.present(command["destination"])
            case "select":
                self.tree.select(command["destination"], command.get("at"))
            case "dismiss":
                self.closing(lambda: self.tree.dismiss(command.get("count")))
            case "setPath":
                self.closing(lambda: self.tree.set_path(command["pushes"], command["at"]))
            case "signOut":
                self.turn, self.pending, self.tree = self.turn + 1, None, Tree(self.first)
            case "link":
                return self.link_of_shown()
            case "show":
                return self.open_stack(command)
            case "user":
                self.user = command["name"]
            case "hold":
                self.holds = command["names"]
            case "restart":
                self.tree, self.known = self.tree if command["restores"] else Tree(self.first), None
            case "spoil":
                # The token alone is of no use any more; the link is.
                self.is_token_good, self.known = False, None
            case "age":
                # A link as version 1.0 stored it was refused, and nobody knows when.
                self.pending, self.known = self.pending | {"reason": "refused", "tap": None}, None
            case "open":
                return self.open(command)
            case "resume":
                return self.resume(command)
        return None

    def answered(self, asks):
        """Whether an answer arrives; a client asks twice, and in a redemption that fails twice again."""
        for _ in range(asks):
            if self.lost >= 2:
                self.lost -= 2
                return False
            self.lost = 0
        return True

    def link_of_shown(self):
        path = self.tree.path
        if self.known and len(self.known[0]) == len(path) == common(self.known[0], path):
            return self.known[1]
        link = self.link(path) if self.answered(1) else None
        if link:
            self.known = path, link
        return link or "none"

    def open_stack(self, command):
        self.turn += 1
        link = self.link(command["stack"]) if self.answered(1) else None
        turn = self.turn
        for other in command.get("meanwhile", []):
            self.do(other)
        if turn != self.turn:
            return "superseded"
        if link is None:
            self.has_problem = True
            return "failed"
        return self.open({"link": link})

    def ask(self, command, question, counts=lambda: True, asks=1):
        self.turn += 1
        turn, shown = self.turn, self.tree.path
        answer = question(shown) if self.answered(asks) else {"status": 0}
        for other in command.get("meanwhile", []):
            self.do(other)
        if turn != self.turn or not counts():
            return None, shown
        moved = len(shown) != len(self.tree.path) or common(shown, self.tree.path) != len(shown)
        if moved and "stack" in answer:
            # The user went elsewhere: the link is resolved once more, from there.
            shown = self.tree.path
            answer = question(shown) if self.answered(asks) else {"status": 0}
        return answer, shown

    def open(self, command):
        link, mode, user = command["link"], command.get("mode", "replace"), self.user
        self.taps += 1
        tap = self.taps
        answer, shown = self.ask(command, lambda stack: self.resolve(link, mode, user, self.holds, stack, stack))
        if answer is None:
            return "superseded"
        if answer["status"] == 200 and self.pending and (self.pending["link"], self.pending["mode"]) == (link, mode):
            self.pending = None
        pending = {"link": link, "mode": mode, "from": shown, "tap": tap} | ({"user": user} if user else {})
        if answer["status"] == 0:
            self.pending, self.is_token_good = pending | {"reason": "unanswered", "gate": []}, False
        return self.take(answer, pending)

    def resume(self, command):
        pending = self.pending
        if pending is None:
            return "superseded"

        def question(shown):
            is_own = self.user is not None and pending.get("user", self.user) == self.user
            start = pending["from"] if pending["mode"] == "append" else shown
            # Only a redemption says what is shown beside what the link continues from.
            over = shown if is_own and self.is_token_good else start
            return self.resolve(pending["link"], pending["mode"], self.user, self.holds, start, over)

        answer, _ = self.ask(command, question, lambda: self.pending is pending)
        if answer is None:
            return "superseded"
        # An unanswered link is at its end with the first answer, whatever it is.
        is_answered = pending["reason"] == "unanswered" and "stack" not in answer and answer["status"] != 0
        if is_answered or answer["status"] in (200, 404, 422):
            self.pending = None
        waits = {name: pending[name] for name in ("link", "mode", "from", "tap")}
        return self.take(answer, waits | ({"user": self.user} if self.user else {}))

    def take(self, answer, pending):
        self.has_problem = "stack" not in answer
        if answer.get("link"):
            self.known = answer["stack"], answer["link"]
        if answer["status"] == 200:
            self.tree.show(answer["stack"])
            return "shown"
        if answer["status"] == 403 and "stack" in answer:
            self.pending = pending | {"reason": "refused", "gate": answer["stack"]}
            self.is_token_good = True
            self.tree.show(answer["stack"])
            return "gated"
        return "failed"
