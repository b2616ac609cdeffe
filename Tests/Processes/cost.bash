#!/usr/bin/env bash
# The texts that cost most in every field, query name, body member and target, and how long each takes, in milliseconds,
# beside a plain text of its size, for `scripts/prove cost`; --full: bodies of 1 MB.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
[ "${1-}" != --full ] || export WAYMARK_TEST_FULL=1
echo "cost: building; the first time takes some minutes"
swift build --build-tests
WAYMARK_TEST_PRINT=1 WAYMARK_TEST_DIVISOR=1 swift test --skip-build --filter RequestCostTests | grep -E ' ms, plain |^. Test run'
