"""Upgrades from the version before, by its own program: `scripts/prove upgrade`.

Takes the program of the last release (Tests/Compatibility/release.txt), or, where its schema is the present one, that of the newest
commit with an earlier schema, which is built once in .build-upgrade. All parts, or those that are named:

  file      a file of the version before is copied, upgraded and served; meanwhile no command changes it beneath a server of the
            version before; that version refuses it afterwards, and goes on with the copy
  replicas  two replicas of the version before over PostgreSQL, behind HAProxy, are replaced one by one under load: no request
            fails and no write is lost; while both versions are at work, each reads what the other wrote; the version before
            no longer starts
  bundles   the catalog of each app of a family, as `catalog bundle --app` writes it, is loaded by the version before, as its engine
            in installed apps loads it, and resolves each link to the same answer

usage: upgrade.py --binary FILE [--quick] [--before FILE | --commit REVISION] [part …]

  --before FILE      the program of the version before
  --commit REVISION  the commit of which it is built

Exit codes: 0 all is well, 1 a violation, 69 something needed is unavailable.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Cluster"))

import before
import cluster
import parts
import waymark
from cluster import LEVELS, LINK, Client, Load, Postgres, Replicas, expect, failures
from ports import free_port

FAMILY = waymark.CHECKOUT / "Config/examples/family"
OPEN = ("--insecure-no-auth",)
cluster.say = lambda text: print(f"upgrade: {text}", flush=True)


def lines(count):
    """Users for an import, of every level; every third has an end."""
    users = ({"id": f"u{number}", "authorizationLevel": LEVELS[number % 4]}
             | ({"validUntil": "2090-01-01T00:00:00Z"} if number % 3 == 0 else {}) for number in range(count))
    return "".join(json.dumps(user) + "\n" for user in users)


def upgrade_in(log):
    """The steps from and to, and the seconds, as the log has them; None without a finished upgrade."""
    said = re.search(r"The database is being upgraded\..*fromStep=(\d+).*toStep=(\d+)", log)
    done = re.search(r"The database was upgraded;.*fromStep=(\d+).*seconds=([\d.]+).*toStep=(\d+)", log)
    if not said or not done or said.groups() != (done[1], done[3]):
        return None
    return int(done[1]), int(done[3]), float(done[2])


def refusal(binary, database, log, *arguments):
    """The exit code of a server that does not start, and what it says; None of one that does."""
    try:
        with waymark.Server(binary, database, arguments=arguments, log=log, patience=30):
            return None, ""
    except waymark.DidNotStart as error:
        return error.code, error.text


def level(port, user, version=None):
    """The level and version of a user, as a replica knows them; by a resolve, too, where a version is wanted."""
    client = Client(port)
    try:
        if version is not None:
            status, data, _ = client.get(f"/v1/resolve?link={LINK}&user={user}&userVersion={version}")
            answer = json.loads(data)
            resolved = answer["authorizationLevel"]["user"] if status == 200 else answer.get("userLevel")
        status, data, _ = client.get(f"/v1/users/{user}")
        stored = json.loads(data)
        if version is not None and resolved != stored.get("currentLevel"):
            return resolved, "resolved differs from stored", stored
        return stored.get("authorizationLevel"), stored.get("version")
    finally:
        client.close()


class Upgrade:
    def __init__(self, arguments, old):
        self.quick, self.new = arguments.quick, pathlib.Path(arguments.binary).resolve()
        self.count = 2_000 if self.quick else 200_000
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="waymark-upgrade.", dir=os.environ.get("TMPDIR", "/var/tmp")))
        self.folder.chmod(0o755)
        # The settings file of this checkout has keys that the version before does not know.
        settings, self.old = self.folder / "before.yaml", self.folder / "before"
        settings.write_text("log: { level: info }\n")
        self.old.write_text(f'#!/bin/sh\nexec {shlex.quote(str(old))} "$@" --config {shlex.quote(str(settings))}\n')
        self.old.chmod(0o755)

    def file(self):
        database = self.folder / "states.sqlite"
        waymark.command(self.old, "user", "import", "--create", database=database, input=lines(self.count))
        with waymark.Server(self.old, database, arguments=OPEN) as server:
            run = subprocess.run([self.new, "user", "get", "u1", "--database", database], capture_output=True, text=True,
                                 cwd=waymark.CHECKOUT, env=waymark.environment())
            expect("no command upgrades a file beneath a server of the version before",
                   run.returncode == 69 and "Restart the server with this version" in run.stderr, run.stderr.strip()[:90])
            expect("that server goes on", Client(server.port).write("u1", "premiumUser", 1)[0] == 200, level(server.port, "u1"))
        new = self.folder / "new.log"
        arguments = (*OPEN, "--backup-before-upgrade", "--log-format", "logfmt")
        with waymark.Server(self.new, database, arguments=arguments, log=new) as server:
            found = upgrade_in(server.said())
            expect("the log says from where to where, and how long", found, found)
            expect("the contents stay", level(server.port, "u1") == ("premiumUser", 2)
                   and level(server.port, "u2") == ("signedInUser", 1), level(server.port, "u1"))
            Client(server.port).write("later", "premiumUser", 1)
        copies = sorted(self.folder.glob("states.sqlite.before-step-*"))
        expect("a copy of before is kept", len(copies) == 1, [one.name for one in copies])
        code, said = refusal(self.old, database, self.folder / "refused.log")
        expect("the version before refuses the file, and says what to do",
               code == 69 and "A newer version of waymark" in said and "backup" in said, f"{code} {said.strip()[-160:]}")
        waymark.command(self.old, "restore", copies[0], "--tokens", "keep", database=database)
        with waymark.Server(self.old, database, arguments=OPEN) as server:
            expect("it goes on with the copy", level(server.port, "u1") == ("premiumUser", 2)
                   and level(server.port, "later")[0] is None, level(server.port, "u1"))

    def replicas(self):
        folder = self.folder / "cluster"
        folder.mkdir(mode=0o755)
        if os.getuid() == 0:
            shutil.chown(folder, "nobody", "nogroup")
        postgres = Postgres(folder / "server", free_port()).make()
        try:
            waymark.command(self.old, "database", "migrate", database=postgres.uri())
            waymark.command(self.old, "user", "import", database=postgres.uri(), input=lines(self.count))
            former = int(postgres.sql("SELECT version FROM waymark_schema"))
            own = self.folder / "replicas"
            own.mkdir()
            replicas = Replicas(self.old, postgres.uri(), own, count=2, arguments=("--log-format", "logfmt"))
            try:
                self.roll(replicas)
            finally:
                replicas.stop()
            present = int(postgres.sql("SELECT version FROM waymark_schema"))
            expect("the schemas differ", present > former, f"step {former} and step {present}")
            code, said = refusal(self.old, postgres.uri(), self.folder / "refused.log", *OPEN)
            expect("the version before no longer starts", code == 69 and "A newer version of waymark" in said,
                   f"{code} {said.strip()[-100:]}")
        finally:
            postgres.stop()

    def roll(self, replicas):
        """Replaces the replicas under load; for some seconds both versions are at work."""
        load, pause = Load(replicas.port, writers=4, readers=8), 2 if self.quick else 20
        time.sleep(pause / 2)
        replicas.binary = self.new
        self.replace(replicas, 0)
        found = upgrade_in(replicas.servers[0].said())
        expect("the log says from where to where, and how long", found, found)
        until, exchanged, wrong = time.monotonic() + pause, 0, []
        while time.monotonic() < until:
            for writer, reader in ((0, 1), (1, 0)):
                user, wanted = f"shared-{exchanged % 9}", LEVELS[exchanged % 4]
                status, data, _ = Client(replicas.ports[writer]).write(user, wanted, exchanged)
                version = json.loads(data).get("version")
                read = level(replicas.ports[reader], user, version) if status in (200, 201) else status
                if read != (wanted, version):
                    wrong.append((writer, user, wanted, version, read))
                exchanged += 1
        expect("each version reads what the other wrote", exchanged > 10 and not wrong, f"{exchanged} writes, wrong {wrong[:3]}")
        self.replace(replicas, 1)
        time.sleep(pause / 2)
        load.stop()
        bad = load.failed(load.reads) + load.failed(load.writes)
        expect("no request fails", not bad and len(load.reads) > 100 and len(load.writes) > 100,
               f"{len(bad)} failed of {len(load.reads)} resolves and {len(load.writes)} writes {bad[:3]}")
        lost = load.lost(replicas.port)
        expect("no acknowledged write is lost", not lost, f"{len(lost)} of the last of {len(load.acknowledged)} users {lost[:2]}")

    @staticmethod
    def replace(replicas, index):
        replicas.servers[index].stop()
        replicas.start(index)
        time.sleep(1)


    def bundles(self):
        key, bundle, catalog = (self.folder / name for name in ("bundle.key", "catalog.bundle", "catalog.json"))
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
        key.chmod(0o600)
        links = sorted(set(re.findall(r'link: "?([^",\s]+)', (FAMILY / "links.yaml").read_text())))
        for app in ("rider", "driver"):
            subprocess.run([self.new, "catalog", "bundle", FAMILY / "catalog.yaml", "--app", app, "--key", key, "--sequence", "1",
                            "--output", bundle], check=True, capture_output=True, cwd=waymark.CHECKOUT, env=waymark.environment())
            # The engine of 1.0 loads the bytes between the start of the bundle and its last brace.
            catalog.write_bytes(bundle.read_bytes().split(b'"catalog":', 1)[1].removesuffix(b"}"))
            checked = subprocess.run([self.old, "catalog", "check", catalog], capture_output=True, text=True, cwd=waymark.CHECKOUT)
            expect(f"the version before loads the bundle of {app}", checked.returncode == 0, checked.stdout.strip()[:300])
            answers = [(link, level, [self.answer(binary, catalog, link, level) for binary in (self.old, self.new)])
                       for link in links for level in ("guest", "member")]
            different = [one for one in answers if one[2][0] != one[2][1]]
            plans = sum(code == 0 for *_, ((code, _), _) in answers)
            expect(f"it answers the links of {app} alike", plans and not different,
                   f"{len(answers)} answers, {plans} of them plans, {len(different)} differ {different[:1]}")

    @staticmethod
    def answer(binary, catalog, link, level):
        """The exit code and the JSON of a resolution."""
        run = subprocess.run([binary, "resolve", link, "--level", level, "--catalog", catalog, "--format", "json"],
                             capture_output=True, text=True, cwd=waymark.CHECKOUT, env=waymark.environment())
        return run.returncode, json.loads(run.stdout) if run.stdout.strip() else run.stderr


def main():
    arguments = parts.options(__doc__, ("file", "replicas", "bundles"), "--before", "--commit", has_seed=False)
    old = pathlib.Path(arguments.before).resolve() if arguments.before else before.program(arguments.commit)
    upgrade = Upgrade(arguments, old)
    try:
        for part in arguments.parts:
            print(f"upgrade: {part}", flush=True)
            getattr(upgrade, part)()
    finally:
        shutil.rmtree(upgrade.folder, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
