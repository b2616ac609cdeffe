# A server for as long as a script runs. Scripts source this: it makes `$folder`, with `$database` in it, which are gone
# at the end, as is the server.
# shellcheck shell=bash

folder=$(mktemp -d)
database=$folder/waymark.sqlite
server=
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

# Ends the script, with the server's log.
server_failed() {
    cat "$folder/log" >&2
    echo "$(basename "$0"): the server $1" >&2
    exit 1
}

# Starts a `waymark` on a free port, and waits until it listens; sets `server` (its process), `port` and `base` (its URL).
# Usage: start_server PROGRAM [options of `waymark serve`]
start_server() {
    # The server may be slower to make it than the first look.
    : >"$folder/log"
    # A script is no balancer that must be told.
    "$1" serve --port 0 --drain-seconds 0 --database "$database" "${@:2}" 2>"$folder/log" &
    server=$!
    for _ in {1..6000}; do
        port=$(sed -nE 's|.*Listening on http://127\.0\.0\.1:([0-9]+).*|\1|p' "$folder/log")
        [ -z "$port" ] || break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.05
    done
    [ -n "$port" ] || server_failed "does not listen"
    # shellcheck disable=SC2034 # scripts ask it
    base="http://127.0.0.1:$port"
}

# Asks the server to end, and waits until it has.
stop_server() {
    local code=0
    kill -TERM "$server"
    wait "$server" || code=$?
    server=
    [ "$code" = 0 ] || server_failed "exited with $code"
}
