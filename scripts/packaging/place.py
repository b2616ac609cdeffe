"""A build at one place, for a checkout in any folder.

A compiler hashes the paths of its inputs, so a program depends on the folder that it is built in, even where no path is in it.
A mount namespace of the build's own shows it the checkout at a folder that every Debian has. Nothing else sees that mount; it needs
the rights of root, or a kernel that lets users have namespaces of their own, as Debian's does.
"""

import pathlib
import subprocess

# For media that are plugged in, so hardly a place of compilers or of packages, which the build could not see behind the mount.
PLACE = pathlib.Path("/media")

# By root's rights, and without them.
NAMESPACES = (["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"])

MOUNT = 'mount --bind "$1" "$2" && cd "$2" && shift 2 && exec "$@"'


class NoPlace(Exception):
    """No mount is allowed here, neither by root's rights nor in a namespace of the user's."""


def inside(folder, command):
    """The command, to be run at `PLACE`, where it sees the folder; errors: `NoPlace`."""
    for namespace in NAMESPACES:
        if subprocess.run(within(namespace, folder, ["true"]), check=False, capture_output=True).returncode == 0:
            return within(namespace, folder, command)
    raise NoPlace(f"the checkout cannot be mounted at {PLACE}: this needs root, or namespaces of users ({' '.join(NAMESPACES[1])})")


def within(namespace, folder, command):
    """The command, to be run there in a namespace, allowed or not."""
    return [*namespace, "sh", "-c", MOUNT, "sh", str(folder), str(PLACE), *map(str, command)]
