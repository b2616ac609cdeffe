#!/usr/bin/env bash
# The OpenAPI document and the server, for `scripts/prove contract`; `--help` lists its options.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

examples=
case ${1-} in
    --help)
        cat <<'TEXT'
  --examples COUNT   how many cases the random phases try for each operation, and sequences of operations, at most;
                     by default as Tests/Contract/schemathesis.toml says

Needs python3 (3.10 or newer) with venv, and java; the packages come from PyPI, into the folders .build-contract and
.build-clients.
TEXT
        exit 0
        ;;
    --examples) examples=${2:?--examples takes a number} ;;
esac
binary=${WAYMARK_BINARY:?scripts/prove says which}

step() { printf '\ncontract: %s\n' "$1"; }

document=Sources/Apps/EmbeddedFiles/openapi.json
environment=.build-contract
clients=.build-clients
python=$environment/bin/python
# Other builds of Python bring it along.
python3 -c 'import ensurepip, venv' 2>/dev/null || scripts/setup python3-venv

# Makes a virtual environment what a list of packages says. Usage: install FOLDER LIST
install() {
    ! cmp -s "$2" "$1/requirements.txt" || return 0
    step "installing what $2 lists"
    rm -rf "$1"
    python3 -m venv "$1"
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$2"
    cp "$2" "$1/requirements.txt"
}
install "$environment" Tests/Contract/requirements.txt
install "$clients" Tests/Contract/generators.txt
command -v java >/dev/null || scripts/setup default-jre-headless

step "the document and the recorded exchanges"
PYTHONDONTWRITEBYTECODE=1 "$python" Tests/Contract/exchanges.py "$document" Tests/DeepLinkHTTPTests/Exchanges

step "generating clients"
generated=$clients/generated
rm -rf "$generated" && mkdir -p "$generated"
# It finds its formatter by PATH. NDJSON and YAML are beyond it, so it leaves out what takes them, and says so.
PATH=$PWD/$clients/bin:$PATH "$clients/bin/openapi-python-client" generate --path "$document" --meta none \
    --output-path "$generated/python/waymark_client" >"$generated/log" 2>&1 || { cat "$generated/log" >&2; exit 1; }
if grep 'Endpoint will not be generated' "$generated/log" | grep -Ev 'POST /v1/(resolve/batch|users|audience|catalog/diff) '; then
    echo "contract: openapi-python-client leaves out more than the streams of lines" >&2
    exit 1
fi
for language in kotlin swift6 typescript-fetch; do
    "$clients/bin/openapi-generator-cli" generate --input-spec "$document" --generator-name "$language" \
        --output "$generated/$language" >"$generated/log" 2>&1 || { cat "$generated/log" >&2; exit 1; }
done
# A generator leaves parts empty that it cannot express.
model=src/main/kotlin/org/openapitools/client/models
grep -q 'val parameters: kotlin.collections.Map<kotlin.String, kotlin.Any>' "$generated/kotlin/$model/PlannedDestination.kt"
grep -q 'val unusedQuery: kotlin.collections.List<kotlin.collections.List<kotlin.String?>>?' "$generated/kotlin/$model/Plan.kt"
echo "contract: clients in Python, Kotlin, Swift and TypeScript"

# shellcheck source=Tests/Processes/waymark.bash
. Tests/Processes/waymark.bash
# The server tells callers apart: what names roles in the document must refuse everybody else.
token=$("$binary" token create --role admin --create --database "$database" 2>/dev/null)
# The sample's catalog, with an origin of short links.
sed 's/^origins:.*/&\n  - { scheme: https, hosts: [go.loremipsum.com], shortLinks: true }/' Config/routes.yaml >"$folder/routes.yaml"
start_server "$binary" --catalog "$folder/routes.yaml"

curl -sf "$base/openapi.json" -o "$folder/openapi.json"
cmp "$document" "$folder/openapi.json" || { echo "contract: the server serves another document" >&2; exit 1; }

step "the generated client"
PYTHONDONTWRITEBYTECODE=1 "$clients/bin/python" Tests/Contract/client.py "$generated/python" "$base" "$token"

# Exclusions and their reasons are in Tests/Contract/schemathesis.toml.
step "schemathesis"
options=(--url "$base" --no-color --header "Authorization: Bearer $token")
settings=Tests/Contract/schemathesis.toml
# The numbers of the phases there count before `--max-examples`.
if [ -n "$examples" ]; then
    sed "s/^generation.max-examples = .*/generation.max-examples = $examples/" "$settings" >"$folder/schemathesis.toml"
    settings=$folder/schemathesis.toml
fi
# A server with credentials has no alternative of being open, and answers have no members but those described.
PYTHONPATH=Tests/Contract PYTHONDONTWRITEBYTECODE=1 "$python" - "$folder/openapi.json" <<'PYTHON'
import json, pathlib, sys
from closed import closed
file = pathlib.Path(sys.argv[1])
document = closed(json.loads(file.read_text()))
# Random values have no meaning as versions of users and apps, signatures, catalogs, files of associations.
# Recorded exchanges and tests hold those.
for path in ("/v1/audience", "/v1/catalog/diff", "/v1/associations/test"):
    del document["paths"][path]
parameters = document["components"]["parameters"]
meant = {"Waymark-App", "Waymark-User-Version", "app", "userVersion"}
for item in document["paths"].values():
    for operation in (item[name] for name in ("get", "post", "delete") if name in item):
        operation["parameters"] = [
            one for one in operation.get("parameters", [])
            if parameters.get(one.get("$ref", "").rpartition("/")[2], one).get("name") not in meant
        ]
for schema in document["components"]["schemas"].values():
    for name in (*meant, "sign", "expires"):
        if isinstance(schema.get("properties"), dict) and name not in schema.get("required", []):
            schema["properties"].pop(name, None)
# In a query every value becomes text, so the query of a link has no wrong form.
link = document["paths"]["/{link}"]["get"]["parameters"]
next(one for one in link if one.get("name") == "query")["schema"]["additionalProperties"] = True
for item in document["paths"].values():
    for name in ("get", "post", "delete"):
        if item.get(name, {}).get("security"):
            item[name]["security"] = [requirement for requirement in item[name]["security"] if requirement]
file.write_text(json.dumps(document))
PYTHON

# Runs some phases with a seed.
ask() {
    PYTHONPATH=Tests/Contract PYTHONDONTWRITEBYTECODE=1 SCHEMATHESIS_HOOKS=hooks \
        "$environment/bin/schemathesis" --config-file "$settings" \
        run "$folder/openapi.json" "${options[@]}" --phases "$1" --seed "$2" \
        --report ndjson --report-ndjson-path "$folder/$1-$2.events" || failures=$((failures + 1))
}
failures=0
ask examples,coverage,fuzzing 1
# Each seed is another walk along the links of the document.
for seed in 1 2 3 4; do ask stateful "$seed"; done

"$python" - "$folder"/*.events <<'PYTHON'
import collections, fileinput, json
operations, cases, checks = set(), 0, collections.Counter()
for line in fileinput.input():
    scenario = json.loads(line).get("ScenarioFinished")
    if scenario is None:
        continue
    operations.add(scenario["recorder"]["label"])
    cases += len(scenario["recorder"].get("cases", {}))
    for results in scenario["recorder"].get("checks", {}).values():
        checks.update(result["name"] for result in results)
operations.discard("Stateful tests")
print(f"\ncontract: {len(operations)} operations, {cases} cases, {sum(checks.values())} checks:")
for name, count in sorted(checks.items()):
    print(f"    {count:6} {name}")
PYTHON
[ "$failures" = 0 ] || { echo "contract: schemathesis found something" >&2; exit 1; }

stop_server
echo "contract: the server keeps it"
