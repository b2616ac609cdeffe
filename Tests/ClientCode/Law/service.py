"""A server as the model asks it, which holds its answers to laws of their own."""

import http.client
import json

from gates import Gates


class Service:
    """The server as the model asks it."""

    def __init__(self, server):
        self.server = server
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)
        _, catalog = self.send("GET", "/v1/catalog")
        levels = catalog.get("levels") or ["none", "onboardingCompleted", "signedInUser", "premiumUser"]
        # All that users obtain, one after another; the assertions of an app (`hold`) are the runner's.
        self.steps = [step("level", item) for item in levels[1:]] + [step("grant", item) for item in catalog.get("grants", [])]
        self.holds = [item["name"] for item in self.steps if item["kind"] == "hold"]
        for user in ("walker", "thief"):
            self.attain_all(user)
        self.gates = Gates(catalog, self.stack)

    def send(self, method, target, body=None):
        self.connection.request(method, target, None if body is None else json.dumps(body),
                                {"Content-Type": "application/json"})
        response = self.connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text else None

    def stack(self, link):
        """The stack of a link for a user who may open everything; None if it leads nowhere."""
        status, answer = self.send("POST", "/v1/resolve", {"link": link, "user": "walker", "holds": self.holds})
        return answer["stack"] if status == 200 else None

    def resolve(self, link, mode, user, holds, start, shown):
        """What a navigator that resolves a link from one stack must show over another: the plan's stack, or the gate's."""
        status, answer = self.ask(link, mode, user, holds, start)
        found = answer if status == 200 else answer.get("gate", {})
        if "stack" not in found:
            return {"status": status}
        keep = self.check(found, start)
        if status == 403:
            return {"status": status, "stack": self.gate(found, start[:keep], start, shown), "link": found["link"]}
        return {"status": status, "stack": found["stack"], "link": found.get("canonicalLink")}

    def link(self, stack):
        """The link that leads to a stack; None if there is none."""
        status, answer = self.send("POST", "/v1/links", {"stack": stack})
        return answer["link"] if status == 200 else None

    def ask(self, link, mode, user, holds, start):
        question = {"link": link, "mode": mode, "from": start} | ({"user": user} if user else {})
        return self.send("POST", "/v1/resolve", question | ({"holds": holds} if self.holds else {}))

    @staticmethod
    def check(found, start):
        """Compares a transition with its stack; returns how much of the start fits the catalog."""
        transition = found["transition"]
        assert start[:transition["keep"]] + transition["present"] == found["stack"], (start, found)
        assert transition["keep"] + transition["dismiss"] == len(start), (start, found)
        return transition.get("unknownFrom", len(start))

    def gate(self, gate, fitting, start, shown):
        """The stack of a gate over what is shown, which is the server's where that is the start."""
        name = gate.get("level") or gate["grant"]
        stack = self.gates.stack(name, fitting)
        assert stack == gate["stack"], (start, stack, gate)
        # Gates never pile up.
        assert self.gates.layers(gate["stack"]) <= 1, gate
        if shown is start:
            return gate["stack"]
        _, answer = self.ask(gate["link"], "replace", "walker", self.holds, shown)
        return self.gates.stack(name, shown[:self.check(answer, shown)])

    def attain(self, user, what):
        """Gives a user a level or a grant."""
        if what["kind"] == "level":
            status, _ = self.send("POST", f"/v1/users/{user}", {"authorizationLevel": what["name"]})
        else:
            status, _ = self.send("PUT", f"/v1/users/{user}/grants/{what['name']}", {})
        assert status in (200, 201), status

    def attain_all(self, user):
        for what in self.steps:
            if what["kind"] != "hold":
                self.attain(user, what)

    def steals(self, token):
        """Redeems a token for somebody else, who may open everything; returns whether it is spent."""
        if not token:
            return False
        body = {"token": token, "user": "thief"} | ({"holds": self.holds} if self.holds else {})
        return self.send("POST", "/v1/continuations", body)[0] == 200


def step(kind, item):
    """A level or a grant of a catalog as something to obtain."""
    if isinstance(item, str):
        return {"kind": kind, "name": item}
    return {"kind": "hold" if item.get("from") == "app" else kind, "name": item["name"]}
