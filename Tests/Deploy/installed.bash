#!/usr/bin/env bash
# Makes a root for installed.py, and runs it there, in namespaces of its own. Usage: installed.bash try|make|over|bare FOLDER
#
#   try   whether a layer can be mounted over the root of this machine
#   make  makes a minimal Debian as FOLDER/system.tar, from a network
#   over  runs the proof in a layer over the root of this machine
#   bare  runs it in the minimal Debian
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

mode=$1 folder=$2 root=$2/system
if [ "$mode" = make ]; then
    # shellcheck disable=SC2034 # the stand-in's functions use it
    work=$folder
    step() { echo "deploy: $*"; }
    quietly() { "$@" >"$folder/log" 2>&1 || { tail -n 60 "$folder/log" >&2 && echo "deploy: $*" >&2 && exit 1; }; }
    # shellcheck source=Tests/Container/stand-in.bash
    . Tests/Container/stand-in.bash
    scripts/setup mmdebstrap
    bootstrap "$(sed -n 's/^ARG BASE=debian:\([a-z]*\).*/\1/p' Dockerfile)" "$folder/system.tar" --mode=root \
        --include=adduser,ca-certificates,init-system-helpers,jq,libpq5,libsqlite3-0,libstdc++6,logrotate,procps
    exit
fi
mkdir -p "$root" "$folder/layer"
mount -t tmpfs tmpfs "$folder/layer"
mkdir "$folder/layer/upper" "$folder/layer/work"
if [ "$mode" = bare ]; then
    tar -C "$root" -xpf "$folder/system.tar"
else
    mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/layer/upper,workdir=$folder/layer/work" "$root"
    [ "$mode" != try ] || exit 0
    mount -t tmpfs tmpfs "$root/run"
    mount -t tmpfs tmpfs "$root/tmp"
fi
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
/usr/bin/python3 -B Tests/Deploy/installed.py "$root" "$folder/waymark.deb" "$folder"
