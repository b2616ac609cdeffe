# The engine for apps; sets ENGINE, the folder with its files. Unless it is set already, they are made in .build-engine.
# shellcheck shell=bash
if [ -z "${ENGINE:-}" ]; then
    export ENGINE=$PWD/.build-engine
    scripts/package engine "$ENGINE"
fi
