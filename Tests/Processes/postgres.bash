# A PostgreSQL server for tests: in a folder of its own, by an ordinary user, on a socket in that folder.
# Used by scripts that source it; Debian's package `postgresql` brings the programs.

# Finds the folder of the newest programs, which Debian keeps off PATH.
postgres_programs() {
    local folder
    folder=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
    [ -n "$folder" ] || folder=$(dirname "$(command -v initdb)")
    echo "$folder"
}

# Runs a command as whoever may start a server: root may not (initdb(1)).
postgres_user() {
    if [ "$(id -u)" = 0 ]; then setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; else "$@"; fi
}

# Starts a server in an empty folder, and prints the URI of a database on it. Usage: postgres_start FOLDER [setting=value …]
postgres_start() {
    local folder=$1 bin options="" setting
    bin=$(postgres_programs)
    shift
    for setting in "listen_addresses=" "unix_socket_directories=$folder" "max_connections=1000" "$@"; do
        options+=" -c $setting"
    done
    [ "$(id -u)" != 0 ] || chown nobody:nogroup "$folder"
    postgres_user "$bin/initdb" -D "$folder/data" -U waymark -A trust -E UTF8 --no-locale >"$folder/initdb.log" || {
        cat "$folder/initdb.log" >&2
        return 69
    }
    postgres_user "$bin/pg_ctl" -D "$folder/data" -w -s -l "$folder/log" -o "$options" start >&2 || {
        cat "$folder/log" >&2
        return 69
    }
    "$bin/createdb" -h "$folder" -U waymark waymark >&2
    echo "postgres://waymark@/waymark?host=$folder"
}

# Stops the server in a folder, if one runs.
postgres_stop() {
    postgres_user "$(postgres_programs)/pg_ctl" -D "$1/data" -s -m fast stop 2>/dev/null || true
}
