"""Makes what a run needs: expected answers, tokens and users."""

import json

import catalogs
from connection import Connection
from engine import LEVELS, Engine
from expectations import Expectations
from questions import Maker, Question
from waymark import command


def expect(options, folder, progress):
    """Makes catalogs and questions, and has the engine answer them."""
    made = catalogs.make(folder, options.binary)
    engine = Engine(options.binary, folder, progress)
    maker = Maker()
    # Of the first links the whole bodies are known; of ten times as many more, where they lead.
    links = maker.links(options.links)
    seen = set(links)
    while len(links) < options.links * 10:
        if (link := maker.link()) not in seen:
            seen.add(link)
            links.append(link)
    questions = [Question(place, {"link": link}) for place, link in enumerate(links)]
    outlines = engine.outlines(links, made)
    answers = engine.answers("answers of the engine to links", questions[:options.links], outlines, made)
    stacks = stacks_of(answers, options.links // 10)
    leading = [question.link for question in questions[:options.links]
               if any(answers.get((question.index, place, 3), b"").startswith(b'{"link"') for place in range(3))]
    asked = [Question(len(questions) + place, maker.question(leading, [stack["stack"] for stack in stacks]))
             for place in range(options.links // 5)]
    answers |= engine.answers("answers of the engine to other questions", asked, outlines, made)
    return Expectations(made, questions + asked, outlines, answers, stacks, engine.stack_links(stacks, made))


def stacks_of(answers, count):
    """Distinct stacks of plans, evenly picked, every third with a scheme for its link."""
    found = {}
    for body in answers.values():
        if body.startswith(b'{"link":'):
            stack = json.loads(body)["stack"]
            found[repr(stack)] = stack
    stacks = list(found.values())
    return [{"stack": stack} | ({"scheme": "https"} if place % 3 == 0 else {})
            for place, stack in enumerate(stacks[:: max(1, len(stacks) // count)])]


def make_tokens(binary, folder):
    """Makes a token of each role, and one that is revoked; returns them and who the admin is in histories."""
    def token(*words):
        return command(binary, "token", *words, database=folder / "waymark.sqlite")

    tokens = {name: token("create", "--role", role, "--create")
              for name, role in [("admin", "admin"), ("resolver", "resolver"), ("revoked", "admin")]}
    token("revoke", tokens["revoked"].split("_")[1])
    return tokens, "token " + tokens["admin"].split("_")[1]


def make_fixed_users(port, token):
    """Gives a user of each level but the lowest, which nobody changes during the run."""
    connection = Connection(port)
    for level in LEVELS[1:]:
        answer = connection.ask("POST", f"/v1/users/fixed-{level}", [
            ("Authorization", f"Bearer {token}"), ("Content-Type", "application/json")],
            f'{{"authorizationLevel":"{level}"}}'.encode())
        assert answer.status == 201, answer.body
    connection.close()
