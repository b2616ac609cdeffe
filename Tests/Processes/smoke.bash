#!/usr/bin/env bash
# The main road once, for `scripts/prove smoke`: resolve, refuse, grant, a batch of 100,000 links, stop.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

waymark=${WAYMARK_BINARY:?scripts/prove says which}
# shellcheck source=Tests/Processes/waymark.bash
. Tests/Processes/waymark.bash

"$waymark" catalog check
start_server "$waymark"

# Prints the status of a request.
status() { curl -s -o "$folder/body" -w '%{http_code}' "$@"; }
# Requires a status.
expect() {
    local wanted=$1 got
    shift
    got=$(status "$@")
    [ "$got" = "$wanted" ] || { echo "smoke: $* answered $got instead of $wanted: $(cat "$folder/body")" >&2; exit 1; }
}

link='navigation%3A%2F%2Floremipsum.com%2Fcharacters%2Fcharacter%2F1%3Fsheet%3Dtest'
expect 200 "$base/healthz"
expect 200 "$base/v1/resolve?link=navigation%3A%2Fonboarding"
expect 403 "$base/v1/resolve?link=$link&user=smoke"
expect 201 "$base/v1/users/smoke" -H 'Content-Type: application/json' -d '{"authorizationLevel":"premiumUser"}'
expect 200 "$base/v1/resolve?link=$link&user=smoke"
grep -q '"route":"characterSheet"' "$folder/body"
expect 200 "$base/characters/character/1" -H 'Waymark-User: smoke'
"$waymark" healthcheck --port "$port"

# A hundred thousand links in one request: every one is answered, in order, and the memory stays flat.
memory() { sed -nE 's/^VmRSS:[[:space:]]*([0-9]+) kB$/\1/p' "/proc/$server/status"; }
batch() { seq "$1" | sed -E 's|.*|{"link":"navigation:/characters/character/&","user":"smoke"}|'; }
answers() {
    batch "$1" | curl -sS -T - -X POST "$base/v1/resolve/batch" -H 'Content-Type: application/x-ndjson' |
        sed -nE 's|^\{"link":"navigation:/characters/character/([0-9]+)".*\{"id":([0-9]+)\}.*$|\1 \2|p'
}
answers 1000 >/dev/null
before=$(memory)
answers 100000 | cmp - <(seq 100000 | sed -E 's/.*/& &/') || { echo "smoke: the batch is not as sent" >&2; exit 1; }
after=$(memory)
echo "smoke: 100,000 links in one request: $before kB of memory before, $after kB after"
[ $((after - before)) -lt 10240 ] || { echo "smoke: the batch is kept in memory" >&2; exit 1; }

stop_server
echo "smoke: the release binary works"
