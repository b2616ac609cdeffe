#!/usr/bin/env bash
# Makes the engine from a copy of its sources in another folder, and compares the bytes of the forms that there are.
# usage: again.bash ENGINE FOLDER [forms]
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

engine=$1 copy=$2
mkdir -p "$copy/Sources" "$copy/scripts"
cp -R Sources/Engine "$copy/Sources/"
cp -R scripts/package scripts/packaging "$copy/scripts/"
# Without root's rights, without git, and where no file but the copy can be written.
user=()
if [ "$(id -u)" = 0 ]; then
    chmod a+x "$(dirname "$copy")"
    chown -R 65534:65534 "$copy"
    user=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all)
fi
"${user[@]}" env HOME="$copy" TMPDIR="$copy" "$copy/scripts/package" engine "$copy/made" "${@:3}"
for file in "$copy/made"/*; do
    cmp "$file" "$engine/$(basename "$file")" || { echo "engine: $(basename "$file") has other bytes from another folder" >&2 && exit 1; }
done
echo "engine: $(find "$copy/made" -type f | wc -l) files have the same bytes, made by $([ "$(id -u)" = 0 ] && echo nobody || id -un)"
