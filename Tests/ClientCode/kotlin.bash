#!/usr/bin/env bash
# The code that `waymark generate` writes for Kotlin, for `scripts/prove kotlin`; needs Java 17.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

# The package of PyPI, installed into .build/kotlin, that has JetBrains' compiler and library in it, of 77 MiB; Debian's Kotlin is of 2019.
compiler=kotlin-jupyter-kernel==0.19.0.944

# The short form compiles the engine's class, and leaves out the library that it calls, since gcc takes minutes.
sequences=10000 quick=false
[ "${1-}" != --quick ] || sequences=250 quick=true

binary=${WAYMARK_BINARY:?scripts/prove says which}
command -v javac >/dev/null || scripts/setup openjdk-17-jdk-headless
jars=.build/kotlin/run_kotlin_kernel/jars
[ -d $jars ] || python3 -m pip install -q --no-deps --target .build/kotlin "$compiler"

. Tests/Processes/waymark.bash
flaky=
trap '[ -z "$flaky" ] || kill "$flaky" 2>/dev/null || true; [ -z "$server" ] || kill -9 "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

# The engine as a library; gcc takes longer than the compiler of Kotlin, so both work at the same time.
build_engine() {
    . Tests/Engine/made.bash
    # Kept, since gcc takes a minute.
    [ "$ENGINE/waymark_engine.o" -nt "$ENGINE/waymark_engine.c" ] ||
        gcc -std=gnu11 -O1 -w -fPIC -c -o "$ENGINE/waymark_engine.o" "$ENGINE/waymark_engine.c"
    local java
    java=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
    gcc -std=gnu11 -O1 -Wall -Wextra -Werror -fPIC -shared -I "$ENGINE" -I "$java/include" -I "$java/include/linux" \
        -o "$folder/libwaymark_engine.so" "$folder/routes/waymark_engine_jni.c" "$ENGINE/waymark_engine.o" -lm
    echo "kotlin: the engine as a library has $(stat -c %s "$folder/libwaymark_engine.so") bytes"
}

"$binary" generate kotlin Config/routes.yaml --output "$folder/routes" --runtime --navigation3 --package waymark >"$folder/output"
engine=
if ! $quick; then
    build_engine &
    engine=$!
fi
"$binary" generate kotlin Config/routes.yaml --output "$folder/named" --runtime --package com.acme_app.routes >"$folder/output"
grep -q ' Java_com_acme_1app_routes_WaymarkLibrary_##name$' "$folder/named/waymark_engine_jni.c"
rm -r "$folder/named"
shopt -s nullglob
for catalog in Config/examples/*.yaml Config/examples/apps/*.yaml Tests/ClientCode/names.yaml; do
    name=$(basename "$catalog" .yaml) renames=()
    # A keyword of Kotlin.
    [ "$name" != suinavigation ] || renames=(--rename ObjectView.object=content)
    "$binary" generate kotlin "$catalog" --output "$folder/$name" --package "app.${name//-/_}" --import waymark \
        --navigation3 "${renames[@]}" >"$folder/output" 2>&1 || { cat "$folder/output"; exit 1; }
done
"$binary" generate kotlin Examples/catalog.yaml --output "$folder/example" --package app --import waymark --navigation3 >"$folder/output"
for file in NavigationApp NavigationScreens; do
    awk -v file="$file.kt" '/^```/ { inside = !inside && $2 == file; next } inside' docs/guides/apps/navigation3.md >"$folder/example/$file.kt"
done
mkdir "$folder/compose"
for stub in ComposeStub Navigation3Stub; do
    awk -v folder="$folder/compose/" '/^\/\/ file / { file = folder $3; next } file { print >file }' "Tests/ClientCode/$stub.kt"
done
library=$(echo $jars/kotlin-stdlib-*.jar):$(echo $jars/kotlinx-serialization-core-*.jar):$(echo $jars/kotlinx-serialization-json-*.jar)
java -Xmx1g -cp "$(echo $jars/kotlin-jupyter-kernel-*-all.jar):$(echo $jars/kotlin-reflect-*.jar):$(echo $jars/kotlin-script-runtime-*.jar):$(echo $jars/annotations-*.jar):$library" \
    org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect -Werror -classpath "$library" -d "$folder/classes" \
    "$folder"/*/*.kt Tests/ClientCode/Check.kt Tests/ClientCode/Engine.kt Tests/ClientCode/Law/Runner.kt Examples/Compose/*.kt
echo "kotlin: $(find "$folder" -name AppRoute.kt | wc -l) catalogs, the example app and the page of Navigation 3 compile"

sed -f Tests/ClientCode/versions.sed Config/routes.yaml >"$folder/versions.yaml"
mkdir "$folder/bundles"
openssl genpkey -algorithm ed25519 -out "$folder/bundles/key.pem"
for sequence in 6 7 8; do
    "$binary" catalog bundle "$folder/versions.yaml" --key "$folder/bundles/key.pem" --sequence $sequence \
        --output "$folder/bundles/$sequence.bundle" >"$folder/output"
done
sed -n 's/^key .*: //p' "$folder/output" >"$folder/bundles/key.txt"
if ! $quick; then
    wait $engine
    export BUNDLES=$folder/bundles
fi
start_server "$binary" --catalog "$folder/versions.yaml" --bundle "$folder/bundles/8.bundle"
python3 Tests/ClientCode/flaky.py "$port" >"$folder/flaky" &
flaky=$!
for _ in {1..200}; do
    [ ! -s "$folder/flaky" ] || break
    sleep 0.05
done
SERVER=$base FLAKY="http://127.0.0.1:$(cat "$folder/flaky")" FIXTURES=$folder/routes/routes.fixtures.json \
    VECTORS=Tests/ClientCode/navigation.json ARRIVALS=Tests/ClientCode/arrivals.json \
    java -Djava.library.path="$folder" -cp "$folder/classes:$library" check.CheckKt
stop_server
# Holds a runner to the law of navigation, without and with the back stack of Navigation 3. Usage: law LANGUAGE SEQUENCES [ARGUMENT]
law() {
    PYTHONPATH=Tests/ClientCode/Law:Tests/Processes PYTHONDONTWRITEBYTECODE=1 \
        python3 Tests/ClientCode/Law/law.py --language "$1" --sequences "$2" -- \
        java -XX:+UseSerialGC -cp "$folder/classes:$library" law.RunnerKt "${@:3}"
}
law kotlin "$sequences"
! $quick || sequences=60
law navigation3 "$sequences" navigation3
echo "kotlin: all is well"
