"""The place of a build is the same for each folder, is seen by the build alone, and is reached without root's rights where the kernel
allows it; the text of the Apache License is in no copyright file of Debian's."""

import os
import pathlib
import subprocess
import sys
import tempfile

checkout = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(checkout / "scripts/packaging"))

import debian  # noqa: E402
import place  # noqa: E402


def seen(command):
    """What a command at the place sees: its folder, and the file in it."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


LOOK = ["sh", "-c", 'pwd && cat mark && echo "$1"', "sh", "word"]
before = sorted(os.listdir(place.PLACE))
with tempfile.TemporaryDirectory() as top:
    os.chmod(top, 0o755)
    for name in ("a", "a-longer-name"):
        folder = pathlib.Path(top, name)
        folder.mkdir(mode=0o755)
        (folder / "mark").write_text(name)
        assert seen(place.inside(folder, LOOK)) == [str(place.PLACE), f"{name}word"], name
    assert sorted(os.listdir(place.PLACE)) == before, "the mount is seen outside"
    # As nobody, without any rights.
    unprivileged = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all"]
    rights = "without root's rights, too"
    try:
        assert seen([*unprivileged, *place.within(place.NAMESPACES[1], folder, LOOK)])[0] == str(place.PLACE)
    except subprocess.CalledProcessError:
        rights = "by root alone, as this kernel has it"
    missing = pathlib.Path(top, "missing")
    try:
        place.inside(missing, LOOK)
        raise SystemExit("a folder that is not there is mounted")
    except place.NoPlace:
        pass

apache = (checkout / "LICENSE").read_text()
left = debian.without_common_text(f"before\n{apache}between\n{apache}after\n")
assert "TERMS AND CONDITIONS FOR USE" not in left and left.count("/usr/share/common-licenses/Apache-2.0") == 2, left
assert left.startswith("before\n") and "between\n" in left and left.endswith("after\n"), left
exception = "### Runtime Library Exception"
assert exception in debian.without_common_text(f"{apache}\n{exception}\n")
mit = (checkout / "scripts/packaging/licenses/libyaml-MIT.txt").read_text()
assert debian.without_common_text(mit) == mit
print(f"each checkout is built at {place.PLACE}, {rights}")
