# Debian's package: installed, run, upgraded over a lower version, removed, purged.
# shellcheck shell=bash disable=SC2154,SC2034 # release.bash declares what is used here

# A package of a lower version, with another default in a settings file, and without the one for all settings, as 1.0.0 had it.
dpkg-deb -R "$package" "$work/lower"
rm "$work/lower/etc/waymark/service.yaml"
sed -i '\|/etc/waymark/service.yaml|d' "$work/lower/DEBIAN/conffiles"
sed -i 's/^Version: .*/Version: 0.9.0/' "$work/lower/DEBIAN/control"
echo '# The last version had this line.' >>"$work/lower/etc/waymark/routes.yaml"
quietly dpkg-deb --root-owner-group -b "$work/lower" "$bare/lower.deb"
cp "$package" "$bare/package.deb"
full=$(dpkg-deb -f "$package" Version)
dpkg --compare-versions 0.9.0 lt "$full" || fail "$full does not come after 0.9.0"
for name in postinst prerm postrm; do quietly sh -n "scripts/packaging/debian/$name.sh"; done
if ! $quick; then
    scripts/setup lintian
    # No address is public; those who publish the package name theirs (`--maintainer`).
    quietly lintian --fail-on error,warning --tag-display-limit 0 --allow-root \
        --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$package"
    [[ ! -s $work/log ]] || fail "lintian says $(cat "$work/log")"
    proved "$(lintian --version | head -n 1) has no error and no warning about it"
fi

# Runs dpkg; a question would be an error. Usage: dpkg_run OPTION…
dpkg_run() {
    within env DEBIAN_FRONTEND=noninteractive dpkg --force-confdef "$@" >"$work/dpkg.log" 2>&1 </dev/null ||
        { cat "$work/dpkg.log" >&2 && fail "dpkg $*"; }
}
state() { within dpkg-query -W -f='${db:Status-Status}' waymark 2>/dev/null || echo none; }

dpkg_run --install /lower.deb
grep -q 'waymark token create' "$work/dpkg.log" || fail "the installation does not say how to go on"
expect "the owner of the database's folder" "waymark:waymark 750" "$(within stat -c '%U:%G %a' /var/lib/waymark)"
expect "the mode of the secret settings" "root:root 600" "$(within stat -c '%U:%G %a' /etc/waymark/environment)"
expect "the user's shell" /usr/sbin/nologin "$(within getent passwd waymark | cut -d : -f 7)"
expect "the program that the unit starts" /usr/bin/waymark \
    "$(sed -nE 's/^ExecStart=([^ ]+).*/\1/p' "$bare/lib/systemd/system/waymark.service")"
within test -x /usr/bin/waymark || fail "the unit starts a program that is not there"
# The links lead to places within, so what they lead to says nothing here.
links() { find "$bare/etc/systemd/system" -path '*.wants/waymark*' -type l -printf '%P ' | xargs -n 1 | sort | xargs; }
expect "the list of enabled units after the installation" "" "$(links)"

# As the user of the unit. Usage: as_service WORD…
as_service() {
    within setpriv --reuid waymark --regid waymark --clear-groups env -i PATH=/usr/bin:/bin HOME=/var/lib/waymark "$@"
}
# Settings of an administrator's own, as the pages of 1.0.0 had them written.
cp Config/deploy/service.yaml "$bare/etc/waymark/service.yaml"
echo '# Of the administrator, before there was a file to install.' >>"$bare/etc/waymark/service.yaml"
# The command that the installation names.
quietly as_service waymark token create --role admin --create --output /var/lib/waymark/first-token
quietly as_service waymark user set ada premiumUser
token=$(cat "$bare/var/lib/waymark/first-token")
# As `systemctl enable` does it, which is not there.
for unit in multi-user.target.wants/waymark.service sockets.target.wants/waymark.socket; do
    mkdir -p "$bare/etc/systemd/system/${unit%/*}"
    ln -s "/lib/systemd/system/${unit#*/}" "$bare/etc/systemd/system/$unit"
done
enabled="multi-user.target.wants/waymark.service sockets.target.wants/waymark.socket"
expect "the list of enabled units" "$enabled" "$(links)"

# Starts it, has it answer of a user, and stops it.
serves() {
    local port answer
    port=$(Tests/Processes/ports.py)
    as_service waymark serve --port "$port" --drain-seconds 0 >"$work/server.log" 2>&1 &
    server=$!
    answers "$port"
    answer=$(curl -s -H "Authorization: Bearer $token" "http://127.0.0.1:$port/v1/users/ada")
    [[ $answer == *premiumUser* ]] || fail "it answers $answer"
    expect "the status without a token" 401 "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/v1/users/ada")"
    stop
}
serves
proved "the package of a lower version is installed, makes a token as it says, and serves as its own user"

echo '# A line of the administrator.' >>"$bare/etc/waymark/environment"
dpkg_run --install /package.deb
expect "the version after the upgrade" "$full" "$(within dpkg-query -W -f='${Version}' waymark)"
grep -q 'of the administrator' "$bare/etc/waymark/environment" || fail "the upgrade replaced a changed setting"
grep -q 'last version' "$bare/etc/waymark/routes.yaml" && fail "the upgrade left an unchanged setting as it was"
expect "the list of enabled units after the upgrade" "$enabled" "$(links)"
grep -q 'before there was a file' "$bare/etc/waymark/service.yaml" || fail "the upgrade replaced the administrator's settings"
grep -q 'token create' "$work/dpkg.log" && fail "an upgrade speaks as the first installation"
quietly within dpkg --verify waymark
serves
proved "upgraded: a changed setting stays, an unchanged one is the new one, users and the unit's state are kept"

dpkg_run --remove waymark
expect "the state after the removal" config-files "$(state)"
[[ ! -e $bare/usr/bin/waymark && ! -e $bare/lib/systemd/system/waymark.service ]] || fail "the removal left files"
[[ -f $bare/etc/waymark/environment && -f $bare/var/lib/waymark/waymark.sqlite ]] || fail "the removal took settings or data"
dpkg_run --install /package.deb
grep -q 'of the administrator' "$bare/etc/waymark/environment" || fail "the settings are lost over removal and installation"
serves
dpkg_run --purge waymark
expect "the state after the purge" none "$(state | sed 's/^not-installed$/none/')"
left=$(cd "$bare" && find etc usr lib var/lib/systemd -path usr/local -prune -o -path '*waymark*' -print | sort)
[[ -z $left ]] || fail "the purge left $left"
[[ -f $bare/var/lib/waymark/waymark.sqlite ]] || fail "the purge took the database"
grep -q 'holds a database, and stays' "$work/dpkg.log" || fail "the purge does not say that the database stays"
proved "removed: settings and users stay; purged: all but the database is gone"
rm "$bare/lower.deb" "$bare/package.deb"
