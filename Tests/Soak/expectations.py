"""Compares answers with what the engine said before."""

import json
import re

from engine import LEVELS

# A quotation mark inside of a value is escaped, so nothing else looks like this.
CONTINUATION = re.compile(rb',"continuation":"([^"\\]*)"')
VERSION = re.compile(rb',"catalogVersion":"([0-9a-f]{12})"\}$')
USER_LEVEL = re.compile(rb'"(?:user|userLevel)":"([a-zA-Z]+)"')


def said(problem):
    """What a command says of a problem: its detail, and the way on."""
    if gate := problem.get("gate"):
        return f"{problem['detail']} The way there is {gate['link']}, which gives {gate.get('level') or gate.get('grant')}."
    return problem["detail"] + (f" {problem['hint']}" if "hint" in problem else "")


class Expectations:
    """Holds the questions of a run and their right answers in every catalog for every level."""

    def __init__(self, catalogs, questions, outlines, answers, stacks, stack_links):
        self.catalogs, self.questions, self.stacks = catalogs, questions, stacks
        self._outlines, self._answers, self._links = outlines, answers, stack_links
        self._versions = {catalog.version.encode(): place for place, catalog in enumerate(catalogs)}
        self.known = [question for question in questions
                      if all((question.index, catalog, level) in answers or (question.index, catalog, level) in outlines
                             for catalog in range(len(catalogs)) for level in range(4))]
        self.whole = [question for question in self.known if (question.index, 0, 0) in answers]
        self.surface = [question for question in self.known if question.surface]
        # Refused in every catalog to somebody of no level, granted to premium users, and never explained.
        self.gated = [question for question in self.whole if "explain" not in question.body
                      and all(b"insufficient-authorization-level" in answers[question.index, catalog, 0]
                              for catalog in range(len(catalogs)) if self._is_plan(question, catalog))
                      and any(self._is_plan(question, catalog) for catalog in range(len(catalogs)))]

    def _is_plan(self, question, catalog):
        return self._answers[question.index, catalog, 3].startswith(b'{"link":')

    def counts(self):
        """How many whole answers are known, how many outlines, and of how many questions."""
        return len(self._answers), len(self._outlines), len(self.known)

    def catalog_of(self, body, possible):
        """The catalogs that an answer can come from: the one it names, if that was in force, else all that were."""
        named = VERSION.search(body)
        if named is None:
            return possible
        return {self._versions.get(named[1])} & possible

    def fits(self, question, levels, catalog, body):
        """Whether a body is the right answer of a catalog for one of some levels."""
        masked = CONTINUATION.sub(b"", body)
        for level in levels:
            whole = self._answers.get((question.index, catalog, level))
            if whole is not None:
                if whole == masked and (b'"status":403' not in body or CONTINUATION.search(body)):
                    return True
            elif self._fits_outline(question, catalog, level, masked):
                return True
        return False

    def _fits_outline(self, question, catalog, level, masked):
        code, text = self._outlines[question.index, catalog, level]
        answer = json.loads(masked)
        if code is not None:
            return answer.get("type") == f"urn:waymark:problem:{code}" and said(answer) == text
        return (" › ".join(destination["route"] for destination in answer.get("stack", [])) == text
                and answer["link"] == question.link and answer["authorizationLevel"]["user"] == LEVELS[level]
                and answer["catalogVersion"] == self.catalogs[catalog].version)

    def wanted(self, question, levels, catalogs):
        """Says in words what would have been right."""
        return [f"{self.catalogs[catalog].name} for {LEVELS[level]}: "
                + str((self._answers.get((question.index, catalog, level))
                       or self._outlines.get((question.index, catalog, level))))
                for catalog in sorted(catalogs) for level in sorted(levels)]

    def fits_link(self, stack, catalog, status, body):
        """Whether an answer is the link of a stack in a catalog."""
        right = self._links[stack, catalog]
        if isinstance(right, str):
            return status == 200 and json.loads(body) == {"link": right}
        index, route, detail = right
        answer = json.loads(body)
        answer.pop("title", None)
        return status == 422 and answer == {"type": "urn:waymark:problem:no-link", "status": 422, "detail": detail,
                                            "route": route, "index": index}

    def wanted_link(self, stack, catalogs):
        """Says what would have been right."""
        return [f"{self.catalogs[catalog].name}: {self._links[stack, catalog]}" for catalog in sorted(catalogs)]
