#!/bin/sh
# After the files went. A purge takes the settings; the database stays, since nothing could bring it back.
set -e

if [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
fi
case "$1" in
    remove)
        if command -v deb-systemd-helper >/dev/null; then
            deb-systemd-helper mask waymark.service waymark.socket waymark-backup.timer >/dev/null || true
        fi
        ;;
    purge)
        if command -v deb-systemd-helper >/dev/null; then
            deb-systemd-helper purge waymark.service waymark.socket waymark-backup.timer >/dev/null || true
            deb-systemd-helper unmask waymark.service waymark.socket waymark-backup.timer >/dev/null || true
        fi
        if [ -d /etc/waymark ]; then
            rmdir --ignore-fail-on-non-empty /etc/waymark
            if [ -d /etc/waymark ]; then
                echo "waymark: /etc/waymark holds files that you made, perhaps with secrets, and stays; look through it"
            fi
        fi
        if [ -d /var/lib/waymark ]; then
            rmdir --ignore-fail-on-non-empty /var/lib/waymark
            if [ -d /var/lib/waymark ]; then
                echo "waymark: /var/lib/waymark holds a database, and stays; remove it by hand"
            fi
        fi
        ;;
esac
