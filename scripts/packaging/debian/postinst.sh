#!/bin/sh
# After the files are in place: the user, the folder of the database, and a restart of what ran before.
set -e

if [ "$1" = configure ] || [ "$1" = abort-upgrade ] || [ "$1" = abort-deconfigure ] || [ "$1" = abort-remove ]; then
    if ! getent passwd waymark >/dev/null; then
        adduser --system --group --quiet --home /var/lib/waymark --no-create-home --gecos "Waymark" waymark
    fi
    if [ ! -d /var/lib/waymark ]; then
        install -d -m 0750 -o waymark -g waymark /var/lib/waymark
    fi
    # Nothing is enabled: a service without a token would be open to every process of the machine. `was-enabled` says yes where
    # nothing was installed before; after an upgrade or a removal it says what the administrator chose.
    for unit in waymark.socket waymark.service waymark-backup.timer; do
        if deb-systemd-helper debian-installed "$unit"; then
            deb-systemd-helper unmask "$unit" >/dev/null || true
            if deb-systemd-helper --quiet was-enabled "$unit"; then
                deb-systemd-helper enable "$unit" >/dev/null || true
            fi
        fi
        deb-systemd-helper update-state "$unit" >/dev/null || true
    done
    if [ -d /run/systemd/system ]; then
        systemctl --system daemon-reload >/dev/null || true
        # The socket stays open over it, so nobody is refused.
        [ -z "$2" ] || deb-systemd-invoke try-restart waymark.service 'waymark@*.service' >/dev/null || true
    fi
    if grep -qsE '^ *WAYMARK_(CATALOG|DATABASE|CONFIG|AUDIT_PATH)=' /etc/waymark/environment; then
        echo "waymark: move the catalog, the database and other settings from /etc/waymark/environment to /etc/waymark/service.yaml:" \
            "commands do not read the former"
    fi
    if [ -z "$2" ]; then
        cat <<'TEXT'
waymark is installed, and not started. Make the first token, then start it:
  runuser -u waymark -- waymark token create --role admin --create --output /var/lib/waymark/first-token
  systemctl enable --now waymark.socket waymark.service
  cat /var/lib/waymark/first-token     # keep it now
  rm /var/lib/waymark/first-token
TEXT
    fi
fi
