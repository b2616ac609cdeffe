#!/usr/bin/env bash
# 500 slow connections (heads, bodies, reads) of slowhttptest beside other requests, for `scripts/prove slow-clients`.
#
# Prints how many of the others were answered and how long the slowest took; exits with 1 where one was not. The argument is
# how many seconds each kind lasts.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
seconds=${1:-20}
# shellcheck source=Tests/Processes/waymark.bash
. Tests/Processes/waymark.bash
start_server "${WAYMARK_BINARY:?scripts/prove says which}"

failures=0
# Asks while a kind of slow client is at work.
attack() {
    local name=$1 asked=0 failed=0 slowest=0 time pid
    shift
    slowhttptest -c 500 -r 250 -l "$seconds" "$@" >"$folder/$name" 2>&1 &
    pid=$!
    sleep 3
    while kill -0 "$pid" 2>/dev/null; do
        asked=$((asked + 1))
        if time=$(curl -sf -m 5 -o /dev/null -w '%{time_total}' "$base/v1/resolve?link=navigation%3A%2Fonboarding"); then
            slowest=$(awk -v a="$slowest" -v b="$time" 'BEGIN { print (a > b ? a : b) }')
        else
            failed=$((failed + 1))
        fi
        sleep 0.1
    done
    wait "$pid" || true
    printf '%-8s %5s asked, %3s not answered, slowest %s s\n' "$name" "$asked" "$failed" "$slowest"
    [ "$failed" = 0 ] && [ "$asked" -gt 0 ] || failures=$((failures + 1))
}

attack heads -H -i 5 -u "$base/healthz" -t GET
attack bodies -B -i 5 -s 8192 -u "$base/v1/resolve" -t POST -f application/json
attack reads -X -w 1 -y 1 -n 5 -z 1 -k 3 -u "$base/v1/catalog"

stop_server
[ "$failures" = 0 ] || { echo "slow-clients: slow clients kept others from being served" >&2; exit 1; }
echo "slow-clients: nobody was kept waiting"
