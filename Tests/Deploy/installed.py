"""Runs the commands of the operator's pages in a root with Debian's package installed, as their readers would.

usage: installed.py ROOT PACKAGE FOLDER

ROOT is the root of a Debian without the package. The commands are read out of the pages, and run by root in its home of mode 0700,
or by the service's user there. `systemctl` is a stand-in; PostgreSQL runs outside, with TLS and a password, as db.example.
Needs a network namespace of its own: the service listens on its port.
"""

import fcntl
import http.client
import json
import os
import pathlib
import re
import socket
import stat
import struct
import subprocess
import sys
import time

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
STATE = "var/lib/waymark"

# No balancer looks, so that restarts take no five seconds.
HASTE = "drain: { seconds: 0 }\n"

# Programs that a minimal system lacks, or that wait for a person.
SHIMS = {
    "sudo": '#!/bin/sh\n[ "$1" != -u ] || { user=$2; shift 2; exec runuser -u "$user" -- "$@"; }\nexec "$@"\n',
    # Writes what the proof has put beside it.
    "editor": '#!/bin/sh\nexec cp --no-preserve=all "/root/edited/$(basename "$1")" "$1"\n',
    "systemctl": (CHECKOUT / "Tests/Deploy/systemctl.sh").read_text(),
}


def require(condition, message):
    """Ends with a message where something is not so."""
    if not condition:
        raise SystemExit(f"deploy: installed: {message}")


def wait(condition, message):
    """Waits until something is so, for some seconds."""
    for _ in range(200):
        if condition():
            return
        time.sleep(0.1)
    raise SystemExit(f"deploy: installed: {message}")


def block(page, containing):
    """The first block of shell commands of a page that has a text, without its comments."""
    text = (CHECKOUT / "docs/guides" / page).read_text()
    found = [each for each in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) if containing in each]
    require(found, f"{page} shows no `{containing}`")
    return re.sub(r" {2,}#.*", "", found[0])


class Root:
    """The root, and the commands that run in it."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        home = self.root / "root"
        home.chmod(0o700)
        (home / "edited").mkdir()
        for name, text in SHIMS.items():
            program = self.root / "usr/local/bin" / name
            program.write_text(text)
            program.chmod(0o755)

    def run(self, script, user="root", folder="/root", code=0, **variables):
        """Runs a script, and returns what it prints; a failing line ends it, and is a failure of the proof."""
        identity = [] if user == "root" else ["runuser", "-u", user, "--"]
        done = subprocess.run(
            ["chroot", self.root, "env", "-i", f"PATH={PATH}", "HOME=/root", "LANG=C.UTF-8",
             *(f"{name}={value}" for name, value in variables.items()),
             "sh", "-c", f'cd {folder} && exec "$@"', "sh", *identity, "sh", "-euc", script],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
        require(done.returncode == code,
                f"`{script.strip()}` of {user} ends with {done.returncode}: {done.stderr}{done.stdout}{self.log()}")
        return done.stdout + (done.stderr if code else "")

    def log(self, unit="waymark.service"):
        """The log of a service, or none."""
        file = self.root / f"run/stand-in/{unit}.log"
        return file.read_text() if file.is_file() else ""

    def write(self, path, text):
        """Replaces the contents of a file."""
        (self.root / path).write_text(text)

    def check_owners(self):
        """All in the state's folder belongs to the service's user, and nobody else may read it."""
        user = next(int(line.split(":")[2]) for line in (self.root / "etc/passwd").read_text().splitlines()
                    if line.startswith("waymark:"))
        for file in (self.root / STATE).rglob("*"):
            status = file.lstat()
            require(status.st_uid == user, f"{file} belongs to {status.st_uid}, not to the service's user {user}")
            require(stat.S_IMODE(status.st_mode) & 0o027 == 0, f"{file} can be read by others")


def status(path, token=None, method="GET", body=None, port=8080):
    """The status and the body of an answer; 0 while nobody listens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        connection.request(method, path, body=body and json.dumps(body), headers={**headers, "Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    except OSError:
        return 0, ""
    finally:
        connection.close()


def is_ready():
    """Whether the service answers."""
    return status("/readyz")[0] == 200


def level(user, token, port=8080):
    """The stored level of a user."""
    return json.loads(status(f"/v1/users/{user}", token, port=port)[1]).get("authorizationLevel")


def set_level(user, name, token):
    """Stores a user's level by the service."""
    code, body = status(f"/v1/users/{user}", token, "POST", {"authorizationLevel": name})
    require(code in (200, 201), f"{user} is not stored: {code} {body}")


def check_installation(root, package):
    """Nothing is enabled; the commands of the page make the first token, and start the service."""
    (root.root / "root/waymark.deb").write_bytes(pathlib.Path(package).read_bytes())
    said = root.run("dpkg --force-confdef --install waymark.deb")
    links = [file for file in (root.root / "etc/systemd/system").rglob("*waymark*") if file.is_symlink()]
    require(not links, f"the installation enables {links}")
    with open(root.root / "etc/waymark/service.yaml", "a") as settings:
        settings.write(HASTE)
    lines = block("operate/deployment.md", "apt-get install ./release/waymark").splitlines()
    require("apt-get install" in lines[0], "deployment.md: the package is not installed first")
    commands = [line.removeprefix("sudo ") for line in lines]
    for line in said.splitlines():
        if line.startswith("  runuser") or line.startswith("  systemctl"):
            require(line.strip() in commands, f"the package prints `{line.strip()}`, and the page does not")
    output = root.run("\n".join(lines[1:]))
    token = re.search(r"wm_[0-9a-z]{12}_[0-9A-Za-z]{49}", output)
    require(token, f"the first token is not shown: {output}")
    wait(is_ready, f"the service does not answer: {root.log()}")
    require(status("/v1/users", token[0])[0] == 200, "the first token is refused")
    require(status("/v1/users")[0] == 401, "there is an answer without a token")
    require((root.root / "etc/systemd/system/multi-user.target.wants/waymark.service").is_symlink(), "it is not enabled")
    root.check_owners()
    for user in "root", "waymark", "nobody":
        said = root.run("waymark resolve navigation://loremipsum.com/onboarding --format json", user=user)
        require('"route":"onboarding"' in said, f"{user} resolves nothing: {said}")
    # The service's user, in a folder that it may not enter.
    require("admin" in root.run("waymark token list", user="waymark"), "the service's user lists no token")
    said = root.run("waymark token list", user="nobody", code=69)
    require("nobody may not enter its folder" in said, f"a closed folder is not named: {said}")
    # It waits two seconds for an answer, which a busy machine may not have.
    root.run("for second in 1 2 3 4 5; do ! waymark healthcheck || exit 0; sleep 1; done; exit 1", user="waymark")
    return token[0]


def check_leak(root, admin):
    """The first step of the page, pasted, and what it says to put back."""
    text = block("operate/leaked-credentials.md", "waymark token revoke \"$TOKEN\"")
    revoke = next(line for line in text.splitlines() if line.startswith("runuser"))
    for prefix in "docker exec waymark ", "kubectl exec deployment/waymark -- ":
        require(f'{prefix}waymark token revoke "$TOKEN"' in text, f"leaked-credentials.md has no `{prefix}`")
    set_level("ada", "onboardingCompleted", admin)
    leaked = root.run("waymark token create --role admin --note billing").strip()
    wait(lambda: status("/v1/users", leaked)[0] == 200, "a new token is not followed")
    set_level("ada", "premiumUser", leaked)
    root.run(revoke, TOKEN=leaked)
    wait(lambda: status("/v1/users", leaked)[0] == 401, "a token that is revoked is let in")
    recipe = block("operate/leaked-credentials.md", "| jq").replace("qd3fwf78ryx2", leaked.split("_")[1])
    root.run(re.sub(r"--since \S+", "--since 1h", recipe))
    wait(lambda: level("ada", admin) == "onboardingCompleted", "what the leaked token changed is not put back")
    root.run(block("operate/leaked-credentials.md", "rm -f /var/lib/waymark/waymark.sqlite.key"))
    wait(is_ready, f"the service does not start again: {root.log()}")
    require((root.root / STATE / "waymark.sqlite.key").is_file(), "there is no new key")
    root.check_owners()


def check_import(root, admin):
    """A wrong import is undone by the page's recipe."""
    recipe = block("operate/operations.md", "--by 'command line'")
    time.sleep(1.1)
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    root.run('echo \'{"id":"ada","authorizationLevel":"none"}\' | waymark user import -')
    wait(lambda: level("ada", admin) == "none", "an import is not followed")
    root.run(re.sub(r"--since \S+", f"--since {moment}", recipe))
    wait(lambda: level("ada", admin) == "onboardingCompleted", "a wrong import is not undone")
    root.check_owners()


def check_backup(root, admin):
    """A backup by the timer's unit, and a restore by root, after which the service has its file."""
    listed = root.run(block("operate/operations.md", "waymark-backup.timer")).split()
    require(len(listed) == 2 and listed[1] == listed[0] + ".key", f"a backup is {listed}")
    root.check_owners()
    set_level("late", "premiumUser", admin)
    text = block("operate/operations.md", "waymark restore /var/lib/waymark/backups/")
    root.run(re.sub(r"waymark-\d{8}T\d{6}Z\.sqlite", listed[0], text))
    wait(is_ready, f"the service does not start after a restore: {root.log()}")
    root.check_owners()
    require(status("/v1/users", admin)[0] == 401, "a token is valid that was to be revoked")
    admin = root.run("waymark token create --role admin").strip()
    wait(lambda: status("/v1/users", admin)[0] == 200, "a token made after a restore is refused")
    require(level("ada", admin) == "onboardingCompleted", "the backup lacks a user")
    require(status("/v1/users/late", admin)[0] == 404, "the former database is still there")
    return admin


def check_catalog(root):
    """A catalog with a fault at a restart: the last good one, said everywhere."""
    catalog = (root.root / "etc/waymark/routes.yaml").read_text()
    root.write("etc/waymark/routes.yaml", catalog + "broken: true\n")
    root.run("systemctl restart waymark")
    wait(is_ready, f"with a refused catalog there is no service: {root.log()}")
    require('"degraded":["catalog"]' in status("/readyz")[1], f"it does not say so: {status('/readyz')}")
    require("the last one that was in force serves" in root.log(), f"the log does not say so: {root.log()}")
    root.write("etc/waymark/routes.yaml", catalog)
    root.run("systemctl restart waymark")
    wait(is_ready, "the service does not start with a mended catalog")
    require("degraded" not in status("/readyz")[1], "a mended catalog is refused")


def check_rotation(root, admin):
    """The audit log goes on after logrotate, for the service and for commands."""
    if not (root.root / "usr/sbin/logrotate").exists():
        return
    root.run("logrotate --force /etc/logrotate.d/waymark")
    set_level("rotated", "premiumUser", admin)
    root.run("waymark user set rotated none")
    log = root.root / STATE / "audit.log"
    wait(lambda: log.is_file() and log.read_text().count("user.set") == 2, "the log does not go on after a rotation")
    root.check_owners()


def check_override(root):
    """A variable of the service that overrides the file is warned of."""
    secrets = root.root / "etc/waymark/environment"
    former = secrets.read_text()
    secrets.write_text(former + "WAYMARK_LOG_FORMAT=json\n")
    root.run("systemctl restart waymark")
    wait(lambda: "`WAYMARK_LOG_FORMAT` overrides `log.format` of /etc/waymark/service.yaml" in root.log(), "no warning")
    secrets.write_text(former)
    root.run("systemctl restart waymark")
    wait(is_ready, "the service does not start again")


def check_many(root):
    """A second catalog has a server with settings, users and tokens of its own."""
    text = (CHECKOUT / "docs/guides/operate/many-catalogs.md").read_text()
    settings = re.search(r"```text\n(catalog: [^`]*)```", text)[1]
    (root.root / "root/edited/rides.yaml").write_text(settings + HASTE)
    (root.root / "root/rides").mkdir()
    (root.root / "root/rides/routes.yaml").write_bytes((CHECKOUT / "Config/routes.yaml").read_bytes())
    token = re.search(r"wm_\w+", root.run(block("operate/many-catalogs.md", "enable --now waymark@rides.service")))[0]
    try:
        wait(lambda: status("/readyz", port=8081)[0] == 200, f"the second catalog is not served: {root.log('waymark@rides.service')}")
        root.run(block("operate/many-catalogs.md", "waymark user set ada"))
        wait(lambda: level("ada", token, port=8081) == "signedInUser", "the second service has other users than the command")
        require(status("/v1/users", token)[0] == 401, "a token of one catalog is let in by the other")
        root.check_owners()
    finally:
        root.run("systemctl stop waymark@rides.service")


def check_postgres(root, folder, admin):
    """The steps to PostgreSQL: the tokens of before are valid, and one that a command revokes is refused."""
    text = (CHECKOUT / "docs/guides/operate/deployment.md").read_text()
    settings = re.search(r"```text\n([^`]*?postgres://[^`]*?)```", text, re.DOTALL)[1]
    edited = root.root / "root/edited"
    (edited / "service.yaml").write_text(settings + HASTE)
    (edited / "pgpass").write_text("db.example:5432:waymark:waymark:correct horse\n")
    with open(root.root / "etc/hosts", "a") as hosts:
        hosts.write("127.0.0.1 db.example\n")
    authority = root.root / "etc/waymark/ca.pem"
    authority.write_bytes((pathlib.Path(folder) / "ca.pem").read_bytes())
    authority.chmod(0o644)
    listed = root.run(block("operate/deployment.md", "passfile=/etc/waymark/pgpass"))
    require("admin" in listed, f"the tokens are not copied: {listed}")
    wait(is_ready, f"the service does not start over PostgreSQL: {root.log()}")
    require("postgres://" in root.log(), f"the service has another database: {root.log()}")
    require(status("/v1/users", admin)[0] == 200, "a copied token is refused")
    leaked = root.run("waymark token create --role admin").strip()
    wait(lambda: status("/v1/users", leaked)[0] == 200, "a new token is not followed")
    revoke = next(line for line in block("operate/leaked-credentials.md", "token revoke").splitlines() if line.startswith("runuser"))
    root.run(revoke, TOKEN=leaked)
    wait(lambda: status("/v1/users", leaked)[0] == 401, "over PostgreSQL a token that is revoked is let in")
    if (root.root / "usr/bin/psql").exists():
        for page, containing in ("operate/operations.md", "continuations second"), ("operate/leaked-credentials.md", "stored_secret"):
            require("DELETE 1" in root.run(block(page, containing)), f"{page}: the key of continuations stays")
    said = root.run("waymark backup /root/copy.sqlite", code=64)
    require("pg_dump" in said, f"a backup of PostgreSQL says {said}")


def main():
    path, package, folder = sys.argv[1:4]
    # A new namespace's loopback is down.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sH14x", b"lo", 0x1 | 0x40))
    root = Root(path)
    start = time.monotonic()
    try:
        admin = check_installation(root, package)
        check_leak(root, admin)
        check_import(root, admin)
        admin = check_backup(root, admin)
        check_catalog(root)
        check_rotation(root, admin)
        check_override(root)
        check_many(root)
        subprocess.run(["bash", CHECKOUT / "Tests/Deploy/postgres.bash", "start", folder], check=True)
        try:
            check_postgres(root, folder, admin)
        finally:
            subprocess.run(["bash", CHECKOUT / "Tests/Deploy/postgres.bash", "stop", folder], check=True)
    finally:
        root.run("systemctl stop waymark.service || true")
    print(f"deploy: with the package installed, the pages' commands work from root's home and for the service's user: first token, "
          f"leak, wrong import, backup, restore, refused catalog, rotation, a second catalog, PostgreSQL ({time.monotonic() - start:.0f} s)")


if __name__ == "__main__":
    main()
