"""All proofs, one after another: those that passed and still stand are passed over, so that a run goes on where it
stopped; a failure keeps no other proof from being run."""

import contextlib
import datetime
import os
import pathlib
import signal
import subprocess
import time

from results import Result, ResultFile


class Interrupted(Exception):
    """The request to stop."""


class Campaign:
    """A run of all proofs in one form.

    `command` returns the command of a proof by its name. `results` has the results so far and takes those to come, by default
    in a file of `folder`, which has the whole output of each proof.
    """

    def __init__(self, proofs, form, *, checkout, folder, command, results=None, states=None, echo=print):
        self.proofs, self.form, self.checkout, self.folder = proofs, form, checkout, folder
        self.command, self.echo = command, echo
        self.state_of = states or (lambda proof: proof.state(form, checkout))
        self.results = ResultFile(folder / "results.json") if results is None else results

    def run(self, names=()):
        """Runs each proof that does not stand, of all or of those named; returns 0 where all these stand afterwards, 1 where
        one failed, and 130 after an interruption."""
        chosen = {name: proof for name, proof in self.proofs.items() if not names or name in names}
        before = {number: signal.signal(number, self.interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
        code = 0
        try:
            for name, proof in chosen.items():
                state = self.state_of(proof)
                if (kept := self.results[self.key(name)]) and kept.stands(state):
                    self.echo(f"prove: {name} passed at {kept.commit}, in {kept.minutes} minutes")
                elif self.prove(name, proof, state) != 0:
                    code = 1
        except Interrupted:
            code = 130
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        self.echo("\n" + self.table())
        self.echo("prove: " + self.verdict(code, chosen))
        return code

    def verdict(self, code, chosen):
        """Returns the last line of a run."""
        if code == 130:
            return "interrupted; the next `scripts/prove all` goes on here"
        if code != 0:
            return "not all is proved"
        stand = all(self.results[self.key(name)].stands(self.state_of(proof)) for name, proof in chosen.items())
        if not stand:
            return "all passed, but not all is committed: that proves nothing for later"
        return "all is proved" if len(chosen) == len(self.proofs) else "those that were named are proved"

    def prove(self, name, proof, state):
        """Runs one proof, shows and keeps its output, and keeps its result; returns its exit code."""
        self.echo(f"\nprove: {name}: {proof.summary}")
        log = self.folder / "logs" / f"{name}-{self.form}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        began, code, said = time.monotonic(), None, ""
        commit = self.git("rev-parse", "--short", "HEAD").strip()
        # A session of its own: an interruption ends all of its processes, and by this one's hand.
        process = subprocess.Popen(
            self.command(name), cwd=self.checkout, text=True, errors="replace", start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            with process.stdout, log.open("w") as file:
                for line in process.stdout:
                    self.echo(line.rstrip("\n"))
                    file.write(line)
                    file.flush()
                    said = line.strip() or said
            code = process.wait()
        finally:
            if code is None:
                end(process)
            elif code < 0:
                code = 128 - code
            # A result that changed underneath is that of neither state.
            kept = state if self.state_of(proof) == state else None
            minutes = round((time.monotonic() - began) / 60, 1)
            at = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M")
            self.results.keep(self.key(name), Result(code, minutes, commit, at, kept, said[:200]))
        self.echo(f"prove: {name} {'passed' if code == 0 else f'FAILED with {code}'} in {minutes} minutes")
        return code

    def table(self):
        """Returns the results as a table in Markdown."""
        rows = [("proof", "result", "minutes", "commit", "at (UTC)", "its last line")]
        for name, proof in self.proofs.items():
            result = self.results[self.key(name)]
            if result is None:
                rows.append((name, "not run", "", "", "", ""))
                continue
            said = result.said.replace("|", "\\|")
            rows.append((name, self.word(result, proof), f"{result.minutes}", result.commit, result.at, said))
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([lines[0], "|---|---|--:|---|---|---|", *lines[1:]])

    def word(self, result, proof):
        """Returns the word for a result in the table."""
        if result.code is None:
            return "interrupted"
        if result.code != 0:
            return f"FAILED ({result.code})"
        if result.state is None:
            return "passed, uncommitted"
        return "passed" if result.stands(self.state_of(proof)) else "passed, changed since"

    def key(self, name):
        return f"{name} {self.form}"

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.checkout, check=True, capture_output=True, text=True).stdout

    @staticmethod
    def interrupt(*_):
        raise Interrupted


def end(process, patience=60):
    """Asks all processes of a session to end, whatever their groups are, and kills them where they do not."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for one in session(process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, number)
        deadline = time.monotonic() + patience
        while session(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
    process.wait()


def session(leader):
    """Returns the processes of a session that have not ended (proc(5))."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, number = path.read_text().rpartition(") ")[2].split()[:4]
            if int(number) == leader and state != "Z":
                found.append(int(path.parent.name))
    return found
