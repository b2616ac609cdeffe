#!/usr/bin/env bash
# PostgreSQL as db.example: with TLS, an authority of its own and a password. Usage: postgres.bash start|stop FOLDER
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
. Tests/Processes/postgres.bash

folder=$2
if [ "$1" = stop ]; then
    postgres_stop "$folder/tls-postgres"
    exit
fi
for name in ca server; do
    openssl ecparam -name prime256v1 -genkey -noout -out "$folder/$name.key" 2>/dev/null
done
openssl req -x509 -new -key "$folder/ca.key" -days 2 -subj /CN=authority -out "$folder/ca.pem"
openssl req -new -key "$folder/server.key" -subj /CN=db.example |
    openssl x509 -req -CA "$folder/ca.pem" -CAkey "$folder/ca.key" -CAcreateserial -days 2 \
        -extfile <(echo subjectAltName=DNS:db.example) -out "$folder/server.pem" 2>/dev/null
mkdir "$folder/tls-postgres"
mv "$folder"/server.{key,pem} "$folder/tls-postgres"
chmod 0600 "$folder/tls-postgres/server.key"
[ "$(id -u)" != 0 ] || chown nobody:nogroup "$folder/tls-postgres"/server.*
postgres_start "$folder/tls-postgres" listen_addresses=127.0.0.1 ssl=on "ssl_cert_file=$folder/tls-postgres/server.pem" \
    "ssl_key_file=$folder/tls-postgres/server.key" >/dev/null
"$(postgres_programs)/psql" -h "$folder/tls-postgres" -U waymark -d waymark -q -c "ALTER ROLE waymark PASSWORD 'correct horse'"
echo 'hostssl all all 127.0.0.1/32 scram-sha-256' >"$folder/tls-postgres/data/pg_hba.conf"
postgres_user "$(postgres_programs)/pg_ctl" -D "$folder/tls-postgres/data" -s reload
