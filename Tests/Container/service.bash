# The service in a container: credentials, links, users, health, signals, and what outlives it.
# shellcheck shell=bash disable=SC2154 # run.bash and image.bash declare what is used here

# Starts the service on a volume, with further options of the engine, and waits until its own health check says that it
# is ready.
start() {
    quietly "$engine" run --detach --name "$name" "${run_options[@]}" --volume "$1:/data" "${@:2}" "$image"
    local try
    for try in {1..100}; do
        "$engine" exec "$name" waymark healthcheck >/dev/null 2>&1 && return
        sleep 0.2
    done
    "$engine" logs "$name" >&2 || true
    fail "the service was not ready after $try tries"
}

# Sends SIGTERM and proves a clean end.
stop() {
    local from=$SECONDS
    quietly "$engine" stop -t 20 "$name"
    expect "the exit code after SIGTERM" 0 "$("$engine" inspect --format '{{.State.ExitCode}}' "$name")"
    ((SECONDS - from < 10)) || fail "it took $((SECONDS - from)) s to stop"
    "$engine" logs "$name" >"$work/log" 2>&1
    grep -q 'the database is closed' "$work/log" || fail "it did not close the database: $(cat "$work/log")"
    quietly "$engine" rm "$name"
}

# The arguments of requests: the host that they name, and the caller's token, or none.
host=127.0.0.1:8080
token=

# Sends one HTTP request from inside the container and proves its status and a part of the answer.
request() {
    local wanted=$1 part=$2 method=$3 target=$4 content=${5-} answer
    answer=$(
        {
            printf '%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n' "$method" "$target" "$host"
            [[ -z $token ]] || printf 'Authorization: Bearer %s\r\n' "$token"
            [[ -z $content ]] || printf 'Content-Type: application/json\r\nContent-Length: %d\r\n' "${#content}"
            printf '\r\n%s' "$content"
        } | "$engine" exec --interactive "$name" timeout 10 bash -c \
            'exec 3<>/dev/tcp/127.0.0.1/8080 && cat >&3 && cat <&3'
    ) || fail "no answer to $method $target: $answer"
    [[ $answer == "HTTP/1.1 $wanted "* && $answer == *"$part"* ]] ||
        fail "$method $target was to be answered by $wanted and $part, but was by: $answer"
}

# Makes a token in the volume with the image's own command, and prints it.
make_token() {
    local made
    made=$(once --volume "$volume:/data" "$image" token create --role "$1" --create 2>"$work/log") ||
        fail "\`waymark token create\` makes none: $(cat "$work/log")"
    [[ $made =~ ^wm_[0-9a-z]{12}_[0-9A-Za-z]{49}$ ]] || fail "\`waymark token create\` prints \`$made\`, no token"
    printf '%s' "$made"
}

admin=$(make_token admin)
resolver=$(make_token resolver)
proved "\`waymark token create\` makes tokens in the volume, before any server has run on it"

start "$volume"
expect "the command of process 1" waymark "$("$engine" exec "$name" cat /proc/1/comm)"
expect "the user of process 1" "$uid" "$("$engine" exec "$name" stat --format %u /proc/1)"
sockets=$("$engine" exec "$name" cat /proc/net/tcp)
grep -q ' 00000000:1F90 00000000:0000 0A ' <<<"$sockets" || fail "nothing listens on 0.0.0.0:8080: $sockets"
rights=$("$engine" exec "$name" cat /proc/1/status | awk '/^CapBnd|^NoNewPrivs/ { print $2 }' | xargs)
expect "what process 1 may obtain (capabilities, no_new_privs)" "0000000000000000 1" "$rights"
proved "\`waymark serve\` is process 1, without capabilities; ready by its own health check; listens on 0.0.0.0:8080"

if [[ $engine == docker ]]; then
    for _ in {1..40}; do
        health=$(docker inspect --format '{{.State.Health.Status}}' "$name")
        [[ $health != starting ]] && break
        sleep 1
    done
    expect "the engine's view of its health" healthy "$health"
else
    quietly podman healthcheck run "$name"
fi
proved "the engine, running the image's HEALTHCHECK, which has no credentials, finds it healthy"

resolve='/v1/resolve?link=navigation%3A%2F%2Floremipsum.com%2Fcharacters%2Fcharacter%2F1%3Fsheet%3Dtest&user=ada'
level='{"authorizationLevel":"premiumUser"}'
request 200 '"status":"ready"' GET /readyz
request 401 'WWW-Authenticate: Bearer realm="waymark"' GET "$resolve"
request 401 authentication-required POST /v1/users/ada "$level"
token=${admin%?}- request 401 'error="invalid_token"' GET "$resolve"
token=$resolver request 403 '"required":"admin"' POST /v1/users/ada "$level"
proved "without a token, or with a mistyped one or too low a role, it refuses; only its health is for everyone"

token=$admin
request 403 '"userLevel":"none"' GET "$resolve"
request 201 '"version":1' POST /v1/users/ada "$level"
token=$resolver request 200 '"route":"characterSheet"' GET "$resolve"
request 200 '"route":"characterSheet"' GET "$resolve"
host=loremipsum.com request 403 '"route":"characters"' GET /characters/character/1
proved "over HTTP, with tokens, it refuses a link, takes the user's new level, and then resolves the link"

quietly "$engine" exec "$name" waymark token revoke "$resolver"
sleep 2
token=$resolver request 401 'unknown, revoked or expired' GET "$resolve"
request 200 '"route":"characterSheet"' GET "$resolve"
proved "a token that is revoked beside the running service is refused by it, and the others are not"

stop
proved "as process 1 it stops on SIGTERM with exit code 0, having closed its database"

once --volume "$volume:/data" --entrypoint test "$image" -s /data/waymark.sqlite || fail "/data holds no database"
[[ $(once --volume "$volume:/data" "$image" user get ada) == *premiumUser* ]] || fail "the database has lost the user"
start "$volume"
request 200 '"route":"characterSheet"' GET "$resolve"
stop
proved "the database in the volume outlives the container: a new one knows the token and resolves the link at once"

start "$volume-open" --env WAYMARK_INSECURE_NO_AUTH=true
token='' request 403 '"userLevel":"none"' GET "$resolve"
"$engine" logs "$name" >"$work/log" 2>&1
grep -q INSECURE "$work/log" || fail "open to everyone, it does not warn: $(cat "$work/log")"
stop
proved "with WAYMARK_INSECURE_NO_AUTH=true and no token it serves everyone, and warns"

if [[ $engine == docker ]]; then
    step "done with Docker; not proven: that a published port is reached from another machine"
else
    say_what_is_open
fi
