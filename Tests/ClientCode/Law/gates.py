"""A model of gates that are presented over what an app shows, of its own: by the catalog as the server tells it."""


def routed(edge):
    return edge["route"], edge["presentation"]


class Gates:
    """The gates of a catalog; `resolve(link)` returns the stack of a gate's link."""

    def __init__(self, catalog, resolve):
        self.routes = {route["name"]: route for route in catalog["routes"]}
        self.stacks, self.over = {}, {}
        for name, gate in catalog.get("gates", {}).items():
            is_over = isinstance(gate, dict)
            stack = self.stacks[name] = resolve(gate["link"] if is_over else gate)
            if is_over:
                begin = max(index for index, item in enumerate(stack) if item["presentation"] != "push")
                self.over[name] = [stack[begin] | {"presentation": gate["over"]}, *stack[begin + 1:]]

    @property
    def destinations(self):
        """The destinations of the layers."""
        return [item for layer in self.over.values() for item in layer]

    def openers(self, below):
        """The routes that may open a destination over a stack: the top one, and those that show it by default."""
        yield below[-1]["route"]
        for index in range(len(below) - 1, 0, -1):
            parent = self.routes[below[index - 1]["route"]]
            if not any(routed(edge) == routed(below[index]) and edge.get("initial") for edge in parent["opens"]):
                return
            yield parent["name"]

    def is_over(self, stack, index):
        """Whether a destination was put by a gate over what was shown: those below it open it in no other way."""
        wanted = routed(stack[index])
        if index == 0 or wanted not in [routed(layer[0]) for layer in self.over.values()]:
            return False
        opens = [edge for opener in self.openers(stack[:index]) for edge in self.routes[opener]["opens"]]
        return wanted not in [routed(edge) for edge in opens]

    def base(self, shown):
        """The part of a stack over which a gate is presented."""
        count = next((index for index in range(len(shown)) if self.is_over(shown, index)), len(shown))
        while count and shown[count - 1]["presentation"] in ("alert", "confirmationDialog"):
            count -= 1
        return shown[:count]

    def stack(self, name, shown):
        """The stack of a gate, over what is shown if it is one of those."""
        base = self.base(shown) if name in self.over else []
        if not base:
            return self.stacks[name]
        layer = self.over[name]
        return base if base[-1]["route"] == layer[-1]["route"] else base + layer

    def layers(self, shown):
        """Counts the gates that are over a stack."""
        return sum(self.is_over(shown, index) for index in range(len(shown)))
