#!/usr/bin/env bash
# The forms of the engine for apps outside Swift, for `scripts/prove engine`; `--help` lists its options.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

usage() {
    cat <<'TEXT'
Makes the engine as WebAssembly, JavaScript and C, and compares the bytes of each answer with those of WaymarkOffline: every golden
case, every recorded exchange of resolve and links, the links of Tests/DeepLinkCoreTests/Vectors, generated requests over generated
catalogs, and hostile bundles and bodies. These are the fuzzer's corpora and mutations. Some are no JSON, others stay JSON with other
links, levels and fields, and some of the bundles load. The counts of the answers by status are printed, and a kind without any is a
failure. The JavaScript runs in `node --jitless`, the C under gcc's address and undefined sanitizers. Memory must stay as it is, and a
bundle of 10,000 routes must load. A trap ends the engine, and the host makes it anew. At the end all forms are made once more from a copy
in another folder, which is no checkout and belongs to nobody, and must have the same bytes.

  --quick         WebAssembly alone, once, with 2,000 generated requests instead of 100,000, 20 loads instead of 1,000, 5,000 resolves
                  instead of a million
  --vectors DIR   compares the links of the JSON files in a further folder as well
TEXT
}

requests=100000 loads=1000 resolves=1000000 ENGINE_FORMS=
while (($# > 0)); do
    case $1 in
        --help | -h) usage && exit 0 ;;
        --quick) requests=2000 loads=20 resolves=5000 ENGINE_FORMS=wasm ;;
        --vectors)
            [ -d "${2-}" ] || { echo "engine: --vectors names a folder" >&2 && exit 64; }
            WAYMARK_ENGINE_VECTORS=$(readlink -f "$2") && export WAYMARK_ENGINE_VECTORS && shift
            ;;
        *) usage >&2 && exit 64 ;;
    esac
    shift
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo "engine: the requests, with the answers of WaymarkOffline"
swift build --build-tests
WAYMARK_ENGINE_RECORDING=$folder/recording WAYMARK_ENGINE_REQUESTS=$requests WAYMARK_TEST_DIVISOR=$((requests > 2000 ? 4 : 40)) \
    swift test --skip-build --filter '\.EngineRecordingTests(/|$)'
[ -s "$folder/recording" ] || { echo "engine: no requests were recorded" >&2 && exit 1; }
sed 's/^/engine: /' "$folder/recording.txt"

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
sanitized=(gcc -std=gnu11 -O1 -w "-fsanitize=address,undefined" -fno-sanitize-recover=all -I "$ENGINE")
"${sanitized[@]}" -c -o "$folder/engine.o" "$ENGINE/waymark_engine.c"
"${sanitized[@]}" -o "$folder/host" Tests/Engine/host.c "$folder/engine.o" -lm
"$folder/host" "$folder/recording"

# The program of the page.
awk '/^```/ { inside = !inside && $2 == "resolve.c"; next } inside' docs/guides/apps/offline.md >"$folder/resolve.c"
"${sanitized[@]}" -o "$folder/resolve" "$folder/resolve.c" "$folder/engine.o" -lm
"$folder/resolve" "$folder/recording.large" '{"link":"shop:/route7"}' | grep -q '^200 .*"route":"route7"' ||
    { echo "engine: the program of the page does not resolve a link" >&2 && exit 1; }

echo "engine: the same bytes from another folder"
Tests/Engine/again.bash "$ENGINE" "$folder/another-folder-with-a-longer-name"
echo "engine: passed"
