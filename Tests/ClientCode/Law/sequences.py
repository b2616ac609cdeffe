"""The links of a catalog, and random sequences of what apps, users and systems do with them."""

VALUES = {
    "string": ["a", "b c", "12"], "int": [1, 2, 3], "double": [1.5, 2.5], "bool": [True, False],
    "uuid": ["00112233-4455-6677-8899-aabbccddeeff"], "date": ["2026-02-28"], "dateTime": ["2026-02-28T12:00:00Z"],
}


class Links:
    """The links of a catalog with their stacks, found by walking it; `first` is a stack to begin with."""

    def __init__(self, service, rng, count=60):
        _, catalog = service.send("GET", "/v1/catalog")
        self.routes = [route["name"] for route in catalog["routes"]]
        self.levels = catalog.get("levels") or ["none", "onboardingCompleted", "signedInUser", "premiumUser"]
        self.levels = [level if isinstance(level, str) else level["name"] for level in self.levels]
        self.known, self.stacks = [], []
        service.set_level("walker", self.levels[-1])
        routes = {route["name"]: route for route in catalog["routes"]}
        for _ in range(count * 20):
            if len(self.known) == count:
                break
            stack, opens = [], catalog["entry"]
            for _ in range(rng.randint(1, 7)):
                edges = [edge for edge in opens if edge.get("linkable", True)]
                if not edges:
                    break
                edge = rng.choice(edges)
                route = routes[edge["route"]]
                specs = edge.get("parameters", route["parameters"])
                stack.append({"route": edge["route"], "presentation": edge["presentation"],
                              "parameters": parameters(rng, specs)})
                opens = route["opens"]
            self.add(service, stack)
        self.destinations = [item for stack in self.stacks for item in stack]
        self.first = min(self.stacks, key=len)
        assert len(self.known) >= 2, self.known

    def add(self, service, stack):
        status, answer = service.send("POST", "/v1/links", {"stack": stack})
        if status != 200 or answer["link"] in self.known:
            return
        status, plan = service.send("POST", "/v1/resolve", {"link": answer["link"], "user": "walker"})
        if status == 200:
            self.known.append(answer["link"])
            self.stacks.append(plan["stack"])


def parameters(rng, specs):
    values = {}
    for spec in specs:
        if "value" in spec or not (spec.get("required") or rng.random() < 0.7):
            continue
        if "values" in spec:
            value = rng.choice(spec["values"])
        else:
            value = rng.choice(VALUES.get(spec["type"].strip("[]"), ["a"]))
        values[spec["name"]] = [value] if spec["type"].startswith("[") else value
    return values


def own(rng, links, model):
    """An operation of the app's own, or a gesture of the system."""
    path = model.tree.path
    destination = rng.choice(links.destinations)
    kind = rng.choice(["push", "present", "present", "select", "select", "dismiss", "dismiss", "back", "swipe", "path"])
    match kind:
        case "push" | "present":
            return {"do": kind, "destination": destination}
        case "select":
            # Mostly a tab that is there.
            tabs = [tab[0].destination for at in range(len(path) + 1) for tab in model.tree.tabs(at)]
            tab = rng.choice(tabs) if tabs and rng.random() < 0.8 else destination
            at = {"at": rng.randint(0, len(path))} if rng.random() < 0.2 else {}
            return {"do": "select", "destination": tab} | at
        case "dismiss":
            return {"do": "dismiss"}
        case "swipe":
            return {"do": "dismiss", "count": rng.randint(0, len(path) + 1)}
        case "back" | "path":
            # A report of the system's stack of screens: the pushes over its opener, fewer or more than before.
            at = len(path) - 1
            while at > 0 and path[at]["presentation"] == "push":
                at -= 1
            pushes = path[at + 1:]
            pushes = pushes[:rng.randint(0, len(pushes))]
            if kind == "path":
                pushes = pushes + [destination | {"presentation": "push"}]
            return {"do": "setPath", "at": max(at, 0), "pushes": pushes}


def sequence(rng, links, model, user):
    """Commands, each made for what the model shows by then."""
    users, level = [user, user + "b"], 0
    yield {"do": "user", "name": user if rng.random() < 0.8 else None}
    for _ in range(rng.randint(4, 16)):
        kind = rng.choices(
            ["open", "own", "level", "resume", "user", "signOut", "restart", "spoil", "steal", "waiting"],
            [20, 20, 20, 30, 5, 2, 5, 3, 3, 7] if model.pending else [40, 40, 5, 2, 5, 1, 3, 0, 0, 0])[0]
        command = {}
        fault = rng.random()
        if fault < 0.08:
            command = {"lose": rng.choice([1, 2, 3, 100])}
        elif fault < 0.18:
            others = [own(rng, links, model) for _ in range(rng.randint(1, 2))]
            if rng.random() < 0.2:
                others.append(rng.choice([{"do": "signOut"}, {"do": "open", "link": rng.choice(links.known)}]))
            command = {"meanwhile": others}
        match kind:
            case "open":
                link = rng.choice(links.known)
                # Now and then the last refused link again, or one that leads nowhere.
                if model.pending and rng.random() < 0.1:
                    link = model.pending["link"]
                elif rng.random() < 0.05:
                    link += "/nowhere"
                mode = {"mode": "append"} if rng.random() < 0.15 else {}
                if mode and rng.random() < 0.7:
                    link = "/".join(link.split("?")[0].split("/")[-rng.randint(1, 2):])
                yield {"do": "open", "link": link} | mode | command
            case "own":
                yield own(rng, links, model)
            case "level":
                level = min(level + 1, len(links.levels) - 1)
                for name in users:
                    yield {"do": "level", "user": name, "level": links.levels[level]}
            case "resume":
                yield {"do": "resume"} | command
            case "user":
                yield {"do": "user", "name": rng.choice([None, *users])}
            case "restart":
                yield {"do": "restart", "restores": rng.random() < 0.5}
            case "waiting":
                yield {"do": "resume", "waiting": 4000, "user": model.user or user, "level": links.levels[-1]}
            case _:
                yield {"do": kind}
