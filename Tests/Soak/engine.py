"""Asks the engine itself, by the commands that need no server, what the right answers are."""

import concurrent.futures
import json
import re
import subprocess

LEVELS = ["none", "onboardingCompleted", "signedInUser", "premiumUser"]

NO_LINK = re.compile(r"waymark: destination (\d+) \((.*?)\) has no link: (.*)", re.DOTALL)


class Engine:
    """Runs the offline commands, a few at a time."""

    def __init__(self, binary, folder, progress):
        self._binary, self._folder, self._progress = binary, folder, progress

    def _run(self, *arguments, text=None):
        return subprocess.run([self._binary, *arguments], capture_output=True, input=text)

    def _each(self, what, jobs, function):
        """Calls a function for every job, two at a time, and tells of the progress."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for number, result in enumerate(pool.map(function, jobs)):
                if number % 25 == 0 or number + 1 == len(jobs):
                    self._progress(what, number + 1, len(jobs))
                yield result

    def outlines(self, links, catalogs):
        """For each catalog and level, what `waymark check` says of each link that its file can hold.

        An outline is the routes of a plan, or the code and detail of a problem.
        """
        usable = [place for place, link in enumerate(links)
                  if link.strip() and not link.startswith(("#", "\ufeff")) and not re.search("[\r\n]", link)]
        file = self._folder / "links.txt"
        file.write_bytes("\n".join(links[place] for place in usable).encode())
        found = {}
        for catalog in range(len(catalogs)):
            for level, name in enumerate(LEVELS):
                run = self._run("check", file, "--level", name, "--format", "json", "--catalog",
                                catalogs[catalog].file)
                results = json.loads(run.stdout)["results"]
                assert len(results) == len(usable), "waymark check leaves out links"
                for place, result in zip(usable, results):
                    found[place, catalog, level] = (
                        tuple(result["failure"].split(": ", 1)) if "failure" in result else (None, result["outcome"]))
        return found

    def answers(self, what, questions, outlines, catalogs):
        """For each question, catalog and level, the whole body that is right; of a few questions, none is known."""
        jobs = []
        for question in questions:
            for catalog in range(len(catalogs)):
                known = {outlines.get((question.index, catalog, level)) for level in range(4)}
                # A link that fails for every level in the same words fails before the level counts.
                same = question.plain and len(known) == 1 and None not in known and next(iter(known))[0] is not None
                jobs += [(question, catalog, level, same) for level in range(1 if same else 4)]
        found = {}
        for (question, catalog, level, same), body in zip(
                jobs, self._each(what, jobs, lambda job: self._answer(job[0], catalogs[job[1]], LEVELS[job[2]]))):
            if body is not None:
                for each in range(4) if same else [level]:
                    found[question.index, catalog, each] = body
        return found

    def _answer(self, question, catalog, level):
        arguments = ["resolve", "--format", "json", "--catalog", catalog.file, "--level", level]
        body = question.body
        if "mode" in body:
            arguments += ["--mode", body["mode"]]
        if "from" in body:
            arguments += ["--from", body["from"] if isinstance(body["from"], str) else
                          json.dumps(body["from"], ensure_ascii=False)]
        arguments += [f"--{flag}" for flag in ("partial", "explain") if body.get(flag)]
        run = self._run(*arguments, "--", body["link"])
        # A malformed `from` is an error of the command line, whose words are not those of the API.
        return run.stdout.strip() or None

    def stack_links(self, stacks, catalogs):
        """For each stack and catalog, the link that leads to it, or (index, route, detail) of what has none."""
        jobs = [(stack, catalog) for stack in range(len(stacks)) for catalog in range(len(catalogs))]

        def build(job):
            run = self._run("link", "build", "--catalog", catalogs[job[1]].file,
                            *(["--scheme", stacks[job[0]]["scheme"]] if "scheme" in stacks[job[0]] else []),
                            text=json.dumps(stacks[job[0]]["stack"]).encode())
            if run.returncode == 0:
                return run.stdout.decode().removesuffix("\n")
            index, route, detail = NO_LINK.fullmatch(run.stderr.decode().strip()).groups()
            return int(index), route, detail

        return dict(zip(jobs, self._each("links of stacks", jobs, build)))
