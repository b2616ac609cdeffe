"""The links of a catalog, and random sequences of what apps, users and systems do with them."""

VALUES = {
    "string": ["a", "b c", "12"], "int": [1, 2, 3], "double": [1.5, 2.5], "bool": [True, False],
    "uuid": ["00112233-4455-6677-8899-aabbccddeeff"], "date": ["2026-02-28"], "dateTime": ["2026-02-28T12:00:00Z"],
}


class Links:
    """The links of a catalog with their stacks, found by walking it; `first` is a stack to begin with."""

    def __init__(self, service, rng, count=60, has_bars=False):
        _, catalog = service.send("GET", "/v1/catalog")
        self.routes = [route["name"] for route in catalog["routes"]]
        self.steps = service.steps
        self.known, self.stacks = [], []
        service.attain_all("walker")
        routes = {route["name"]: route for route in catalog["routes"]}
        # The values that a destination has from one below it.
        self.inherited = {name: {spec["name"]: spec["inherit"].split(".", 1) for spec in route["parameters"] if "inherit" in spec}
                          for name, route in routes.items()}
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
        # A gate that is shown over others is presented by the app's own buttons, too.
        # The tabs in the bar of each route, for a router that has one.
        self.has_bars = has_bars
        self.bars = {route["name"]: [{"route": edge["route"], "presentation": "tab", "parameters": {}} for edge in route["opens"]
                                     if edge["presentation"] == "tab"] for route in catalog["routes"]} if has_bars else {}
        self.destinations = [item for stack in self.stacks for item in stack]
        self.destinations += service.gates.destinations * (len(self.destinations) // 10)
        self.first = min(self.stacks, key=len)
        assert len(self.known) >= 2, self.known

    def destination(self, rng, path):
        """A destination for a button of the app's own, which gives it the values that it inherits."""
        destination = rng.choice(self.destinations)
        values = {}
        for name, (route, parameter) in self.inherited[destination["route"]].items():
            below = [item for item in path if item["route"] == route]
            if not below:
                return self.destination(rng, path)
            values[name] = below[-1]["parameters"][parameter]
        return destination | {"parameters": destination["parameters"] | values} if values else destination

    def add(self, service, stack):
        link = service.link(stack)
        if not link or link in self.known:
            return
        stack = service.stack(link)
        if stack:
            self.known.append(link)
            self.stacks.append(stack)


def parameters(rng, specs):
    values = {}
    for spec in specs:
        if "value" in spec or "inherit" in spec or not (spec.get("required") or rng.random() < 0.7):
            continue
        if "values" in spec:
            value = rng.choice(spec["values"])
        else:
            value = rng.choice(VALUES.get(spec["type"].strip("[]"), ["a"]))
        values[spec["name"]] = [value] if spec["type"].startswith("[") else value
    return values


def own(rng, links, model, is_sure=True):
    """An operation of the app's own, or a gesture of the system; `is_sure` says that nothing else comes before it."""
    path = model.tree.path
    if model.gate_is_shown() and rng.random() < 0.4:
        return close(path)
    kind = rng.choice(["push", "present", "present", "select", "select", "dismiss", "dismiss", "back", "swipe", "path"])
    match kind:
        case "push" | "present":
            return {"do": kind, "destination": links.destination(rng, path if is_sure else [])}
        case "select":
            # Mostly a tab that is there.
            tabs = [tab[0].destination for at in range(len(path) + 1) for tab in model.tree.tabs(at)]
            tab = rng.choice(tabs) if tabs and rng.random() < 0.8 else links.destination(rng, [])
            bars = [bar for item in path if (bar := links.bars.get(item["route"]))]
            if links.has_bars:
                # A layout of the router has the tabs of the catalog and no others.
                return {"do": "select", "destination": rng.choice(bars[-1])} if bars else {"do": "dismiss"}
            at = {"at": rng.randint(0, len(path) + 1)} if rng.random() < 0.2 else {}
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
                below = path[:max(at, 0) + 1] + pushes if is_sure else []
                pushes = pushes + [links.destination(rng, below) | {"presentation": "push"}]
            # Now and then of an opener that is gone.
            return {"do": "setPath", "at": max(at, 0) if rng.random() < 0.97 else len(path), "pushes": pushes}


def close(path):
    """The gesture that closes the topmost layer, or leaves its first screen."""
    count = len(path) - 1
    while count > 1 and path[count]["presentation"] in ("push", "tab"):
        count -= 1
    return {"do": "dismiss", "count": count}


def sequence(rng, links, model, user):
    """Commands, each made for what the model shows by then."""
    users, step, held = [user, user + "b"], 0, []
    yield {"do": "user", "name": user if rng.random() < 0.8 else None}
    for _ in range(rng.randint(4, 16)):
        kind = rng.choices(
            ["open", "own", "attain", "resume", "user", "signOut", "restart", "spoil", "steal", "waiting", "age", "show", "link",
             "clearProblem"],
            [20, 20, 20, 30, 5, 2, 5, 3, 3, 7, 2, 4, 4, 1] if model.pending else [40, 40, 5, 2, 5, 1, 3, 0, 0, 0, 0, 5, 5, 1])[0]
        command = {}
        fault = rng.random()
        if fault < 0.12:
            command = {"lose": rng.choice([1, 2, 3, 100])}
        elif fault < 0.22:
            others = [own(rng, links, model, is_sure=False) for _ in range(rng.randint(1, 2))]
            if rng.random() < 0.2:
                others.append(rng.choice([{"do": "signOut"}, {"do": "open", "link": rng.choice(links.known)}]))
            command = {"meanwhile": others}
        match kind:
            case "open":
                link = rng.choice(links.known)
                mode = {"mode": "append"} if rng.random() < 0.15 else {}
                # Often the last refused link again; now and then one that leads nowhere.
                if model.pending and rng.random() < 0.3:
                    link, mode = model.pending["link"], {"mode": model.pending["mode"]}
                elif rng.random() < 0.05:
                    link += "/nowhere"
                elif mode and rng.random() < 0.7:
                    link = "/".join(link.split("?")[0].split("/")[-rng.randint(1, 2):])
                yield {"do": "open", "link": link} | mode | command
            case "show":
                path = model.tree.path
                stack = rng.choice(links.stacks) if rng.random() < 0.7 else path + [links.destination(rng, path)]
                yield {"do": "show", "stack": stack} | command
            case "link":
                yield {"do": "link", "lose": rng.choice([0, 0, 0, 1, 2])}
            case "own":
                yield own(rng, links, model)
            case "attain":
                # Often one thing, as behind a gate; else all that is left.
                some = links.steps[step:step + 1 if rng.random() < 0.7 else None]
                step += len(some)
                for what in some:
                    if what["kind"] == "hold":
                        held = [*held, what["name"]]
                        yield {"do": "hold", "names": held}
                    else:
                        for name in users:
                            yield {"do": "attain", "user": name, "what": what}
            case "resume":
                yield {"do": "resume"} | command
            case "user":
                yield {"do": "user", "name": rng.choice([None, *users])}
            case "restart":
                yield {"do": "restart", "restores": rng.random() < 0.5}
            case "waiting":
                yield {"do": "resume", "waiting": 4000, "user": model.user or user}
            case _:
                yield {"do": kind}
