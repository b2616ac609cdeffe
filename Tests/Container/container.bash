#!/usr/bin/env bash
# The image of the Dockerfile, for `scripts/prove container`; `--help` tells more.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

usage() {
    cat <<'TEXT'
Makes the image of the Dockerfile, runs it as an operator would, with nothing writable but /data, and proves that it
starts with credentials only, lets in whom its tokens name, resolves links, keeps users, reports its health and stops
on SIGTERM. Exits with 0 only if all of it holds. Where a Docker engine answers, it does so on the base images that the
Dockerfile names. Elsewhere, on Debian and as root, podman and runc do, on stand-ins of Debian's packages.

  --fresh         compile in the image, as the Dockerfile says; by default, on the Debian release of its base, the
                  release build of this machine is packed, which is brought up to date
TEXT
}

fresh=false binary=${WAYMARK_BINARY-}
while (($# > 0)); do
    case $1 in
        --help | -h) usage && exit 0 ;;
        --fresh) fresh=true ;;
        *) usage >&2 && exit 64 ;;
    esac
    shift
done
suite=$(sed -n 's/^ARG BASE=debian:\([a-z]*\).*/\1/p' Dockerfile)
grep -qsx "VERSION_CODENAME=$suite" /etc/os-release || fresh=true
if ! $fresh && [ -z "$binary" ]; then
    swift build -c release --product waymark
    binary=$(swift build -c release --show-bin-path)/waymark
fi
# shellcheck disable=SC1090 # all of them are in that folder
for part in run stand-in engine image service; do . "Tests/Container/$part.bash"; done
