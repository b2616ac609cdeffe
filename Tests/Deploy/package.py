"""Makes Debian's package of a release build, compressed a little, without its bill of materials.

usage: package.py BINARY FILE
"""

import lzma
import pathlib
import subprocess
import sys
import tempfile

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "scripts/packaging"))

import contents  # noqa: E402
import debian  # noqa: E402
import files  # noqa: E402


def main():
    binary, target = map(pathlib.Path, sys.argv[1:3])
    files.xz = lambda data: lzma.compress(data, preset=0)
    version = subprocess.run([binary, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()
    release = contents.Release(version, "0" * 40, 1_700_000_000, architecture, "Nobody <nobody@localhost>")
    with tempfile.TemporaryDirectory() as folder:
        program = contents.stripped(binary, folder)
        installed = contents.installed(CHECKOUT, program, release, contents.DEBIAN, "none", "none")
        target.write_bytes(debian.package(release, installed, CHECKOUT, program, "none"))


if __name__ == "__main__":
    main()
