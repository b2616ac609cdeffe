#!/usr/bin/env bash
# Both commands of the README on a fresh clone, with their minutes, for `scripts/prove readme`. The clone is of what is
# committed; packages come from SwiftPM's cache where it has them.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

folder=$(mktemp -d "${TMPDIR:-/var/tmp}/waymark-readme.XXXXXX")
server=
trap '[ -z "$server" ] || { kill -TERM -- "-$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }; rm -rf "$folder"' EXIT
fail() { echo "readme: $1" >&2; exit 1; }
minutes() { awk -v seconds="$SECONDS" 'BEGIN { printf "%.1f", seconds / 60 }'; }

git clone --quiet --no-local . "$folder/waymark"
cd "$folder/waymark"
mapfile -t commands < <(awk '/^## Two commands/ { wanted = 1 } wanted && /^scripts\// { print $1 } wanted && /^```$/ { exit }' README.md)
[ "${commands[*]}" = "scripts/run scripts/test" ] || fail "the two commands are ${commands[*]}"

# The first: until the first question of the page is answered as it shows. The page wraps the answer: lines that begin with a
# space continue the line before.
question=$(sed -n "s/^\$ \(curl -s 'http[^ ]*'\)\$/\1/p" README.md | head -n 1)
shown=$(awk -v question="\$ $question" '
    $0 == question { wanted = 1; next }
    wanted && /^[{ ]/ { sub(/^ +/, ""); printf "%s", $0; next }
    wanted { exit }' README.md)
[ -n "$question" ] || fail "the page asks nothing"
eval "$question" >/dev/null && fail "something else answers the first question already"
SECONDS=0
set -m
scripts/run >"$folder/run.log" 2>&1 &
server=$!
set +m
until answer=$(eval "$question") && [ -n "$answer" ]; do
    kill -0 "$server" 2>/dev/null || fail "scripts/run ended: $(tail -n 20 "$folder/run.log")"
    [ "$SECONDS" -lt 7200 ] || fail "scripts/run serves nothing after two hours"
    sleep 1
done
first=$(minutes)
[ "$answer" = "$shown" ] || fail "the page shows $shown, and the answer is $answer"
kill -TERM -- "-$server"
wait "$server" || true
server=
echo "readme: scripts/run: $first minutes from a clone to the first answer"

SECONDS=0
scripts/test >"$folder/test.log" 2>&1 || fail "scripts/test failed: $(grep -E '✘|error:' "$folder/test.log" | tail -n 20)"
passed=$(grep -oE 'Test run with [0-9]+ tests' "$folder/test.log" | xargs echo)
echo "readme: scripts/run $first minutes, scripts/test $(minutes) minutes after it: $passed"
