#!/usr/bin/env bash
# The samples of Config/deploy, and the commands of the operator's pages, for `scripts/prove deploy`; `--help` tells more.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

usage() {
    cat <<'TEXT'
Runs the samples of Config/deploy: units, proxies in front of servers, alerts, Compose and Kubernetes, first tokens, a rolling restart;
and the commands of the operator's pages in a root with Debian's package installed: from root's home, as the service's user, after a
restore, over PostgreSQL. The latter needs root. The full form makes that root from Debian's packages.

  --quick   lay that root over the one of this machine, where it may be mounted
TEXT
}

quick=false
while (($# > 0)); do
    case $1 in
        --help | -h) usage && exit 0 ;;
        --quick) quick=true ;;
        *) usage >&2 && exit 64 ;;
    esac
    shift
done
binary=${WAYMARK_BINARY:?scripts/prove says which}

# shellcheck source=Tests/Processes/waymark.bash
. Tests/Processes/waymark.bash
# shellcheck source=Tests/Processes/postgres.bash
. Tests/Processes/postgres.bash
samples=Config/deploy
# Processes of ours, which end with the script.
others=()
# shellcheck disable=SC2154 # waymark.bash declares the rest
trap 'postgres_stop "$folder/postgres"; [ -z "$server" ] || kill -9 "$server" 2>/dev/null || true
    for one in "${others[@]}"; do kill -TERM "$one" 2>/dev/null || true; done; wait 2>/dev/null || true
    rm -rf --one-file-system "$folder"' EXIT
proved() { echo "deploy: $1"; }
fail() { echo "deploy: $1" >&2; exit 1; }

# --- Units ------------------------------------------------------------------------------------------------------------

mkdir "$folder/units"
cp "$samples"/waymark.{service,socket} "$samples"/waymark@.service "$samples"/waymark-backup.{service,timer} "$folder/units"
# It looks whether the program is there.
sed -i "s|^ExecStart=/usr/local/bin/waymark|ExecStart=$binary|" "$folder/units"/*.service
said=$(systemd-analyze verify "$folder/units"/* 2>&1) || fail "$said"
# Unknown parts are passed over with a warning.
[ -z "$said" ] || fail "systemd-analyze verify says: $said"
said=$(systemd-analyze security --offline=true --threshold=20 "$folder/units"/*.service 2>&1) || fail "$said"
proved "the units are sound: $(grep -oE 'exposure level .* [A-Z]+' <<<"$said" | paste -sd ' ')"

port=$(Tests/Processes/ports.py)
# The program that systemd has for trying socket activation, as waymark.socket would do it.
env -i PATH="$PATH" systemd-socket-activate --listen "127.0.0.1:$port" \
    "$binary" serve --drain-seconds 0 --database "$database" 2>"$folder/log" &
server=$!
answer=$(curl -sS --retry 20 --retry-connrefused --retry-delay 1 "http://127.0.0.1:$port/healthz") || server_failed "is not activated"
[[ $answer == *'"alive"'* ]] || fail "the activated server answers $answer"
# It may answer before it says so.
for _ in {1..1200}; do grep -q "Listening on http" "$folder/log" && break || sleep 0.1; done
grep -q "Listening on http://127.0.0.1:$port" "$folder/log" || server_failed "listens elsewhere"
stop_server
proved "a socket that systemd hands over is served"

# --- Proxies ----------------------------------------------------------------------------------------------------------

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=loremipsum.com \
    -addext subjectAltName=DNS:loremipsum.com -keyout "$folder/key.pem" -out "$folder/fullchain.pem" 2>/dev/null
token=$("$binary" token create --role admin --create --database "$database" 2>/dev/null)
start_server "$binary" --log-format logfmt --log-requests true
upstream=$port

# Asks through the proxy, by the name of an https origin. Usage: ask STATUS TARGET [options of curl]
ask() {
    local status
    status=$(curl -sS -o "$folder/body" -D "$folder/head" -w '%{http_code}' --cacert "$folder/fullchain.pem" \
        --resolve "loremipsum.com:$tls:127.0.0.1" "https://loremipsum.com:$tls$2" "${@:3}") || fail "$proxy: no answer to $2"
    [ "$status" = "$1" ] || fail "$proxy: $2 is answered by $status, not $1: $(cat "$folder/body")"
}

# Has what a proxy must do proved. Usage: prove NAME; `tls` is its port.
prove() {
    proxy=$1
    local by=(-H "Authorization: Bearer $token") lines
    for _ in {1..1200}; do
        curl -s --cacert "$folder/fullchain.pem" --resolve "loremipsum.com:$tls:127.0.0.1" -o "$folder/body" \
            "https://loremipsum.com:$tls/healthz" && break
        sleep 0.1
    done
    ask 200 /readyz
    # Being local to the server opens nothing to those that the proxy speaks for.
    ask 401 /v1/users/ada -H 'Content-Type: application/json' -d '{"authorizationLevel":"premiumUser"}'
    ask 401 '/v1/resolve?link=navigation:/onboarding'
    ask 200 '/v1/resolve?link=navigation:/onboarding' "${by[@]}"
    grep -qi '^x-request-id: ..' "$folder/head" || fail "$proxy: no request id comes back"
    local id
    id=$(tr -d '\r' <"$folder/head" | sed -nE 's/^x-request-id: (.*)$/\1/Ip')
    for _ in {1..1200}; do grep -q "requestId=$id" "$folder/log" && break || sleep 0.1; done
    grep -q "requestId=$id" "$folder/log" || fail "$proxy: the log does not know the request $id"
    # The host passes, so a web link is one; and a link's own query comes through as it was written.
    ask 200 '/onboarding?a=%2F+b' "${by[@]}"
    grep -qF "\"link\":\"https://loremipsum.com" "$folder/body" || fail "$proxy: a web link became $(cat "$folder/body")"
    grep -qF '?a=%2F+b"' "$folder/body" || fail "$proxy: the query of a web link became $(cat "$folder/body")"
    # Names that the catalog does not have are not passed on: the console answers under them.
    curl -s --cacert "$folder/fullchain.pem" --resolve "loremipsum.com:$tls:127.0.0.1" -o "$folder/other" -H 'Host: other.example' \
        "https://loremipsum.com:$tls/console" || true
    grep -qi waymark "$folder/other" && fail "$proxy: other names reach the console"
    # Waymark refuses what is too long, not the proxy: with a problem.
    ask 414 "/v1/resolve?link=navigation:/$(printf 'a%.0s' {1..17000})" "${by[@]}"
    grep -q 'urn:waymark:problem:uri-too-long' "$folder/body" || fail "$proxy: it refuses long targets by itself"
    # More than a proxy takes as one body, and answered line by line: the first answer comes before the last line is sent.
    lines=$({ seq 60000 | sed 's|.*|{"link":"navigation:/onboarding?n=&"}|'; } |
        curl -sS --cacert "$folder/fullchain.pem" --resolve "loremipsum.com:$tls:127.0.0.1" -T - -X POST "${by[@]}" \
            -H 'Content-Type: application/x-ndjson' "https://loremipsum.com:$tls/v1/resolve/batch" | wc -l)
    [ "$lines" = 60000 ] || fail "$proxy: of a batch of 60000 lines $lines are answered"
    mkfifo "$folder/$proxy.in"
    curl -sN --no-progress-meter --cacert "$folder/fullchain.pem" --resolve "loremipsum.com:$tls:127.0.0.1" -T . -X POST "${by[@]}" \
        -H 'Content-Type: application/x-ndjson' "https://loremipsum.com:$tls/v1/resolve/batch" \
        <"$folder/$proxy.in" >"$folder/$proxy.out" &
    others+=($!)
    exec 9>"$folder/$proxy.in"
    echo '{"link":"navigation:/onboarding"}' >&9
    for _ in {1..1200}; do [ -s "$folder/$proxy.out" ] && break || sleep 0.1; done
    [ -s "$folder/$proxy.out" ] || fail "$proxy: it keeps the lines of a batch until the last one"
    exec 9>&-
    proved "$proxy ends TLS, and passes on host, ids, long targets and batches"
}

tls=$(Tests/Processes/ports.py)
sed -e "s|listen 80;|listen 127.0.0.1:$(Tests/Processes/ports.py);|" -e "s|listen 443 |listen 127.0.0.1:$tls |" \
    -e "s|links\.example\.com|loremipsum.com|" -e "s|127\.0\.0\.1:8080|127.0.0.1:$upstream|" \
    -e "s|/etc/ssl/waymark/|$folder/|" -e "s|/var/log/nginx/|$folder/|" "$samples/nginx.conf" >"$folder/nginx.conf"
nginx -e stderr -c "$folder/nginx.conf" -g "pid $folder/nginx.pid; daemon off;" 2>"$folder/nginx.log" &
others+=($!)
prove nginx
grep -q ' GET 401 ' "$folder/waymark.log" || fail "nginx logs no refusal: $(cat "$folder/waymark.log")"
grep -q 'link=\|navigation\|onboarding' "$folder/waymark.log" && fail "nginx logs links"

tls=$(Tests/Processes/ports.py)
cat "$folder"/{fullchain,key}.pem >"$folder/haproxy.pem"
sed -e "s|bind :80$|bind 127.0.0.1:$(Tests/Processes/ports.py)|" -e "s|bind :443 |bind 127.0.0.1:$tls |" \
    -e "s|links\.example\.com|loremipsum.com|" \
    -e "s|127\.0\.0\.1:8080|127.0.0.1:$upstream|" -e "s|/etc/ssl/waymark/|$folder/|" "$samples/haproxy.cfg" >"$folder/haproxy.cfg"
haproxy -c -f "$folder/haproxy.cfg" >"$folder/haproxy.said" 2>&1 || fail "$(cat "$folder/haproxy.said")"
haproxy -db -f "$folder/haproxy.cfg" >"$folder/haproxy.log" 2>&1 &
others+=($!)
prove haproxy
grep -q 'link=\|navigation\|onboarding' "$folder/haproxy.log" && fail "haproxy logs links"

tls=$(Tests/Processes/ports.py)
# A certificate of ours, where Caddy would fetch one; and nothing of this machine is changed.
cat >"$folder/Caddyfile" <<TEXT
{
	admin off
	auto_https disable_redirects
	skip_install_trust
	storage file_system $folder/caddy
	log {
		output file $folder/caddy.log
	}
}
import $folder/site
TEXT
sed "s|^{\\\$WAYMARK_SITE.*{\$|&\n\ttls $folder/fullchain.pem $folder/key.pem|" "$samples/Caddyfile" >"$folder/site"
caddy validate --adapter caddyfile --config "$samples/Caddyfile" >"$folder/caddy.said" 2>&1 || fail "$(cat "$folder/caddy.said")"
env WAYMARK_SITE="https://loremipsum.com:$tls" WAYMARK_UPSTREAM="127.0.0.1:$upstream" HOME="$folder" \
    caddy run --adapter caddyfile --config "$folder/Caddyfile" >"$folder/caddy.said" 2>&1 &
others+=($!)
prove caddy
grep -q 'link=\|navigation' "$folder/caddy.log" && fail "caddy logs links"
stop_server

# --- Alerts -----------------------------------------------------------------------------------------------------------

mkdir "$folder/prometheus"
cp "$samples"/{prometheus,alerts}.yaml "$folder/prometheus"
echo wm_token >"$folder/prometheus/waymark-token"
said=$(promtool check config "$folder/prometheus/prometheus.yaml" 2>&1) || fail "$said"
said=$(promtool check rules "$samples/alerts.yaml" 2>&1) || fail "$said"
said=$(promtool test rules Tests/Deploy/alerts.test.yaml 2>&1) || fail "$said"
proved "each alert fires as long as its fault lasts"

# --- Compose and Kubernetes -------------------------------------------------------------------------------------------

export PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 Tests/Deploy/manifests.py "$binary" "$folder"

# --- First tokens, and a rolling restart ------------------------------------------------------------------------------

# Others run programs there, and keep their files in it.
chmod 0755 "$folder"
mkdir "$folder/postgres"
uri=$(postgres_start "$folder/postgres")
/usr/bin/python3 Tests/Deploy/first_steps.py "$binary" "$folder" "$uri"
/usr/bin/python3 Tests/Deploy/rolling.py "$binary" "$folder" "$uri"

# --- The pages, with the package installed ----------------------------------------------------------------------------

if [ "$(id -u)" != 0 ]; then
    fail "the pages' commands need a root of their own, and so the rights of root"
fi
/usr/bin/python3 Tests/Deploy/package.py "$binary" "$folder/waymark.deb"
mode=over
# Without a layer, and in the full form, a minimal Debian, which is made outside of the namespace without a network.
if ! $quick || [ -e /etc/waymark ] || ! unshare --mount bash Tests/Deploy/installed.bash try "$folder"; then
    mode=bare
    bash Tests/Deploy/installed.bash make "$folder"
fi
unshare --mount --net bash Tests/Deploy/installed.bash "$mode" "$folder"
