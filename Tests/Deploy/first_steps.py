"""Runs the commands by which the samples and the pages make the first token, and starts servers as they do.

usage: first_steps.py BINARY FOLDER POSTGRES

The commands are read out of the files, and run as a shell, a unit, a container or an init container would, with the folders
of this run in place of `/data` and `/var/lib/waymark`. POSTGRES is the URI of a database.
"""

import http.client
import os
import pathlib
import re
import shlex
import shutil
import stat
import subprocess
import sys
import time

import yaml

from ports import free_port

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = CHECKOUT / "Config/deploy"

# The user and the group of the image, where this runs as root.
IDENTITY = 10001


def require(condition, message):
    """Ends with a message where something is not so."""
    if not condition:
        raise SystemExit(f"deploy: {message}")


def image_environment():
    """The variables that the Dockerfile sets."""
    return dict(re.findall(r"^ENV (WAYMARK_\w+)=(\S+)$", (CHECKOUT / "Dockerfile").read_text(), re.MULTILINE))


def block(page, language, beginning):
    """The first fenced block of a page that has a text."""
    text = (CHECKOUT / page).read_text()
    found = [each for each in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL) if beginning in each]
    require(found, f"{page} shows no `{beginning}`")
    return found[0]


class Place:
    """A folder in place of a machine's or a volume's, and the programs that run there as one user."""

    def __init__(self, binary, folder, name, path, environment):
        self.binary, self.name, self.path = binary, name, path
        self.folder = pathlib.Path(folder) / re.sub(r"\W+", "-", name)
        self.folder.mkdir()
        self.is_root = os.geteuid() == 0
        # As a kubelet leaves the root of a volume with `fsGroup`.
        self.folder.chmod(0o2770)
        if self.is_root:
            os.chown(self.folder, IDENTITY, IDENTITY)
        programs = pathlib.Path(folder) / "programs"
        self.environment = {"PATH": f"{programs}:/usr/bin:/bin", **{k: self.here(v) for k, v in environment.items()}}

    def here(self, text):
        """A text with this folder in place of the machine's, and the checkout's catalog in place of an installed one."""
        text = re.sub(r"/(etc/waymark|catalog)/routes\.yaml", str(self.folder.parent / "routes.yaml"), text)
        return re.sub(rf"{re.escape(self.path)}(?=/)", str(self.folder), text)

    def identity(self):
        """What makes a process one of the image's user."""
        if not self.is_root:
            return {}
        return {"user": IDENTITY, "group": IDENTITY, "extra_groups": []}

    def run(self, words, code=0):
        """Runs a command, and returns what it prints to standard output."""
        done = subprocess.run([self.here(word) for word in words], env=self.environment, cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, umask=0o027, **self.identity())
        require(done.returncode == code, f"{self.name}: {shlex.join(words)} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def take_token(self):
        """Takes the first token out of its file, as the samples say: readable by its owner alone, and gone afterwards."""
        file = self.folder / "first-token"
        require(file.is_file(), f"{self.name}: the first token is in no file")
        require(stat.S_IMODE(file.stat().st_mode) == 0o600, f"{self.name}: others can read the first token")
        token = self.run(["cat", f"{self.path}/first-token"]).strip()
        require(re.fullmatch(r"wm_[0-9a-z]{12}_[0-9A-Za-z]{49}", token), f"{self.name}: the file holds {token!r}")
        self.run(["rm", f"{self.path}/first-token"])
        return token

    def serve(self, token, host="0.0.0.0"):
        """Starts a server, has it answer to a token and to nobody else, and ends it."""
        with Server(self, host) as server:
            server.expect(200, "/v1/users", token)
            server.expect(401, "/v1/users", None)


class Server:
    """A server that runs for as long as a `with` block."""

    def __init__(self, place, host):
        self.port = free_port()
        self.place, self.host = place, host
        self.log = place.folder.parent / f"{place.folder.name}.log"

    def __enter__(self):
        environment = {**self.place.environment, "WAYMARK_HTTP_PORT": str(self.port), "WAYMARK_HTTP_HOST": self.host,
                       "WAYMARK_DRAIN_SECONDS": "0"}
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(["waymark", "serve"], env=environment, cwd=self.place.folder, stderr=log,
                                            umask=0o027, **self.place.identity())
        for _ in range(300):
            require(self.process.poll() is None, f"{self.place.name}: the server ends: {self.log.read_text()}")
            try:
                self.expect(200, "/readyz", None)
                return self
            except ConnectionError:
                time.sleep(0.1)
        raise SystemExit(f"deploy: {self.place.name}: the server does not listen: {self.log.read_text()}")

    def expect(self, status, path, token):
        """Has a request answered by a status."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        require(answer.status == status, f"{self.place.name}: {path} is answered by {answer.status}: {body}")

    def __exit__(self, *_):
        self.process.terminate()
        require(self.process.wait(timeout=20) == 0, f"{self.place.name}: the server ends with {self.process.returncode}")
        require("wm_" not in self.log.read_text(), f"{self.place.name}: a token stands in the log")


def check_systemd(binary, folder):
    """The steps of the page on systemd, and the variables of the unit."""
    require("Environment=" not in (SAMPLES / "waymark.service").read_text(), "waymark.service: commands lack its variables")
    # The file's place is the machine's; here it has another one, and the folders of this run.
    place = Place(binary, folder, "systemd", "/var/lib/waymark", {"WAYMARK_CONFIG": "/var/lib/waymark/service.yaml"})
    (place.folder / "service.yaml").write_text(place.here((SAMPLES / "service.yaml").read_text()))
    steps = block("docs/guides/operate/deployment.md", "sh", "strip -o waymark").splitlines()
    command = next(line for line in steps if line.startswith("runuser -u waymark -- "))
    place.run(shlex.split(command)[4:])
    require(any(line.startswith("cat /var/lib/waymark/first-token") for line in steps), "deployment.md: who takes the token?")
    place.serve(place.take_token(), host="127.0.0.1")


def check_container(binary, folder):
    """The commands of the page on containers: first token, backup, upgrade and restore in the volume."""
    text = (CHECKOUT / "docs/guides/operate/container.md").read_text().replace("\\\n", " ")
    lines = [line.split("     #")[0] for line in text.splitlines()]

    def arguments(word):
        """What `waymark` is given by the first command that has a word."""
        line = next((line for line in lines if line.startswith("docker ") and f"waymark {word}" in line), None)
        require(line, f"container.md: no command has `waymark {word}`")
        return ["waymark"] + shlex.split(line[line.rindex(f"waymark {word}"):])[1:]

    place = Place(binary, folder, "container", "/data", image_environment())
    place.run(arguments("token create"))
    token = place.take_token()
    with Server(place, "0.0.0.0") as server:
        server.expect(200, "/v1/users", token)
        backups = [shlex.split(line)[3:] for line in lines if line.startswith("docker exec waymark waymark backup")]
        require(len(backups) == 2, "container.md: a backup and one before an upgrade")
        for words in backups:
            place.run(words)
    # The former file and its like are there for the second start, too.
    place.serve(token)
    (place.folder / "backup.sqlite").rename(place.folder / "given.sqlite")
    restore = [word.replace("/backup.sqlite", "/data/given.sqlite") for word in arguments("restore")]
    place.run(restore)
    place.serve(token)


def check_compose(binary, folder):
    """The command of compose.yaml, with the variables of the image and of the service."""
    text = (SAMPLES / "compose.yaml").read_text()
    environment = image_environment() | yaml.safe_load(text)["services"]["waymark"]["environment"]
    place = Place(binary, folder, "Compose", "/data", environment)
    command = re.search(r"docker compose run --rm (waymark token create .*)", text)
    require(command, "compose.yaml: nothing makes the first token")
    place.run(shlex.split(command[1]))
    place.serve(place.take_token())


def pod(file):
    """The pod of a manifest's deployment."""
    documents = {each["kind"]: each for each in yaml.safe_load_all((SAMPLES / file).read_text())}
    return documents["Deployment"]["spec"]["template"]["spec"]


def variables(container, secrets):
    """The variables of a container, those of secrets among them."""
    found = {}
    for each in container.get("env", []):
        reference = each.get("valueFrom", {}).get("secretKeyRef")
        found[each["name"]] = secrets[reference["name"], reference["key"]] if reference else each["value"]
    return found


def waiting_words(specification):
    """The words of the init container; the image's entry point, which has no shell beside it, takes them."""
    first = specification["initContainers"][0]
    require("command" not in first and first["args"], "a manifest starts its init container by another program")
    return ["waymark", *first["args"]]


def first_token(place, file):
    """Makes the first token as the first lines of a manifest do, while its init container waits, and returns it."""
    # Of the image's programs there is one.
    place.environment["PATH"] = place.environment["PATH"].split(":")[0]
    text = re.sub(r"^# ?", "", (SAMPLES / file).read_text(), flags=re.MULTILINE)
    waiting = subprocess.Popen([shutil.which("waymark", path=place.environment["PATH"]), *waiting_words(pod(file))[1:]],
                               env=place.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=place.folder,
                               **place.identity())
    try:
        time.sleep(1)
        require(waiting.poll() is None, f"{file}: the init container does not wait for a token")
        command = re.search(r'kubectl exec "\$pod" -c first-token -- (waymark token create .*?) *\|', text)
        require(command, f"{file}: nothing makes the first token")
        token = place.run(shlex.split(command[1])).strip()
        require(waiting.wait(timeout=20) == 0, f"{file}: the init container does not end")
        require(waiting.stdout.read() == b"", f"{file}: the init container prints")
        require(token.encode() not in waiting.stderr.read(), f"{file}: the init container prints the token")
    finally:
        waiting.kill()
        waiting.stdout.close()
        waiting.stderr.close()
    return token


def check_kubernetes(binary, folder):
    """The pod of kubernetes.yaml, without a shell: twice, with all files writable by the group in between."""
    specification = pod("kubernetes.yaml")
    text = (SAMPLES / "kubernetes.yaml").read_text()
    secret = re.search(r'--from-literal=continuation-key="\$\((.*)\)"', text)
    require(secret, "kubernetes.yaml: nothing makes the key of continuations")
    key = subprocess.run(shlex.split(secret[1]), check=True, capture_output=True, text=True).stdout.strip()
    environment = image_environment() | variables(specification["containers"][0], {("waymark", "continuation-key"): key})
    place = Place(binary, folder, "Kubernetes", "/data", environment)
    token = first_token(place, "kubernetes.yaml")
    place.serve(token)
    policy = specification["securityContext"].get("fsGroupChangePolicy")
    require(policy == "OnRootMismatch", "kubernetes.yaml: a kubelet changes the modes of all files")
    # And where it does so all the same, as storage without that policy has it: the next pod starts, with the same token.
    for file in place.folder.iterdir():
        file.chmod(file.stat().st_mode | 0o660)
    require(place.run(waiting_words(specification)) == "", "Kubernetes: the second pod waits for a token, too")
    place.serve(token)
    # The same without a Secret, with the key in the volume.
    del place.environment["WAYMARK_CONTINUATION_KEY"]
    place.serve(token)
    for file in place.folder.iterdir():
        file.chmod(file.stat().st_mode | 0o660)
    place.serve(token)


def check_replicas(binary, folder, postgres):
    """The init container of kubernetes-postgres.yaml, which waits for the token that the manifest's first lines make."""
    specification = pod("kubernetes-postgres.yaml")
    secrets = {("waymark-database", "uri"): postgres}
    first = specification["initContainers"][0]
    place = Place(binary, folder, "replicas", "/data", image_environment() | variables(first, secrets))
    token = first_token(place, "kubernetes-postgres.yaml")
    place.environment |= variables(specification["containers"][0], secrets)
    with Server(place, "0.0.0.0") as one:
        place.folder = place.folder.parent / "replicas-2"
        place.folder.mkdir()
        with Server(place, "0.0.0.0") as other:
            for server in one, other:
                server.expect(200, "/v1/users", token)
                server.expect(401, "/v1/users", None)


def check_packages(binary):
    """The packages that the page and the Dockerfile have installed are those that the binary's libraries are in."""
    needed = subprocess.run(["ldd", binary], check=True, capture_output=True, text=True).stdout
    head = subprocess.run(["objdump", "-p", binary], check=True, capture_output=True, text=True).stdout
    direct = set(re.findall(r"NEEDED +(\S+)", head))
    packages = set()
    for name, path in re.findall(r"(\S+) => (\S+)", needed):
        if name not in direct:
            continue
        for form in path, f"/usr{path}", os.path.realpath(path):
            owner = subprocess.run(["dpkg", "-S", form], capture_output=True, text=True)
            if owner.returncode == 0:
                packages.add(owner.stdout.split(":")[0])
                break
    # Every system has these, or gets them with libstdc++6.
    packages -= {"libc6", "libgcc-s1"}
    require(packages, "no library of the binary is known to dpkg")
    install = block("docs/guides/operate/deployment.md", "sh", "strip -o waymark").splitlines()[0].split()
    dockerfile = (CHECKOUT / "Dockerfile").read_text().split("FROM ${BASE}")[1].split()
    for package in packages:
        require(package in install, f"deployment.md does not install {package}, which the binary needs")
        require(package in dockerfile, f"the Dockerfile does not install {package}, which the binary needs")


def main():
    binary, folder, postgres = sys.argv[1:4]
    programs = pathlib.Path(folder) / "programs"
    programs.mkdir()
    (programs / "waymark").symlink_to(binary)
    (pathlib.Path(folder) / "routes.yaml").write_bytes((CHECKOUT / "Config/routes.yaml").read_bytes())
    check_packages(binary)
    check_systemd(binary, folder)
    check_container(binary, folder)
    check_compose(binary, folder)
    check_kubernetes(binary, folder)
    check_replicas(binary, folder, postgres)
    print("deploy: the first token and two starts go as the samples and the pages for systemd, containers, Compose and "
          "Kubernetes say")


if __name__ == "__main__":
    main()
