# The image: made, and looked at from outside and inside, before any service runs.
# shellcheck shell=bash disable=SC2154 # run.bash and the script declare what is used here

# Puts the binary that this machine has built, and the catalog, where the Dockerfile's first stage would have put them,
# and prints the Dockerfile with that stage replaced: all that the image is made of but the compiler's work.
pack() {
    local packed=$1/image/usr/local/bin/waymark
    mkdir -p "$1"
    install -D -m 0644 "$root/Config/routes.yaml" "$1/image/etc/waymark/routes.yaml"
    install -D -m 0755 "$binary" "$packed"
    strip "$packed"
    "$packed" catalog check "$root/Config/routes.yaml" >&2
    awk '
        /^FROM / { first = / AS build$/ }
        /^FROM / && first { print "FROM ${BASE} AS build\nCOPY image /image" }
        !first
    ' "$root/Dockerfile" >"$1/Dockerfile"
}

# The context has no tests, and the manifest does without them.
mkdir "$work/bare"
cp -R "$root/Package.swift" "$root/Sources" "$work/bare"
PACKAGE_WITHOUT_TESTS=1 swift package --package-path "$work/bare" dump-package >"$work/manifest.json" 2>"$work/log" ||
    fail "the manifest needs the tests: $(cat "$work/log")"
grep -qE '"path" *: *"Tests|"type" *: *"test"|jwt-kit' "$work/manifest.json" && fail "the manifest of an image has tests"
grep -qE '^(COPY|ADD) .*Tests|^!Tests' "$root/Dockerfile" "$root/.dockerignore" && fail "the image is made with tests"
grep -q '^ENV PACKAGE_WITHOUT_TESTS=' "$root/Dockerfile" || fail "the Dockerfile builds with the tests in the manifest"
proved "the image depends on no test"

if $fresh; then
    # A copy, so that the parts of the build see the same files whatever is edited meanwhile; pax keeps times exact.
    mkdir "$work/context"
    tar -C "$root" --format=pax --exclude=./.git --exclude='.build*' -cf - . | tar -C "$work/context" -xf -
    step "building the image; the compiler takes minutes"
    if [[ $engine == podman ]]; then
        # Mounts are for the first stage alone: they would leave their mount points in the image. The build proper then
        # takes that stage from the cache of layers.
        quietly podman build "${build_options[@]}" "${mounts[@]}" --target build "$work/context"
    fi
else
    step "packing $binary"
    quietly pack "$work/context"
fi
quietly "$engine" build "${build_options[@]+"${build_options[@]}"}" --tag "$image" "$work/context"
proved "the Dockerfile builds, and the catalog in it is sound"

expect "the user" 10001:10001 "$("$engine" inspect --format '{{.Config.User}}' "$image")"
expect "the entry point" '["/usr/local/bin/waymark"] ["serve"]' \
    "$("$engine" inspect --format '{{json .Config.Entrypoint}} {{json .Config.Cmd}}' "$image")"
# The engines keep this one in different places.
"$engine" inspect "$image" | tr -d ' \n' |
    grep -qF '"Healthcheck":{"Test":["CMD","/usr/local/bin/waymark","healthcheck"]' ||
    fail "the image has no health check, or another one"
"$engine" inspect "$image" | tr -d ' \n' | grep -qF '"org.opencontainers.image.licenses":"Apache-2.0"' ||
    fail "the image has no labels"
uid=$(once --entrypoint id "$image" -u)
[[ $uid != 0 ]] || fail "the image runs as root"
proved "it runs as user $uid; entry point and health check are the binary itself, without a shell"

libraries=$(once --entrypoint ldd "$image" /usr/local/bin/waymark)
grep -q 'not found' <<<"$libraries" && fail "libraries are missing: $libraries"
libraries=$(awk '$2 == "=>" { print $1 }' <<<"$libraries" | sort | xargs)
expect "the list of linked libraries" "libc.so.6 libcom_err.so.2 libcrypto.so.3 libffi.so.8 libgcc_s.so.1 libgmp.so.10 libgnutls.so.30 libgssapi_krb5.so.2 libhogweed.so.6 libidn2.so.0 libk5crypto.so.3 libkeyutils.so.1 libkrb5.so.3 libkrb5support.so.0 liblber-2.5.so.0 libldap-2.5.so.0 libm.so.6 libnettle.so.8 libp11-kit.so.0 libpq.so.5 libresolv.so.2 libsasl2.so.2 libsqlite3.so.0 libssl.so.3 libstdc++.so.6 libtasn1.so.6 libunistring.so.2" \
    "$libraries"
proved "the binary finds all it links: $libraries"

# shellcheck disable=SC2016 # the container's shell is to expand it
writable=$(once --entrypoint bash "$image" -c \
    'for folder in / /data /etc/waymark /tmp /usr/local/bin /var; do
        (: >"$folder/.probe") 2>/dev/null && echo "$folder"
    done; true')
expect "what can be written to" /data "$writable"
proved "the root file system is read-only; of the folders tried only /data can be written to"

link='navigation://loremipsum.com/characters/character/1?sheet=test'
answer=$(once "$image" resolve "$link" --level premiumUser --format json) || fail "\`waymark resolve\` refused: $answer"
[[ $answer == *'"route":"characterSheet"'* ]] || fail "\`waymark resolve\` answered $answer"
proved "\`waymark resolve\` answers in it, without a network"

cat >"$work/routes.yaml" <<'YAML'
version: 1
origins: [{ scheme: other, hosts: [example.com] }]
entry: { harbor: root }
routes: { harbor: {} }
YAML
chmod 0644 "$work/routes.yaml"
answer=$(once --volume "$work/routes.yaml:/etc/waymark/routes.yaml:ro" "$image" \
    resolve other://example.com/harbor --format json) || fail "a catalog mounted over the image's is not read: $answer"
[[ $answer == *'"route":"harbor"'* ]] || fail "with another catalog mounted, \`waymark resolve\` answered $answer"
proved "a catalog mounted over /etc/waymark/routes.yaml is the one that counts"

code=0
"$engine" run --name "$name-refusing" "${run_options[@]}" "$image" >"$work/log" 2>&1 || code=$?
expect "the exit code without credentials" 64 "$code"
for way in 'waymark token create --role admin' WAYMARK_INSECURE_NO_AUTH; do
    grep -qF "$way" "$work/log" || fail "without credentials it does not name \`$way\`, but says: $(cat "$work/log")"
done
proved "without credentials it refuses to start, exit code 64, and says what to set"

once "$image" healthcheck >"$work/log" 2>&1 && fail "the health check finds a server where none runs"
proved "the health check fails where no server answers"
