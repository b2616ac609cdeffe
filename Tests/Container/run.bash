# The common part of scripts/prove container: names of this run, its findings, and its end.
# shellcheck shell=bash disable=SC2034 # the other parts use what is declared here

root=$(pwd -P)
name=waymark-check-$$
image=localhost/$name
volume=$name-data
work=$(mktemp -d "${TMPDIR:-/var/tmp}/$name.XXXXXX")
engine=
build_options=()
mounts=()
run_options=(--read-only --network none --cap-drop ALL --security-opt no-new-privileges)

step() { printf '[%3ds] %s\n' "$SECONDS" "$*"; }
proved() { step "ok: $*"; }
fail() {
    printf '[%3ds] FAILED: %s\n' "$SECONDS" "$*" >&2
    exit 1
}

# Runs a command in silence; where it fails, shows the end of what it said.
quietly() {
    "$@" >"$work/log" 2>&1 || {
        tail -n 60 "$work/log" >&2
        fail "$*"
    }
}

# Removes what this run made, and nothing else.
clean_up() {
    case $engine in
        docker)
            docker rm --force --volumes "$name" "$name-refusing" >/dev/null 2>&1 || true
            docker volume rm --force "$volume" "$volume-open" >/dev/null 2>&1 || true
            docker image rm --force "$image" >/dev/null 2>&1 || true
            ;;
        podman)
            # Its storage is this run's own.
            podman rm --all --force --time 0 >/dev/null 2>&1 || true
            ;;
    esac
    # A build that was interrupted leaves mounts behind, and may take a moment to end.
    local _
    for _ in {1..10}; do
        awk -v folder="$work/" 'index($2, folder) == 1 { print $2 }' /proc/mounts 2>/dev/null | sort -r |
            while read -r mount; do umount --lazy "$mount" 2>/dev/null; done || true
        rm -rf --one-file-system "$work" 2>/dev/null && return
        sleep 0.5
    done
    echo "could not remove $work" >&2
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs the image once, as it is meant to be run; takes the engine's options, the image, and what its entry point gets.
once() { "$engine" run --rm --no-healthcheck "${run_options[@]}" "$@"; }

# Compares what a check found with what it should be.
expect() {
    [[ $2 == "$3" ]] || fail "$1 is \`$3\`, not \`$2\`"
}
