#!/bin/sh
# Before the files go: the service stops. An upgrade leaves it running until the new files are in place.
set -e

if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    deb-systemd-invoke stop waymark.service waymark.socket waymark-backup.timer 'waymark@*.service' 'waymark@*.socket' >/dev/null || true
fi
