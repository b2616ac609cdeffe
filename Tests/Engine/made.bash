# The engine for apps; sets ENGINE, the folder with its files. Unless it is set already, they are made in .build-engine, all of them or
# the forms that ENGINE_FORMS names.
# shellcheck shell=bash
if [ -z "${ENGINE:-}" ]; then
    export ENGINE=$PWD/.build-engine
    # shellcheck disable=SC2086
    scripts/package engine "$ENGINE" ${ENGINE_FORMS:-}
fi
