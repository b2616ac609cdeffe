#!/usr/bin/env bash
# The forms of the engine for apps outside Swift, for `scripts/prove engine`; `--help` lists its options.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

requests=100000 loads=1000 resolves=1000000 ENGINE_FORMS=
case ${1-} in
    --help | -h)
        cat <<'TEXT'
Makes the engine as WebAssembly, JavaScript and C, and compares the bytes of each answer with those of WaymarkOffline: every golden
case, every recorded exchange of resolve and links, generated requests over generated catalogs, and hostile bundles and bodies. The
JavaScript runs in `node --jitless`, the C under gcc's address and undefined sanitizers. Memory must stay as it is, and a bundle of
10,000 routes must load. A trap ends the engine, and the host makes it anew.

  --quick   WebAssembly alone, with 2,000 generated requests instead of 100,000, 20 loads instead of 1,000, 5,000 resolves instead
            of a million
TEXT
        exit 0
        ;;
    --quick) requests=2000 loads=20 resolves=5000 ENGINE_FORMS=wasm ;;
    '') ;;
    *) echo "engine: there is no option $1" >&2 && exit 64 ;;
esac

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo "engine: the requests, with the answers of WaymarkOffline"
swift build --build-tests
WAYMARK_ENGINE_RECORDING=$folder/recording WAYMARK_ENGINE_REQUESTS=$requests WAYMARK_TEST_DIVISOR=$((requests > 2000 ? 4 : 40)) \
    swift test --skip-build --filter '\.EngineRecordingTests(/|$)'
[ -s "$folder/recording" ] || { echo "engine: no requests were recorded" >&2 && exit 1; }

echo "engine: its forms"
. Tests/Engine/made.bash
cp Tests/Engine/hosts.mjs "$folder/hosts.mjs"

echo "engine: WebAssembly in Node"
node "$folder/hosts.mjs" "$ENGINE/waymark-engine.wasm" "$folder/recording" "$loads" "$resolves"
if [ -n "$ENGINE_FORMS" ]; then
    echo "engine: passed"
    exit
fi

echo "engine: JavaScript without a JIT, and without WebAssembly"
cp "$ENGINE/waymark-engine.js" "$folder/waymark-engine.mjs"
node --jitless "$folder/hosts.mjs" "$folder/waymark-engine.mjs" "$folder/recording" 5 200

echo "engine: C, under the address and undefined sanitizers"
gcc -std=gnu11 -O1 -w -fsanitize=address,undefined -fno-sanitize-recover=all -I "$ENGINE" -o "$folder/host" Tests/Engine/host.c \
    "$ENGINE/waymark_engine.c" -lm
"$folder/host" "$folder/recording"
echo "engine: passed"
