# The tarball: unpacked, its program run, its pages, completions and units read.
# shellcheck shell=bash disable=SC2154 # release.bash declares what is used here

mkdir -p "$bare/usr/local"
tar -C "$bare/usr/local" --strip-components=1 -xzf "$tarball"
expect "the version of the tarball's program" "$version" "$(within waymark --version)"
answer=$(within waymark resolve navigation://loremipsum.com/onboarding --catalog /usr/local/etc/waymark/routes.yaml --format json) ||
    fail "the tarball's program does not resolve"
[[ $answer == *'"route":"onboarding"'* ]] || fail "the tarball's program answers $answer"
listing=$(tar -tvzf "$tarball")
grep -qvE '^[-dl][rwx-]{9} root/root ' <<<"$listing" && fail "not all files are root's: $listing"
size=$(stat -c %s "$bare/usr/local/bin/waymark")
# ICU's data would be 34 MB more: decision record 45.
((size < 60000000)) || fail "the program has $size bytes"
file_kinds=$(readelf -S "$bare/usr/local/bin/waymark")
grep -qE '\.symtab|\.debug_' <<<"$file_kinds" && fail "the program is not stripped"
linking=$(readelf -lWd "$bare/usr/local/bin/waymark")
for word in 'Flags: NOW PIE' GNU_RELRO; do grep -qF "$word" <<<"$linking" || fail "the program is linked without $word"; done
if ! $quick; then
    ! strings -n 8 "$bare/usr/local/bin/waymark" | grep -F -e "$work" -e "$root" || fail "the program has paths of this machine"
fi
proved "the tarball's program runs, $((size / 1000000)) MB"

for page in "$bare"/usr/local/share/man/man1/*.1; do
    said=$(LC_ALL=C.UTF-8 MANROFFSEQ='' within man --warnings -E UTF-8 -l -Tutf8 -Z "/usr/local/share/man/man1/$(basename "$page")" 2>&1 >/dev/null)
    [[ -z $said ]] || fail "$(basename "$page"): $said"
done
text=$(within man -P cat waymark-token-create)
for word in waymark-token-create --role 'resolver, monitor'; do [[ $text == *"$word"* ]] || fail "its page does not have \`$word\`"; done
expect "the commands with a page" "$(within waymark --experimental-dump-help | grep -c '"commandName"')" \
    "$(($(find "$bare/usr/local/share/man/man1" -name '*.1' | wc -l) + 1))" # `help` has none
proved "$(find "$bare/usr/local/share/man/man1" -name '*.1' | wc -l) pages of the manual, without a warning"

# Completes a line as bash does. Usage: completed WORD…
completed() {
    # shellcheck disable=SC2016 # the shell within expands it
    within bash -c '. /usr/share/bash-completion/bash_completion; . /usr/local/share/bash-completion/completions/waymark
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_TYPE=9
        "$(complete -p waymark | sed -E "s/.*-F ([^ ]+).*/\1/")" waymark "${!#}" "${@: -2:1}"; echo "${COMPREPLY[*]}"' - "$@"
}
[[ $(completed waymark tok) == *token* ]] || fail "bash does not complete \`waymark tok\`: $(completed waymark tok)"
[[ $(completed waymark token create --role ad) == *admin* ]] || fail "bash does not complete a role"
if ! $quick; then
    scripts/setup zsh fish
    quietly zsh -n "$bare/usr/local/share/zsh/site-functions/_waymark"
    said=$(cp "$bare/usr/local/share/fish/vendor_completions.d/waymark.fish" "$work/waymark.fish" &&
        PATH="$bare/usr/local/bin:$PATH" fish -c "source $work/waymark.fish; complete -C 'waymark tok'")
    [[ $said == *token* ]] || fail "fish does not complete \`waymark tok\`: $said"
fi
proved "shells complete commands and values"

for file in LICENSE NOTICE README.md CHANGELOG.md "waymark-$version.spdx.json" examples/link-domain.yaml examples/deploy/nginx.conf; do
    [[ -s $bare/usr/local/share/doc/waymark/$file ]] || fail "the tarball has no $file"
done
within sh -c 'for file in /usr/local/share/doc/waymark/examples/*.yaml; do
    case $file in */service.yaml) continue ;; esac
    waymark catalog check "$file" || exit 1
done' >"$work/log" 2>&1 || { cat "$work/log" >&2 && fail "an example is no sound catalog"; }
proved "licences, notices and examples are in it; the program finds its example catalogs sound"
# All of it goes again, so that the package brings its own.
tar -tzf "$tarball" | sed 's|^[^/]*/||' | while read -r path; do
    [[ -z $path || -d $bare/usr/local/$path ]] || rm "$bare/usr/local/$path"
done
