"""Says what the OpenAPI document leaves open.

To clients answers may gain members; here each one must be described. What generators cannot read stands in the document in
words; here it stands in schemas, so that requests are valid exactly where the server takes them.
"""

import copy

LEVELS = ["none", "onboardingCompleted", "signedInUser", "premiumUser"]

# A value of any JSON but null, at any depth.
PARAMETER_VALUE = {
    "anyOf": [
        {"type": ["string", "number", "boolean"]},
        {"type": "array", "items": {"$ref": "#/components/schemas/ParameterValue"}},
        {"$ref": "#/components/schemas/ParameterValues"},
    ]
}

# `levelAfter` is no higher than `authorizationLevel`.
FALLING_LEVELS = [
    {"properties": {"authorizationLevel": {"enum": LEVELS[place:]}, "levelAfter": {"enum": LEVELS[: place + 1]}}}
    for place in range(len(LEVELS))
]


def closed(document):
    """Returns the document with no room for members that it does not describe, and with what it says in words."""
    document = copy.deepcopy(document)
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        _close(schema)
    schemas["ParameterValue"] |= PARAMETER_VALUE
    schemas["AssociationQuestion"]["properties"]["file"]["type"] = ["object", "array", "string"]
    schemas["UserStateRequest"]["anyOf"] = FALLING_LEVELS
    return document


def _close(node):
    if isinstance(node, list):
        for item in node:
            _close(item)
    elif isinstance(node, dict):
        if isinstance(node.get("properties"), dict) and node.get("type") == "object":
            node.setdefault("additionalProperties", False)
        for name, value in node.items():
            if name not in ("examples", "const", "enum"):
                _close(value)
