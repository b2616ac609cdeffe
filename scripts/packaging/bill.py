"""The bill of materials, in SPDX 2.3, and the licences' texts in one file."""

import hashlib
import json
import re


def document(release, components):
    """The SPDX document of a release, as JSON."""
    root = own("waymark", release) | {"primaryPackagePurpose": "APPLICATION"}
    packages, relations = [root], [relation("SPDXRef-DOCUMENT", "DESCRIBES", root["SPDXID"])]
    for component in components:
        packages.append(entry(component))
        relations.append(relation(root["SPDXID"], component.relation, packages[-1]["SPDXID"]))
    return written(f"waymark-{release.version}", release, packages, relations)


def engine_document(release, files, components):
    """The SPDX document of the files of the engine for apps, with the components of each by its name, as JSON."""
    packages, parts, relations = [], {}, []
    for name, data in files.items():
        packages.append(own(name, release) | {
            "packageFileName": name, "primaryPackagePurpose": "LIBRARY",
            "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}]})
        identifier = packages[-1]["SPDXID"]
        relations.append(relation("SPDXRef-DOCUMENT", "DESCRIBES", identifier))
        for component in components[name]:
            part = entry(component)
            parts[part["SPDXID"]] = part
            relations.append(relation(identifier, component.relation, part["SPDXID"]))
    return written(f"waymark-engine-{release.version}", release, [*packages, *parts.values()], relations)


def own(name, release):
    """A program or a file of this checkout, as an SPDX package."""
    return {
        "SPDXID": f"SPDXRef-{name.replace('_', '-')}", "name": name, "versionInfo": release.version,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
        "sourceInfo": f"commit {release.commit}",
    }


def written(name, release, packages, relations):
    """A document of packages and their relations, as JSON."""
    content = json.dumps([packages, relations], sort_keys=True).encode()
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        # Unique to the content, and the same for the same content.
        "documentNamespace": f"urn:waymark:sbom:{release.version}:{hashlib.sha256(content).hexdigest()}",
        "creationInfo": {"created": release.moment, "creators": ["Tool: waymark scripts/package"]},
        "packages": packages, "relationships": relations,
    }, indent=1, ensure_ascii=False) + "\n"


def entry(component):
    """A component as an SPDX package."""
    reference = re.sub(r"[^A-Za-z0-9.]+", "-", f"{component.name}-{component.version}").strip("-")
    references = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": component.purl}]
    return {
        "SPDXID": f"SPDXRef-{reference}", "name": component.name, "versionInfo": component.version,
        "downloadLocation": component.url or "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": component.license, "licenseDeclared": component.license, "copyrightText": "NOASSERTION",
        **({"externalRefs": references} if component.purl else {}),
    }


def relation(subject, kind, other):
    return {"spdxElementId": subject, "relationshipType": kind, "relatedSpdxElement": other}


def notice(release, components):
    """The texts of all licences and notices, each once, below the names of the components that have it."""
    owners = {}
    for component in components:
        for text in component.texts:
            owners.setdefault(text.strip("\n"), []).append(f"{component.name} {component.version}, {component.url}")
    rule = "=" * 80
    parts = [
        f"Waymark {release.version} contains the software named below, under the licences that follow their names.\n"
        "Its own licence is in the file LICENSE.\n"]
    for text, names in owners.items():
        parts.append("\n".join([rule, *names, rule, "", text, ""]))
    return "\n".join(parts)
