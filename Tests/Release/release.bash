#!/usr/bin/env bash
# The files of a release, for `scripts/prove release`; `--help` tells more.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

usage() {
    cat <<'TEXT'
Makes the files of a release by scripts/package, and proves them in a minimal Debian without Swift: checksums, notes, tarball with its
pages, completions and units, Debian's package (installed, run, upgraded over a lower version, removed, purged), the image's
archive run as its user without a shell, the bill of materials, the size. Needs Debian and root.

The full form makes the release twice, with the engine for apps, each from a clean clone in another folder, and compares the bytes; it
also runs lintian, zsh, fish and podman over them. The files of the first clone stay in .build-release/files; where the two differ, both stay in
.build-release/differing.

  --quick       pack the release build of this checkout, and run what is there without further packages
  --files-only  make the files, and prove their checksums and the bill of materials alone: no minimal Debian, no root
TEXT
}

quick=false files_only=false binary=${WAYMARK_BINARY-}
while (($# > 0)); do
    case $1 in
        --help | -h) usage && exit 0 ;;
        --quick) quick=true ;;
        --files-only) files_only=true ;;
        *) usage >&2 && exit 64 ;;
    esac
    shift
done

root=$(pwd -P)
commit=$(git rev-parse HEAD)
work=$(mktemp -d "${TMPDIR:-/var/tmp}/waymark-release.XXXXXX")
chmod 0755 "$work"
server=

step() { printf '[%3ds] %s\n' "$SECONDS" "$*"; }
proved() { step "ok: $*"; }
fail() {
    printf '[%3ds] FAILED: %s\n' "$SECONDS" "$*" >&2
    exit 1
}
quietly() {
    "$@" >"$work/log" 2>&1 || {
        tail -n 60 "$work/log" >&2
        fail "$*"
    }
}
expect() { [[ $2 == "$3" ]] || fail "$1 is \`$3\`, not \`$2\`"; }

# Ends this run's server, unmounts what this run mounted, and removes its folder.
clean_up() {
    [[ -z $server ]] || pkill -9 -P "$server" || true
    awk -v folder="$work/" 'index($2, folder) == 1 { print $2 }' /proc/mounts | sort -r |
        while read -r mount; do umount --lazy "$mount" || true; done
    rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

$files_only || [[ $(id -u) == 0 ]] || fail "a minimal Debian needs root"
# shellcheck source=Tests/Container/stand-in.bash
. Tests/Container/stand-in.bash

# --- The files --------------------------------------------------------------------------------------------------------

# Makes the files in a folder. Usage: make CHECKOUT FOLDER [options of scripts/package]
make() { "$1/scripts/package" --output "$2" "${@:3}" >"$work/log" 2>&1 || { cat "$work/log" >&2 && fail "no release is made"; }; }

# Runs a test in Python, and says its last line. Usage: tested FILE ARGUMENT…
tested() {
    python3 -B "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2 && fail "$1"; }
    proved "$(cat "$work/log")"
}

tested Tests/Release/place_test.py "$root"
if $quick; then
    release=$work/release
    if [[ -z $binary ]]; then
        quietly swift build -c release --product waymark
        binary=$(swift build -c release --show-bin-path)/waymark
    fi
    make "$root" "$release" --binary "$binary" --allow-changes
else
    release=$root/.build-release/files
    rm -rf "$release" "$root/.build-release/differing"
    mkdir -p "$root/.build-release"
    for clone in first second-with-a-longer-name; do
        quietly git clone --quiet "$root" "$work/$clone"
        # The checkout may have gone on since the first.
        quietly git -C "$work/$clone" checkout --quiet --detach "$commit"
        make "$work/$clone" "$work/$clone.files" --engine
        step "made from a clean clone in $work/$clone"
        rm -rf "${work:?}/$clone"
    done
    if ! diff -r "$work/first.files" "$work/second-with-a-longer-name.files"; then
        mkdir "$root/.build-release/differing"
        mv "$work"/*.files "$root/.build-release/differing"
        fail "two builds differ"
    fi
    proved "two builds of one commit in two folders have the same bytes, $(cat "$work/first.files"/* | wc -c) in all"
    mv "$work/first.files" "$release"
fi
(cd "$release" && quietly sha256sum --strict --check SHA256SUMS)
expect "the count of files with a checksum" "$(find "$release" -type f ! -name SHA256SUMS | wc -l)" \
    "$(wc -l <"$release/SHA256SUMS")"
tarball=$(echo "$release"/*.tar.gz) package=$(echo "$release"/*.deb) image=$(echo "$release"/*.oci.tar)
version=$(basename "$tarball" | sed -E 's/^waymark-(.*)-linux-[a-z0-9]+\.tar\.gz$/\1/')
proved "SHA256SUMS has all files of $version: $(cd "$release" && du -ch --apparent-size ./* | tail -n 1 | cut -f 1)"

tested Tests/Release/bill_test.py "$root" "$release"
tested Tests/Release/notes_test.py "$root" "$release"
$quick || [[ -s $release/waymark-engine.wasm ]] || fail "the release has no engine"
tested Tests/Release/engine_test.py "$root" "$release"

if $files_only; then
    step "done: the files of $version of ${commit:0:12} are made; none of them was run"
    exit 0
fi

# --- A minimal Debian -------------------------------------------------------------------------------------------------

scripts/setup mmdebstrap
suite=$(sed -n 's/^ARG BASE=debian:\([a-z]*\).*/\1/p' Dockerfile)
bare=$work/bare
# The packages that it depends on, so that no mirror is asked while it is installed.
bootstrap "$suite" "$bare" --mode=root \
    --include=adduser,ca-certificates,init-system-helpers,libpq5,libsqlite3-0,libstdc++6,man-db,bash-completion,procps
# Swift reads a program's arguments from /proc/self/cmdline.
mount -t proc proc "$bare/proc"
within() { chroot "$bare" "$@"; }
within sh -c 'command -v swift swiftc ld.lld gcc' >/dev/null && fail "the minimal Debian has a compiler"
step "a minimal Debian $suite, without Swift, is made"

# Waits for a program in it that listens, and asks it. Usage: answers PORT
answers() {
    for _ in {1..300}; do
        [[ $(curl -s "http://127.0.0.1:$1/healthz") == *alive* ]] && return
        kill -0 "$server" 2>/dev/null || fail "it ended: $(cat "$work/server.log")"
        sleep 0.1
    done
    fail "it does not answer: $(cat "$work/server.log")"
}
stop() {
    local code=0
    # The server is the child of a subshell, which waits for it.
    pkill -TERM -P "$server"
    wait "$server" || code=$?
    server=
    expect "the exit code after SIGTERM" 0 "$code"
}

# shellcheck disable=SC1090 # all of them are in that folder
for part in tarball package image; do . "Tests/Release/$part.bash"; done
step "done: $version of ${commit:0:12} for $(dpkg --print-architecture); no other architecture is built or run here"
