"""The files that an installation consists of, the same in the tarball and in Debian's package, at each one's places."""

import dataclasses
import json
import pathlib
import subprocess
import time

import files
import manual


@dataclasses.dataclass(frozen=True)
class Release:
    """A version of Waymark, made of one commit."""

    version: str
    commit: str
    # The time of the commit, in seconds since 1970: everything in a release has it.
    time: int
    # As Debian calls it, `amd64` or `arm64`.
    architecture: str
    # The name and the address of Debian's package.
    maintainer: str

    @property
    def moment(self):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.time))


@dataclasses.dataclass(frozen=True)
class Layout:
    """The places of an installation."""

    programs: str
    manual: str
    bash: str
    zsh: str
    fish: str
    pages: str
    units: str
    settings: str
    # The suffix of pages of the manual, and what compresses them.
    is_compressed: bool


# A tarball is unpacked into /usr/local, but for its settings and units, which have one place everywhere.
TARBALL = Layout(
    "bin", "share/man/man1", "share/bash-completion/completions/waymark", "share/zsh/site-functions/_waymark",
    "share/fish/vendor_completions.d/waymark.fish", "share/doc/waymark", "lib/systemd/system", "etc/waymark", False)
DEBIAN = Layout(
    "usr/bin", "usr/share/man/man1", "usr/share/bash-completion/completions/waymark",
    "usr/share/zsh/vendor-completions/_waymark", "usr/share/fish/vendor_completions.d/waymark.fish",
    "usr/share/doc/waymark", "lib/systemd/system", "etc/waymark", True)

ENVIRONMENT = """\
# Secrets of the service, which others must not read, a line each: NAME=value. All other settings are in service.yaml beside
# this file, where commands find them too; a variable here wins over that file for the service alone, which warns of it.
#WAYMARK_CONTINUATION_KEY=
#WAYMARK_CONSOLE_OIDC_CLIENT_SECRET=
"""


def printed(binary, *arguments):
    return subprocess.run([binary, *arguments], check=True, capture_output=True).stdout


def stripped(binary, folder):
    """The program without symbols and without the names of its compilers, in a folder for it."""
    path = pathlib.Path(folder) / "waymark"
    subprocess.run(["strip", "--remove-section=.comment", "-o", path, binary], check=True)
    return path


def installed(checkout, program, release, layout, bill, notice):
    """Every file of an installation."""
    found = [files.File(f"{layout.programs}/waymark", program.read_bytes(), 0o755)]
    help_tree = json.loads(printed(program, "--experimental-dump-help"))
    for name, text in manual.pages(help_tree, release.version, release.moment[:10]).items():
        data = text.encode()
        found.append(
            files.File(f"{layout.manual}/{name}.1.gz", files.gzipped(data)) if layout.is_compressed
            else files.File(f"{layout.manual}/{name}.1", data))
    for shell, place in (("bash", layout.bash), ("zsh", layout.zsh), ("fish", layout.fish)):
        # Bash and fish read theirs: it is no program, as a first line of `#!` would say.
        text = printed(program, "--generate-completion-script", shell)
        found.append(files.File(place, text.partition(b"\n")[2] if text.startswith(b"#!") else text))
    for unit in ("waymark.service", "waymark.socket", "waymark@.service", "waymark-backup.service", "waymark-backup.timer"):
        text = (checkout / "Config/deploy" / unit).read_text()
        if layout.programs != "bin":
            text = text.replace("/usr/local/bin/", f"/{layout.programs}/")
        found.append(files.File(f"{layout.units}/{unit}", text.encode()))
    found.append(files.File(f"{layout.settings}/routes.yaml", (checkout / "Config/routes.yaml").read_bytes()))
    found.append(files.File(f"{layout.settings}/service.yaml", (checkout / "Config/deploy/service.yaml").read_bytes()))
    found.append(files.File(f"{layout.settings}/environment", ENVIRONMENT.encode(), 0o600))
    return found + pages(checkout, release, layout, bill, notice)


def pages(checkout, release, layout, bill, notice):
    """README, changes, licences, the bill of materials, and the examples."""
    def page(name, data, may_compress=False):
        # Debian's policy wants large texts compressed (§12.3).
        if layout.is_compressed and may_compress:
            return files.File(f"{layout.pages}/{name}.gz", files.gzipped(data))
        return files.File(f"{layout.pages}/{name}", data)

    found = [page("README.md", (checkout / "README.md").read_bytes())]
    if layout.is_compressed:
        found.append(page("changelog", (checkout / "CHANGELOG.md").read_bytes(), may_compress=True))
    else:
        found.append(page("CHANGELOG.md", (checkout / "CHANGELOG.md").read_bytes()))
        found.append(page("LICENSE", (checkout / "LICENSE").read_bytes()))
    found.append(page("NOTICE", notice.encode(), may_compress=True))
    found.append(page(f"waymark-{release.version}.spdx.json", bill.encode(), may_compress=True))
    for folder in ("examples", "deploy"):
        for path in sorted((checkout / "Config" / folder).rglob("*")):
            if path.is_file():
                inner = path.relative_to(checkout / "Config").as_posix()
                inner = inner if inner.startswith("examples/") else f"examples/{inner}"
                found.append(files.File(f"{layout.pages}/{inner}", path.read_bytes()))
    for name in ("service.yaml", "catalog.schema.json"):
        found.append(files.File(f"{layout.pages}/examples/{name}", (checkout / "Config" / name).read_bytes()))
    return found


def tarball(release, contents):
    """The tarball: one folder, which is unpacked into /usr/local."""
    prefix = f"waymark-{release.version}-linux-{release.architecture}/"
    return files.gzipped(files.archive(contents, release.time, prefix))
