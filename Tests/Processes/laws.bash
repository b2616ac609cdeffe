#!/usr/bin/env bash
# Every law, comparison and mutation on generated input, for `scripts/prove laws`.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
case ${1-} in
    --help)
        cat <<'TEXT'
  --quick   a twentieth, as scripts/test tries it

A failure names the seed of its catalog. `WAYMARK_TEST_SEEDS=7,42 WAYMARK_TEST_DIVISOR=1 scripts/test --filter SUITE` tries
those alone.
TEXT
        exit 0
        ;;
    --quick) divisor=20 ;;
    *) divisor=1 ;;
esac
swift build --build-tests
# The suites that say how often: those that ask `Effort`, by themselves or through the generated catalogs.
suites=$(grep -rlE 'Effort\.(part|size|divisor)|GeneratedCatalog\.all' Tests --include='*Tests.swift' | xargs -n 1 basename -s .swift | xargs)
for suite in $suites; do
    grep -rqw "struct $suite" Tests --include="$suite.swift" || { echo "laws: $suite.swift has no suite of its name" >&2; exit 1; }
done
export WAYMARK_TEST_DIVISOR=$divisor
echo "laws: 1 / $divisor of the rounds of $suites"
swift test --skip-build --filter "\\.(${suites// /|})(/|\$)"
