"""The bill of materials, in SPDX 2.3, and the licences' texts in one file."""

import hashlib
import json
import re


def document(release, components):
    """The SPDX document of a release, as JSON."""
    root = {
        "SPDXID": "SPDXRef-waymark", "name": "waymark", "versionInfo": release.version,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "primaryPackagePurpose": "APPLICATION",
        "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
        "sourceInfo": f"commit {release.commit}",
    }
    packages, relations = [root], [relation("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-waymark")]
    for component in components:
        packages.append(entry(component))
        relations.append(relation("SPDXRef-waymark", component.relation, packages[-1]["SPDXID"]))
    content = json.dumps([packages, relations], sort_keys=True).encode()
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"waymark-{release.version}",
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
