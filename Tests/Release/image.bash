# The image's archive: its configuration, and its root run as its user, read-only, without a shell.
# shellcheck shell=bash disable=SC2154,SC2034 # release.bash declares what is used here

layers=$work/layers rootfs=$work/rootfs
mkdir "$layers" "$rootfs"
tar -C "$layers" -xf "$image"
blob() { printf '%s/blobs/%s' "$layers" "${1/://}"; }
# Reads a member of JSON. Usage: member FILE PYTHON-SUBSCRIPTS
member() { python3 -c 'import json, sys; value = eval("json.load(open(sys.argv[1]))" + sys.argv[2]); print(value if isinstance(value, str) else json.dumps(value))' "$@"; }
for file in "$layers"/blobs/sha256/*; do
    expect "the digest of a blob" "$(basename "$file")" "$(sha256sum <"$file" | cut -d ' ' -f 1)"
done
manifest=$(blob "$(member "$layers/index.json" '["manifests"][0]["digest"]')")
settings=$(blob "$(member "$manifest" '["config"]["digest"]')")
expect "the user" 10001:10001 "$(member "$settings" '["config"]["User"]')"
expect "the entry point" '["/usr/local/bin/waymark"]' "$(member "$settings" '["config"]["Entrypoint"]')"
expect "the health check" '["CMD", "/usr/local/bin/waymark", "healthcheck"]' "$(member "$settings" '["config"]["Healthcheck"]["Test"]')"
expect "the label of the version" "$version" "$(member "$settings" '["config"]["Labels"]["org.opencontainers.image.version"]')"
expect "the label of the commit" "$commit" "$(member "$settings" '["config"]["Labels"]["org.opencontainers.image.revision"]')"
for number in 0 1; do
    layer=$(blob "$(member "$manifest" "[\"layers\"][$number][\"digest\"]")")
    expect "the digest of layer $number" "$(member "$settings" "[\"rootfs\"][\"diff_ids\"][$number]")" \
        "sha256:$(gzip -dc "$layer" | sha256sum | cut -d ' ' -f 1)"
    tar -C "$rootfs" --no-overwrite-dir -xpzf "$layer"
done
shells=$(find "$rootfs" \( -path '*/bin/*' -o -path '*/sbin/*' \) \( -type f -o -type l \) -printf '/%P\n' | sort | xargs)
expect "the programs in the image" /usr/local/bin/waymark "$shells"
proved "the archive is whole; labels name $version and the commit; waymark is the only program, and there is no shell"

# Read-only but for /data, with nothing of this machine but its processors' random numbers.
mount --bind "$rootfs" "$rootfs"
mkdir -p "$rootfs/dev" "$rootfs/proc" "$work/data"
mount -t proc proc "$rootfs/proc"
chown 10001:10001 "$work/data"
mount --bind "$work/data" "$rootfs/data"
mount -o remount,ro,bind "$rootfs"
# Runs the entry point. Usage: in_image WORD…
in_image() {
    local variables=()
    mapfile -t variables < <(python3 -c 'import json, sys; print("\n".join(json.load(open(sys.argv[1]))["config"]["Env"]))' "$settings")
    env -i "${variables[@]}" WAYMARK_HTTP_PORT="$port" setpriv --no-new-privs \
        python3 -c 'import os, sys; os.chroot(sys.argv[1]); os.chdir("/"); os.setgroups([]); os.setgid(10001); os.setuid(10001); os.execve(sys.argv[2], sys.argv[2:], os.environ)' \
        "$rootfs" /usr/local/bin/waymark "$@"
}
port=$(Tests/Processes/ports.py)
code=0
in_image serve >"$work/server.log" 2>&1 || code=$?
[[ $code == 64 ]] || fail "without credentials it ends with $code: $(cat "$work/server.log")"
quietly in_image token create --role admin --create --output /data/first-token
in_image serve --drain-seconds 0 >"$work/server.log" 2>&1 &
server=$!
answers "$port"
quietly in_image healthcheck
expect "the status without a token" 401 "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/v1/users/ada")"
expect "the status with the token" 404 \
    "$(curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $(cat "$work/data/first-token")" "http://127.0.0.1:$port/v1/users/ada")"
stop
# An address that ends TLS needs the bundle of certificates, which Debian makes by a script.
(($(grep -c 'BEGIN CERTIFICATE' "$rootfs/etc/ssl/certs/ca-certificates.crt") > 100)) || fail "the image has no certificates"
umount "$rootfs/data" "$rootfs/proc" "$rootfs"
proved "its root, read-only, refuses to start without credentials, makes a token, serves, and is healthy by its own check"

$quick || . Tests/Release/engine.bash
