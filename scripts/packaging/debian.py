"""Debian's package, by its policy: https://www.debian.org/doc/debian-policy/."""

import email.utils
import hashlib
import pathlib
import re
import subprocess
import tempfile

import files

SCRIPTS = pathlib.Path(__file__).parent / "debian"

DESCRIPTION = """\
deep-link resolution service
 Waymark answers a link and a user with the navigation stack that an app
 should present, or with the precise reason why there is none. It has a
 catalog of routes, the levels and grants of users in SQLite or PostgreSQL,
 an HTTP API, and the association files and pages of a link domain."""


def version(text):
    """A version as Debian orders it: `1.0.0-beta` comes before `1.0.0`."""
    return text.replace("-", "~")


def package(release, contents, checkout, program, notice):
    """The package as bytes: an `ar` archive of the format's version, the control files and the files (deb(5))."""
    licence = (
        "Waymark's licence is the Apache License 2.0, as in its file LICENSE:\n\n"
        + without_common_text((checkout / "LICENSE").read_text() + "\n\n" + notice))
    contents = [*(one for one in contents if not one.path.endswith("/NOTICE.gz")),
                files.File("etc/logrotate.d/waymark", (checkout / "Config/deploy/waymark.logrotate").read_bytes()),
                files.File("usr/share/doc/waymark/copyright", licence.encode()),
                files.File("usr/share/doc/waymark/changelog.Debian.gz", files.gzipped(changes(release).encode())),
                files.File("usr/share/lintian/overrides/waymark", (SCRIPTS / "lintian-overrides.txt").read_bytes())]
    control = [
        files.File("control", fields(release, contents, program).encode()),
        files.File("conffiles", "".join(f"/{one.path}\n" for one in contents if one.path.startswith("etc/")).encode()),
        files.File("md5sums", "".join(
            f"{hashlib.md5(one.data, usedforsecurity=False).hexdigest()}  {one.path}\n" for one in contents
            if not one.path.startswith("etc/")).encode()),
        *(files.File(name, (SCRIPTS / f"{name}.sh").read_bytes(), 0o755) for name in ("postinst", "prerm", "postrm")),
    ]
    members = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.xz", files.xz(files.archive(control, release.time, "./"))),
        ("data.tar.xz", files.xz(files.archive(contents, release.time, "./"))),
    ]
    package = b"!<arch>\n"
    for name, data in members:
        package += f"{name:<16}{release.time:<12}0     0     100644  {len(data):<10}`\n".encode() + data
        package += b"\n" if len(data) % 2 else b""
    return package


def without_common_text(text):
    """Licences, with the place of the Apache License on every Debian for each copy of its text (policy §12.5)."""
    return re.sub(
        r"^ *Apache License\n *Version 2\.0, January 2004\n.*?^ *END OF TERMS AND CONDITIONS\n",
        "The text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.\n", text,
        flags=re.DOTALL | re.MULTILINE)


def fields(release, contents, program):
    """The control file."""
    size = sum(max(1, -(-len(one.data) // 1024)) for one in contents)
    return (
        f"Package: waymark\nVersion: {version(release.version)}\nArchitecture: {release.architecture}\n"
        f"Maintainer: {release.maintainer}\n"
        f"Installed-Size: {size}\nDepends: {', '.join(dependencies(program))}\n"
        "Section: net\nPriority: optional\n"
        f"Description: {DESCRIPTION}\n")


def dependencies(program):
    """The packages that the program needs, by dpkg-shlibdeps, and those of its scripts, its units (`kill`) and its certificates."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "debian").mkdir()
        (pathlib.Path(folder) / "debian/control").write_text("Source: waymark\n\nPackage: waymark\nArchitecture: any\n")
        said = subprocess.run(
            ["dpkg-shlibdeps", "-O", f"-e{program}"], cwd=folder, check=True, capture_output=True, text=True).stdout
    libraries = re.search(r"shlibs:Depends=(.*)", said)[1]
    return [*libraries.split(", "), "adduser", "ca-certificates", "init-system-helpers (>= 1.54~)", "procps"]


def changes(release):
    """Debian's changelog, which has the package's version and date."""
    date = email.utils.formatdate(release.time)
    return (
        f"waymark ({version(release.version)}) stable; urgency=medium\n\n"
        f"  * Release {release.version}; /usr/share/doc/waymark/changelog.gz has its changes.\n\n"
        f" -- {release.maintainer}  {date}\n")
