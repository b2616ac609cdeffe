"""An image of two layers: Debian's libraries without a shell, and Waymark. Its settings are those of the Dockerfile.

The archive has the layout of OCI (image-spec 1.1), as `docker load`, `podman load` and `skopeo copy oci-archive:` read it.
"""

import gzip
import hashlib
import io
import json
import pathlib
import re
import shlex
import subprocess
import tarfile
import tempfile

import components
import files

ACCOUNTS = {
    "etc/passwd": "root:x:0:0:root:/root:/usr/sbin/nologin\nwaymark:x:10001:10001:Waymark:/data:/usr/sbin/nologin\n",
    "etc/group": "root:x:0:\nwaymark:x:10001:\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}
# Folders of the libraries' packages that a service without a shell and a terminal does not read.
LEFT_OUT = re.compile(r"usr/(share/(?!doc/[^/]+/copyright$|ca-certificates/)|s?bin/|lib/systemd|lib/tmpfiles)|etc/(?!os-release|debian_version)|s?bin/|var/")


class Instructions:
    """The last stage of a Dockerfile, as far as it sets the image's configuration."""

    def __init__(self, text):
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        joined = re.sub(r"\\\n", " ", "\n".join(lines))
        stage = re.split(r"^FROM .*$", joined, flags=re.MULTILINE)[-1]
        self.all = [tuple(line.split(None, 1)) for line in stage.splitlines() if line.strip()]

    def values(self, name):
        return [value.strip() for word, value in self.all if word == name]

    def one(self, name):
        (value,) = self.values(name)
        return value

    def pairs(self, name):
        return dict(word.split("=", 1) for value in self.values(name) for word in shlex.split(value))

    def packages(self):
        """Debian's packages that the stage installs."""
        run = next(value for value in self.values("RUN") if "apt-get install" in value)
        return [word for word in run.split("apt-get install")[1].split("&&")[0].split() if not word.startswith("-")]


def configuration(instructions, release, layers):
    """The image's configuration."""
    labels = {
        name: value.replace("${VERSION}", release.version).replace("${REVISION}", release.commit)
        for name, value in instructions.pairs("LABEL").items()
    }
    health = re.fullmatch(r"(?P<options>.*?)CMD (?P<command>\[.*\])", instructions.one("HEALTHCHECK"))
    options = dict(re.findall(r"--([a-z-]+)=(\S+)", health["options"]))
    second = 1_000_000_000
    return {
        "created": release.moment, "architecture": release.architecture, "os": "linux",
        "config": {
            "User": instructions.one("USER"),
            "ExposedPorts": {f"{port}/tcp": {} for port in instructions.values("EXPOSE")},
            "Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                    *(f"{name}={value}" for name, value in instructions.pairs("ENV").items())],
            "Entrypoint": json.loads(instructions.one("ENTRYPOINT")), "Cmd": json.loads(instructions.one("CMD")),
            "Volumes": {volume: {} for volume in json.loads(instructions.one("VOLUME"))},
            "Labels": labels, "StopSignal": instructions.one("STOPSIGNAL"),
            # An extension of Docker's; other engines are told by their own options.
            "Healthcheck": {
                "Test": ["CMD", *json.loads(health["command"])],
                "Interval": int(options["interval"].rstrip("s")) * second,
                "Timeout": int(options["timeout"].rstrip("s")) * second,
                "StartPeriod": int(options["start-period"].rstrip("s")) * second,
                "Retries": int(options["retries"]),
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [digest(layer) for layer in layers]},
        "history": [{"created": release.moment, "created_by": name} for name in ("Debian's libraries", "Waymark")],
    }


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def downloaded(names, folder):
    """The packages with all that they depend on, fetched and verified by apt, as if nothing were installed."""
    folder = pathlib.Path(folder)
    (folder / "partial").mkdir(parents=True)
    alone = [name for name in names if name == "ca-certificates"] + ["base-files"]
    options = ["-o", "Dir::State::status=/dev/null", "-o", f"Dir::Cache::archives={folder}", "-o", "Debug::NoLocking=1",
               "-o", "APT::Sandbox::User=root"]
    subprocess.run(
        ["apt-get", *options, "--yes", "-qq", "--no-install-recommends", "--download-only", "install",
         *(name for name in names if name not in alone)], check=True, stdout=subprocess.DEVNULL)
    # Of these only files are taken: the scripts of what they depend on need a shell.
    subprocess.run(["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", *alone], cwd=folder, check=True)
    return sorted(folder.glob("*.deb"))


def libraries(packages):
    """The files of Debian's packages that a running service needs, and a record of each package for scanners."""
    found, records = {path: files.File(path, text.encode()) for path, text in ACCOUNTS.items()}, []
    certificates = {}
    for package in packages:
        fields = subprocess.run(["dpkg-deb", "-f", package], check=True, capture_output=True, text=True).stdout
        name = re.search(r"^Package: (.*)", fields, re.MULTILINE)[1]
        found[f"var/lib/dpkg/status.d/{name}"] = files.File(f"var/lib/dpkg/status.d/{name}", fields.encode())
        records.append(record(name, fields))
        content = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(content)) as tar:
            for member in tar:
                # Debian's folders are merged: /lib and its like are links into /usr.
                path = re.sub(r"^(bin|sbin|lib|lib64)/", r"usr/\1/", member.name.removeprefix("./"))
                if LEFT_OUT.match(path) or not (member.isfile() or member.issym()):
                    continue
                data = tar.extractfile(member).read() if member.isfile() else b""
                if path.startswith("usr/share/ca-certificates/"):
                    certificates[path] = data
                else:
                    found[path] = files.File(path, data, member.mode & 0o755, target=member.linkname)
    for name in ("lib", "lib64"):
        found[name] = files.File(name, b"", target=f"usr/{name}")
    bundle = b"".join(data if data.endswith(b"\n") else data + b"\n" for _, data in sorted(certificates.items()))
    found["etc/ssl/certs/ca-certificates.crt"] = files.File("etc/ssl/certs/ca-certificates.crt", bundle)
    found["tmp"] = files.folder("tmp", 0o1777)
    return list(found.values()), records


def record(name, fields):
    version = re.search(r"^Version: (.*)", fields, re.MULTILINE)[1]
    return components.Component(
        name, version, "NOASSERTION", f"https://packages.debian.org/{name}", f"pkg:deb/debian/{name}@{version}",
        relation="DEPENDS_ON")


def application(checkout, program, bill, notice):
    """Waymark's own layer."""
    share = "usr/local/share/doc/waymark"
    return [
        files.File("usr/local/bin/waymark", program.read_bytes(), 0o755),
        files.File("etc/waymark/routes.yaml", (checkout / "Config/routes.yaml").read_bytes()),
        files.File(f"{share}/LICENSE", (checkout / "LICENSE").read_bytes()),
        files.File(f"{share}/NOTICE", notice.encode()),
        files.File(f"{share}/waymark.spdx.json", bill.encode()),
        files.folder("data", 0o750, owner=10001),
    ]


def base(checkout):
    """The lower layer, and the packages that it has."""
    instructions = Instructions((checkout / "Dockerfile").read_text())
    with tempfile.TemporaryDirectory() as folder:
        return libraries(downloaded(instructions.packages(), f"{folder}/archives"))


def archive(checkout, release, lower, upper):
    """The image's archive."""
    layers = [files.archive(lower, release.time), files.archive(upper, release.time)]
    blobs = {}

    def blob(data, media_type):
        blobs[digest(data)] = data
        return {"mediaType": f"application/vnd.oci.image.{media_type}", "digest": digest(data), "size": len(data)}

    instructions = Instructions((checkout / "Dockerfile").read_text())
    settings = json.dumps(configuration(instructions, release, layers)).encode()
    manifest = json.dumps({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(settings, "config.v1+json"),
        "layers": [blob(gzip.compress(layer, 9, mtime=0), "layer.v1.tar+gzip") for layer in layers],
    }).encode()
    described = blob(manifest, "manifest.v1+json")
    described["annotations"] = {"org.opencontainers.image.ref.name": release.version}
    described["platform"] = {"architecture": release.architecture, "os": "linux"}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [described]}
    content = [files.File("oci-layout", b'{"imageLayoutVersion": "1.0.0"}'),
               files.File("index.json", json.dumps(index).encode())]
    content += [files.File(f"blobs/{name.replace(':', '/')}", data) for name, data in blobs.items()]
    return files.archive(content, release.time)
