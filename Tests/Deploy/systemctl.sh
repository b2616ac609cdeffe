#!/bin/sh
# Stands in for systemctl(1) in a root without systemd: starts and stops services as their units say, by user, folder, variables and
# state folders. Sandboxing, sockets and timers are systemd's own. Processes and logs are in /run/stand-in.
set -eu
run=/run/stand-in
mkdir -p "$run"

file() {
    for folder in /etc/systemd/system /lib/systemd/system; do
        # Its own file, or the template of its instance.
        for name in "$1" "${1%%@*}@.${1##*.}"; do
            [ ! -f "$folder/$name" ] || { echo "$folder/$name" && return; }
        done
    done
    echo "Unit $1 not found." >&2
    exit 5
}
# Prints the values of a key. Usage: values UNIT KEY
values() {
    instance=${1#*@}
    sed -n "s/^$2=//p" "$(file "$1")" | sed "s/%i/${instance%.*}/g"
}
running() { [ -s "$run/$1.pid" ] && kill -0 "$(cat "$run/$1.pid")" 2>/dev/null; }

start() {
    case $1 in *.socket | *.timer) file "$1" >/dev/null && return ;; esac
    ! running "$1" || return 0
    user=$(values "$1" User)
    for name in $(values "$1" StateDirectory); do
        install -d -m "$(values "$1" StateDirectoryMode)" -o "$user" -g "$user" "/var/lib/$name"
    done
    for environment in $(values "$1" EnvironmentFile | sed 's/^-//'); do
        [ ! -f "$environment" ] || sed -n '/^[A-Z_]*=/p' "$environment"
    done >"$run/$1.environment"
    values "$1" Environment >>"$run/$1.environment"
    (
        umask "$(values "$1" UMask)"
        cd "$(values "$1" WorkingDirectory)"
        set -- "$1" $(values "$1" ExecStart)
        unit=$1
        shift
        # No variable has spaces here.
        exec setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs \
            env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/var/lib/waymark USER="$user" \
            LANG=C.UTF-8 $(cat "$run/$unit.environment") "$@"
    ) >>"$run/$1.log" 2>&1 </dev/null &
    echo $! >"$run/$1.pid"
    if [ "$(values "$1" Type)" = oneshot ]; then
        wait $! || { echo "Job for $1 failed: $(tail -n 3 "$run/$1.log")" >&2 && exit 1; }
    fi
}
stop() {
    case $1 in *.socket | *.timer) return ;; esac
    running "$1" || return 0
    process=$(cat "$run/$1.pid")
    kill -TERM "$process"
    while kill -0 "$process" 2>/dev/null; do sleep 0.05; done
    rm "$run/$1.pid"
}

verb=$1 now=false signal=TERM
shift
units=
for word in "$@"; do
    case $word in
        --now) now=true ;;
        --signal=*) signal=${word#--signal=} ;;
        *.*) units="$units $word" ;;
        *) units="$units $word.service" ;;
    esac
done
for unit in $units; do
    case $verb in
        enable)
            for target in $(values "$unit" WantedBy); do
                mkdir -p "/etc/systemd/system/$target.wants"
                ln -sf "$(file "$unit")" "/etc/systemd/system/$target.wants/$unit"
            done
            ! $now || start "$unit"
            ;;
        start) start "$unit" ;;
        stop) stop "$unit" ;;
        restart) stop "$unit" && start "$unit" ;;
        reload) kill -HUP "$(cat "$run/$unit.pid")" ;;
        kill) kill -s "$signal" "$(cat "$run/$unit.pid")" ;;
        *) echo "the stand-in does not know $verb" >&2 && exit 64 ;;
    esac
done
