# The image's archive in a container engine: loaded as it is, and run as an operator would, with nothing writable but a volume.
# shellcheck shell=bash disable=SC2154,SC2034 # release.bash declares what is used here

scripts/setup podman runc
name=release
mkdir "$work/podman"
work=$work/podman configure_podman
chmod 0755 "$work"
loaded=$(podman load --quiet --input "$image" 2>"$work/log") || fail "podman does not load it: $(cat "$work/log")"
loaded=${loaded##*: }
label() { podman image inspect --format "{{index .Labels \"org.opencontainers.image.$1\"}}" "$loaded"; }
expect "the label of the version, by podman" "$version" "$(label version)"
expect "the label of the commit, by podman" "$commit" "$(label revision)"
engine_options=(--read-only --read-only-tmpfs=false --network none --cap-drop ALL --security-opt no-new-privileges
    --no-healthcheck)
once() { podman run --rm "${engine_options[@]}" "$@"; }
answer=$(once "$loaded" resolve navigation://loremipsum.com/onboarding --format json 2>"$work/log") ||
    fail "in a container it does not resolve: $(cat "$work/log")"
[[ $answer == *'"route":"onboarding"'* ]] || fail "in a container it answers $answer"
code=0
once "$loaded" >"$work/log" 2>&1 || code=$?
expect "the exit code of a container without credentials" 64 "$code"
quietly once --volume release-data:/data "$loaded" token create --role admin --create --output /data/first-token
quietly podman run --detach --name serving "${engine_options[@]}" --volume release-data:/data "$loaded"
for _ in {1..100}; do
    podman exec serving /usr/local/bin/waymark healthcheck >"$work/log" 2>&1 && break
    sleep 0.2
done
quietly podman exec serving /usr/local/bin/waymark healthcheck
! podman exec serving /bin/sh -c true >/dev/null 2>&1 || fail "there is a shell in the container"
expect "the user of the process" 10001 "$(podman inspect --format '{{.State.Pid}}' serving | xargs -I PID stat -c %u /proc/PID)"
quietly podman stop --time 20 serving
expect "the exit code of the container after SIGTERM" 0 "$(podman inspect --format '{{.State.ExitCode}}' serving)"
quietly podman rm serving
quietly podman volume rm release-data
quietly podman rmi --all --force
proved "$(podman --version) loads the archive; runc starts it read-only without a capability; it serves, is healthy, and stops"
