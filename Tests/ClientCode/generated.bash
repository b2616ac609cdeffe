#!/usr/bin/env bash
# The code that `waymark generate` writes for Swift and TypeScript, for `scripts/prove generated`; `--help` lists its options.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

usage() {
    cat <<'TEXT'
Generates code of every example catalog, and proves that it compiles: Swift in mode 6 with warnings as errors, with and
without `-default-isolation MainActor`, with the SwiftUI adapter against a stub of SwiftUI; TypeScript in strict mode with
`exactOptionalPropertyTypes`. Runs the clients of the sample app against a server, over a connection that is lost as well, and
the engine in TypeScript: as WebAssembly, and as JavaScript in `node --jitless` with what React Native lacks taken away.
Any sequence of links, gates, redemptions, own operations and gestures leaves what a model says: 10,000 on eleven catalogs, and
10,000 through the adapter for Expo Router, whose page compiles against declarations and goes from a link over a gate on.
Swift of four times the routes must take about four times as long to compile. Kotlin is compiled by scripts/prove kotlin. The views of the SwiftUI adapter are not run: that takes a Mac.

  --quick         try 250 sequences, and compile for the sample app, the catalog with most kinds of parameters, and the one with odd names alone
  --routes N      only generate code of a catalog of N routes, compile the Swift with -Onone, and print how long that takes
TEXT
}

quick=false routes= languages=()
while (($# > 0)); do
    case $1 in
        --help | -h) usage && exit 0 ;;
        --quick) quick=true ;;
        --routes) routes=${2:?--routes takes a number} && shift ;;
        swift | typescript) languages+=("$1") ;;
        *) usage >&2 && exit 64 ;;
    esac
    shift
done
[ ${#languages[@]} -gt 0 ] || languages=(swift typescript)
[[ " ${languages[*]} " != *" typescript "* ]] || scripts/setup nodejs node-typescript
binary=${WAYMARK_BINARY:?scripts/prove says which}

. Tests/Processes/waymark.bash
flaky=
trap '[ -z "$flaky" ] || kill "$flaky" 2>/dev/null || true; [ -z "$server" ] || kill -9 "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

shopt -s nullglob
catalogs=(Config/routes.yaml Config/examples/*.yaml Config/examples/apps/*.yaml Tests/ClientCode/names.yaml)
! $quick || catalogs=(Config/routes.yaml Config/examples/suinavigation.yaml Tests/ClientCode/names.yaml)
warnings=(-swift-version 6 -warnings-as-errors)

# Generates one catalog's files. Usage: generate LANGUAGE CATALOG FOLDER
generate() { "$binary" generate "$1" "$2" --output "$3" --runtime >/dev/null 2>"$folder/errors" || { cat "$folder/errors"; exit 1; }; }

# Prints a catalog of routes without parameters, with one, and with more. Usage: many ROUTES
many() {
    awk -v count="$1" 'BEGIN {
        print "version: 1\norigins: [{ scheme: app }]\nentry: { home: root }\nroutes:\n  home:\n    opens:"
        for (i = 1; i < count; i++) printf "      screen%d: push\n", i
        more = "sort: { type: enum, values: [name, price, date] }, tag: \"[string]\", page: { type: int, default: 1 }"
        for (i = 1; i < count; i++) {
            kind = i % 3
            printf "  screen%d: { path: \"screen%d%s\"", i, i, kind ? "/{id}" : ""
            print kind == 0 ? " }" : kind == 1 ? ", parameters: { id: int } }" : ", parameters: { id: uuid, " more " } }"
        }
    }'
}

# Generates Swift of a catalog of many routes and compiles it; sets `seconds`, of CPU. Usage: compile_many ROUTES
compile_many() {
    local output=$folder/swift/many$1 TIMEFORMAT=%U
    many "$1" >"$folder/many$1.yaml"
    generate swift "$folder/many$1.yaml" "$output"
    # An object that is there already would be taken, if its code were the same.
    seconds=$({ time swiftc -c -Onone -swift-version 6 -parse-as-library -wmo -o "$output/routes.o" "$output"/*.swift; } 2>&1)
    echo "swift: $1 routes compile in $seconds s of CPU"
}

# Prints a file that a page shows. Usage: shown GUIDE FILE
shown() { awk -v file="$2" '/^```/ { inside = !inside && $2 == file; next } inside' "docs/guides/$1"; }

# Starts a way to the server that loses its first connection; sets `flaky` (its process) and FLAKY (its URL).
start_flaky() {
    [ -z "$flaky" ] || kill "$flaky"
    # The former server's output must not be taken for this one's port.
    rm -f "$folder/flaky"
    python3 Tests/ClientCode/flaky.py "$port" >"$folder/flaky" &
    flaky=$!
    for _ in {1..200}; do
        [ ! -s "$folder/flaky" ] || break
        sleep 0.05
    done
    export FLAKY="http://127.0.0.1:$(cat "$folder/flaky")"
}

# Signs the catalog as bundles 7, an app's own, and 8, the server's; writes the public key beside the first.
bundles() {
    local number
    (umask 077 && openssl genpkey -algorithm ed25519 -out "$folder/bundle.key")
    for number in 7 8; do
        "$binary" catalog bundle "$folder/versions.yaml" --key "$folder/bundle.key" --sequence $number --output "$folder/$number.bundle"
    done | sed -nE '$s/^key [^:]*: //p' >"$folder/7.bundle.key"
}

# Holds a runner of one language to the law of navigation. Usage: law LANGUAGE [OPTION …] -- RUNNER …
law() {
    local sequences=10000
    ! $quick || sequences=250
    # The adapter's form has those of TypeScript beside it.
    [ "$quick $1" != "true expo" ] || sequences=60
    PYTHONPATH=Tests/ClientCode/Law:Tests/Processes PYTHONDONTWRITEBYTECODE=1 \
        python3 Tests/ClientCode/Law/law.py --language "$1" --sequences "$sequences" "${@:2}"
}

check_swift() {
    local catalog output few seconds
    mkdir -p "$folder/modules"
    swiftc -swift-version 6 -parse-as-library -emit-module -module-name SwiftUI -o "$folder/modules/SwiftUI.swiftmodule" \
        Tests/ClientCode/SwiftUIStub/SwiftUI.swift
    for catalog in "${catalogs[@]}"; do
        output=$folder/swift/$(basename "$catalog" .yaml)
        generate swift "$catalog" "$output"
        swiftc -typecheck "${warnings[@]}" -I "$folder/modules" "$output"/*.swift
        swiftc -typecheck "${warnings[@]}" -I "$folder/modules" -default-isolation MainActor "$output"/*.swift
        echo "swift: $catalog compiles, as it is and on the main actor"
    done
    # The stub is there, and refuses: else the adapter would have compiled to nothing.
    printf 'import SwiftUI\n@MainActor func f(_ n: WaymarkNavigator<AppRoute>) { _ = NavigationStack(path: n.state) { Text("") } }\n' \
        >"$folder/wrong.swift"
    ! swiftc -typecheck "${warnings[@]}" -I "$folder/modules" "$folder"/swift/routes/*.swift "$folder/wrong.swift" 2>"$folder/errors" ||
        { echo "swift: the stub of SwiftUI takes anything"; exit 1; }
    # The names that apps and SwiftUI use are theirs.
    printf 'import SwiftUI\nstruct Slide: Transition {}\n' >"$folder/names.swift"
    printf 'enum %s {}\n' Answer AppUpdate Denial Destination JSONValue Layer Navigator Presentation Problem >>"$folder/names.swift"
    swiftc -typecheck "${warnings[@]}" -I "$folder/modules" "$folder"/swift/routes/*.swift "$folder/names.swift"
    compile_many 150
    few=$seconds
    swiftc -typecheck "${warnings[@]}" -I "$folder/modules" -default-isolation MainActor "$folder"/swift/many150/*.swift
    cp Tests/ClientCode/fixtures.swift "$folder/main.swift"
    for catalog in suinavigation names many150; do
        swiftc "${warnings[@]}" -o "$folder/fixtures" "$folder/swift/$catalog"/*.swift "$folder/main.swift"
        "$folder/fixtures" "$folder/swift/$catalog/routes.fixtures.json"
    done
    compile_many 600
    # If each route leads the compiler to all others, they take 9 times as long.
    awk -v few="$few" -v many="$seconds" 'BEGIN { exit !(many < 7 * few) }' ||
        { echo "swift: four times the routes take more than 7 times as long"; exit 1; }
    swiftc -swift-version 6 -parse-as-library -emit-module -module-name UserNotifications \
        -o "$folder/modules/UserNotifications.swiftmodule" Tests/ClientCode/UserNotificationsStub/UserNotifications.swift
    generate swift Examples/catalog.yaml "$folder/swift/example"
    swiftc -typecheck -parse-as-library "${warnings[@]}" -I "$folder/modules" "$folder"/swift/example/*.swift Examples/SwiftUI/*.swift
    swiftc -typecheck -parse-as-library "${warnings[@]}" -I "$folder/modules" -default-isolation MainActor \
        "$folder"/swift/example/*.swift Examples/SwiftUI/*.swift
    echo "swift: the example app compiles"
    cp Tests/ClientCode/client.swift "$folder/main.swift"
    swiftc "${warnings[@]}" -o "$folder/client" "$folder"/swift/routes/*.swift "$folder/main.swift"
    start_flaky
    SERVER=$base "$folder/client"
    cp Tests/ClientCode/Law/runner.swift "$folder/main.swift"
    swiftc "${warnings[@]}" -o "$folder/law" "$folder"/swift/routes/Waymark*.swift "$folder/main.swift"
    law swift -- "$folder/law"
}

# The app of the page on Expo Router: its files with the generated ones, compiled, and its links with a router and a server.
check_expo() {
    local output=$folder/expo file
    options=(--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noUnusedLocals --target es2020 --lib es2020
        --module commonjs)
    mkdir -p "$output/src/app/(tabs)" "$output/src/app/product"
    touch "$output/src/app/(tabs)/index.tsx" "$output/src/app/(tabs)/orders.tsx"
    for file in routes.yaml src/{makeLinks,links}.ts src/app/{_layout,login}.tsx 'src/app/(tabs)/_layout.tsx' 'src/app/product/[id].tsx'; do
        shown apps/expo-router.md "$file" >"$output/$file"
    done
    "$binary" generate typescript "$output/routes.yaml" --output "$output/src" --expo --expo-tree "$output/src/app" >/dev/null
    cp Tests/ClientCode/{expo,node}.d.ts Tests/ClientCode/expo.test.ts Tests/ClientCode/Law/r{outer,unner}.ts "$output/src"
    tsc "${options[@]}" --jsx react-jsx --noEmit "$output"/src/expo.d.ts "$output"/src/app/{+native-intent,_layout,login}.tsx \
        "$output/src/app/(tabs)/_layout.tsx" "$output/src/app/product/[id].tsx"
    tsc "${options[@]}" --outDir "$output/js" "$output"/src/{expo,node}.d.ts "$output"/src/{expo.test,runner}.ts
    # Packages that are there without a phone.
    mkdir -p "$output"/node_modules/{expo-router,react,expo-sqlite}
    touch "$output"/node_modules/{expo-router,react}/index.js
    printf '%s\n' 'const kept = new Map();' 'exports.__esModule = true;' 'exports.default = { getItemSync: (key) => kept.get(key) ?? null,' \
        'setItemSync: (key, text) => kept.set(key, text), removeItemSync: (key) => kept.delete(key) };' >"$output/node_modules/expo-sqlite/kv-store.js"
    start_server "$binary" --catalog "$output/routes.yaml"
    SERVER=$base node --test "$output/js/expo.test.js" >"$folder/errors" 2>&1 || { cat "$folder/errors"; exit 1; }
    stop_server
    echo "typescript: the app of Expo Router compiles, and $(grep -c '^# Subtest: [^/]*$' "$folder/errors") tests of its links pass"
    law expo --bars -- node "$output/js/runner.js" expo
}

check_typescript() {
    local catalog output options
    options=(--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noUnusedLocals --target es2020 --lib es2020
        --module commonjs)
    for catalog in "${catalogs[@]}"; do
        generate typescript "$catalog" "$folder/typescript/$(basename "$catalog" .yaml)"
    done
    tsc "${options[@]}" --noEmit "$folder"/typescript/*/appRoute.ts
    echo "typescript: ${#catalogs[@]} catalogs compile"
    output=$folder/typescript/routes
    shown apps/react-navigation.md navigator.ts >"$output/navigator.ts"
    for file in engine links phone; do shown apps/offline.md $file.ts >"$output/$file.ts"; done
    cp Tests/ClientCode/{node,react-navigation}.d.ts Tests/ClientCode/{routes,engine}.test.ts "$output"
    tsc "${options[@]}" --lib es2020,dom --noEmit "$output"/react-navigation.d.ts "$output"/{navigator,engine,phone}.ts
    echo "typescript: the sample app compiles"
    tsc "${options[@]}" --outDir "$output/js" "$output"/{node,react-navigation}.d.ts "$output"/{routes,engine}.test.ts \
        "$output"/links.ts
    # A package that is there without a phone.
    mkdir -p "$output/node_modules/react-native"
    echo 'exports.Linking = {};' >"$output/node_modules/react-native/index.js"
    start_flaky
    export SERVER=$base FIXTURES=$output/routes.fixtures.json VECTORS=Tests/ClientCode/navigation.json \
        ARRIVALS=Tests/ClientCode/arrivals.json BUNDLE=$folder/7.bundle
    . Tests/Engine/made.bash
    node --test "$output"/js/*.test.js >"$folder/errors" 2>&1 || { cat "$folder/errors"; exit 1; }
    echo "typescript: $(grep -c '^# Subtest: [^/]*$' "$folder/errors") tests pass"
    [ -f "$ENGINE/waymark-engine.js" ] || return 0
    # Before what a phone lacks is gone, the module of JavaScript is imported.
    cp "$ENGINE/waymark-engine.js" "$output/waymark-engine.mjs"
    printf '%s\n' 'globalThis.waymarkEngine = await import("./waymark-engine.mjs");' 'await import("./js/engine.test.js");' \
        >"$output/phone.mjs"
    node --jitless "$output/phone.mjs" >"$folder/errors" 2>&1 || { cat "$folder/errors"; exit 1; }
    echo "typescript: $(grep -c '^ok ' "$folder/errors") tests of the engine pass without WebAssembly"
    seq -f 'navigation:/characters/character/%.0f' 1000 >"$folder/links.txt"
    node "$output/js/links.js" "$folder/links.txt" "$ENGINE/waymark-engine.wasm" "$folder/7.bundle" "$(cat "$folder/7.bundle.key")" \
        >"$folder/screens.txt"
    [ "$(grep -c ' tabBar characters character$' "$folder/screens.txt")" = 1000 ] ||
        { head "$folder/screens.txt"; echo "typescript: the thousand links of a file lead elsewhere"; exit 1; }
    echo "typescript: the engine opens a thousand links of a file"
    cp Tests/ClientCode/Law/r{outer,unner}.ts Sources/Apps/EmbeddedFiles/TypeScript/Expo/waymark-expo.ts Tests/ClientCode/expo.d.ts "$output"
    mkdir -p "$output"/node_modules/{expo-router,react}
    touch "$output"/node_modules/{expo-router,react}/index.js
    tsc "${options[@]}" --outDir "$output/law" "$output"/{node,expo}.d.ts "$output"/runner.ts
    law typescript -- node "$output/law/runner.js"
}

if [ -n "$routes" ]; then
    TIMEFORMAT='swift: generated in %R s'
    many "$routes" >"$folder/many.yaml"
    time generate swift "$folder/many.yaml" "$folder/many"
    compile_many "$routes"
    exit
fi
sed -f Tests/ClientCode/versions.sed Config/routes.yaml >"$folder/versions.yaml"
bundles
start_server "$binary" --catalog "$folder/versions.yaml" --bundle "$folder/8.bundle"
for language in "${languages[@]}"; do "check_$language"; done
stop_server
[[ " ${languages[*]} " != *" typescript "* ]] || check_expo
echo "generated: all is well"
