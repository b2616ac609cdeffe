#!/usr/bin/env bash
# The page of a link in a real browser, and the association files behind TLS, for `scripts/prove pages`.
#
# Pictures of every page are kept in .build-browser/screenshots, or where WAYMARK_SCREENSHOTS says.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
. Tests/Browser/environment.bash
PYTHONPATH=Tests/Browser:Tests/Processes "$python" -m unittest ${VERBOSE:+-v} page_test tls_test "$@"
