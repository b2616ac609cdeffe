#!/usr/bin/env bash
# The console in a real browser, for `scripts/prove console`; `--help` lists its options.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

if [ "${1-}" = --help ]; then
    cat <<'TEXT'
  --screenshots FOLDER  where pictures of every view are kept; by default .build-browser/screenshots
  --pictures            makes the pictures of docs/images anew, and tests nothing
  test …                tests of Tests/Browser, such as console_test.KeyboardTests; by default those of the console

Needs python3 (3.10 or newer) with venv; its packages come from PyPI, into the folder .build-browser.
TEXT
    exit 0
fi
if [ "${1-}" = --screenshots ]; then
    export WAYMARK_SCREENSHOTS=${2:?--screenshots names a folder}
    shift 2
fi

if [ "${1-}" = --pictures ]; then
    export WAYMARK_PICTURES=1
    set -- pictures_test
fi

step() { printf '\nbrowser: %s\n' "$1"; }

step "the types of the scripts"
tsc --project Sources/Apps/EmbeddedFiles/Console

. Tests/Browser/environment.bash

step "the pages"
[ $# -gt 0 ] || set -- console_test login_test pictures_test
PYTHONPATH=Tests/Browser:Tests/Processes "$python" -m unittest ${VERBOSE:+-v} "$@"
