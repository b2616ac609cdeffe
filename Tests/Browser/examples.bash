#!/usr/bin/env bash
# The example app of the web in a real browser, for `scripts/prove examples`.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
. Tests/Browser/environment.bash
. Tests/Engine/made.bash
Examples/Web/build "${WAYMARK_BINARY:?scripts/prove says which}" "$ENGINE"
PYTHONPATH=Tests/Browser:Tests/Processes "$python" -m unittest ${VERBOSE:+-v} example_test "$@"
