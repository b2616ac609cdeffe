"""The bill of materials of the engine for apps is whole: each file with its sum, each component with a licence and its text.

A release without the engine has none. Then bill and licences are made for files that stand in for the engine's.
"""

import hashlib
import json
import pathlib
import re
import shutil
import sys

checkout, release = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(checkout / "scripts/packaging"))

import bill  # noqa: E402
import components  # noqa: E402
import contents  # noqa: E402

NAMES = ("waymark-engine.wasm", "waymark-engine.js", "waymark_engine.c", "waymark_engine.h")
found = list(release.glob("*-engine.spdx.json"))
if found:
    (path,) = found
    document, notice = json.loads(path.read_text()), (release / "NOTICE").read_text()
    files = {name: (release / name).read_bytes() for name in NAMES}
    assert files["waymark-engine.wasm"].startswith(b"\0asm")
    assert b"export function instantiate()" in files["waymark-engine.js"]
else:
    # The packages that make it may be missing.
    components.debian_version = lambda package: "1"
    stand_in = contents.Release("1.0.0", "0" * 40, 0, "amd64", "nobody")
    files = {name: name.encode() for name in NAMES}
    parts = components.engine(pathlib.Path(shutil.which("swift")).resolve().parents[2])
    document = json.loads(bill.engine_document(stand_in, files, parts))
    notice = bill.notice(stand_in, dict.fromkeys(part for name in NAMES for part in parts[name]))

packages = {entry["name"]: entry for entry in document["packages"]}
assert set(packages) == {*NAMES, "swift", "compiler-rt", "wabt", "binaryen", "compiler-builtins"}, set(packages)
for name, data in files.items():
    (checksum,) = packages[name]["checksums"]
    assert checksum == {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}, name
    assert packages[name]["packageFileName"] == name and packages[name]["sourceInfo"].startswith("commit ")
for name in set(packages) - set(NAMES):
    entry = packages[name]
    assert entry["licenseDeclared"] != "NOASSERTION" and entry["versionInfo"], name
    assert f"{name} {entry['versionInfo']}, " in notice, f"{name}: no text"
for text in ("Apache License", "Runtime Library Exception", "LLVM Exceptions", "the contributors listed in CREDITS.TXT"):
    assert text in notice, text
identifiers = {entry["SPDXID"]: entry["name"] for entry in document["packages"]}
assert len(identifiers) == len(packages)
assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", one) for one in identifiers), list(identifiers)
inside = {name: set() for name in NAMES}
for relation in document["relationships"]:
    if relation["relationshipType"] != "DESCRIBES":
        inside[identifiers[relation["spdxElementId"]]].add(identifiers[relation["relatedSpdxElement"]])
module = {"swift", "compiler-rt"}
assert inside == {
    "waymark-engine.wasm": module, "waymark-engine.js": module | {"binaryen", "compiler-builtins"},
    "waymark_engine.c": module | {"wabt"}, "waymark_engine.h": {"wabt"}}, inside
sizes = ", ".join(f"{name} {len(data):,} bytes" for name, data in files.items())
print(f"the engine has a bill of materials of its files and {len(packages) - len(NAMES)} components"
      + (f": {sizes}" if found else ", here by files that stand in for the engine's"))
