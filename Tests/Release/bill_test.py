"""The bill of materials is whole: each linked package with the version that is pinned, a licence, and the licence's text."""

import json
import pathlib
import re
import sys

checkout, release = map(pathlib.Path, sys.argv[1:])
pinned = dict(line.split() for line in (checkout / "scripts/packages.txt").read_text().splitlines() if not line.startswith("#"))
(path,) = (path for path in release.glob("*.spdx.json") if not re.search("-(image|engine)[.]spdx[.]json$", path.name))
document = json.loads(path.read_text())
notice = (release / "NOTICE").read_text()
packages = {entry["name"]: entry for entry in document["packages"]}
swift = {name for name in packages if name in pinned}

assert document["spdxVersion"] == "SPDX-2.3" and packages["waymark"]["sourceInfo"].startswith("commit ")
# Those that only tests or apps of other systems link are not in the program.
assert set(pinned) - swift <= {"async-http-client", "jwt-kit", "swift-algorithms", "swift-certificates",
                               "swift-distributed-tracing", "swift-http-structured-headers", "swift-nio-http2",
                               "swift-nio-transport-services", "swift-numerics", "swift-service-context"}, set(pinned) - swift
for name in swift:
    assert packages[name]["versionInfo"] == pinned[name], name
for name in ("swift", "icu", "libyaml", "llhttp", "libqrcodegen", "boringssl (swift-crypto)", "boringssl (swift-nio-ssl)"):
    assert name in packages, f"{name} is missing"
identifiers = [entry["SPDXID"] for entry in document["packages"]]
assert len(set(identifiers)) == len(identifiers)
assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", one) for one in identifiers)
related = {relation["relatedSpdxElement"] for relation in document["relationships"]}
assert related == set(identifiers), related ^ set(identifiers)
for entry in document["packages"]:
    assert entry["licenseDeclared"] != "NOASSERTION" and entry["versionInfo"], entry["name"]
    assert entry["name"] == "waymark" or f"{entry['name']} {entry['versionInfo']}, " in notice, f"{entry['name']}: no text"
(image,) = release.glob("*-image.spdx.json")
beside = {entry["name"] for entry in json.loads(image.read_text())["packages"]} - set(packages)
assert {"libc6", "libpq5", "libsqlite3-0", "ca-certificates"} <= beside, beside
print(f"the bill of materials has {len(packages) - 1} linked components with licences and texts, {len(swift)} of them packages "
      f"in their pinned versions, and {len(beside)} of Debian's packages for the image")
