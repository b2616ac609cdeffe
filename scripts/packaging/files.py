"""Files to install, and archives of them that have the same bytes each time."""

import dataclasses
import gzip
import io
import lzma
import tarfile


@dataclasses.dataclass(frozen=True)
class File:
    """A file of a package: its path, below the folder that the package is unpacked in, its bytes and its mode."""

    path: str
    data: bytes
    mode: int = 0o644
    # The place that a symbolic link leads to.
    target: str = ""
    owner: int = 0
    is_folder: bool = False


def folder(path, mode=0o755, owner=0):
    """A folder, where it has to be there without files, or with another mode than usual."""
    return File(path, b"", mode, owner=owner, is_folder=True)


def archive(files, time, prefix=""):
    """A tar archive: in the order of paths, with one time, by root. Folders on the way to a file come before it."""
    named = {prefix + file.path: file for file in files}
    for path in list(named):
        parts = path.split("/")[:-1]
        for count in range(1, len(parts) + 1):
            parent = "/".join(parts[:count])
            if parent not in ("", "."):
                named.setdefault(parent, folder(parent))
    content = io.BytesIO()
    # GNU's format: dpkg reads no other with long names.
    with tarfile.open(fileobj=content, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in sorted(named):
            file = named[path]
            member = tarfile.TarInfo(path)
            member.mtime, member.mode, member.uid, member.gid = time, file.mode, file.owner, file.owner
            member.uname = member.gname = "root" if file.owner == 0 else ""
            if file.target:
                member.type, member.linkname, member.mode = tarfile.SYMTYPE, file.target, 0o777
            elif file.is_folder:
                member.type = tarfile.DIRTYPE
            else:
                member.size = len(file.data)
            tar.addfile(member, io.BytesIO(file.data))
    return content.getvalue()


def gzipped(data):
    """The data, compressed, without a name and a time."""
    return gzip.compress(data, 9, mtime=0)


def xz(data):
    """The data, compressed as dpkg does it."""
    return lzma.compress(data, preset=6)
