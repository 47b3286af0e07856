#!/usr/bin/env bash
# An installation of a project goes to Doppel's folders alone, which a user may have made.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/new_project.sh"
# an installation of its own, into which it may install
cp -r "$made" "$work/its root"
installed="$work/its root"${installed#"$made"}
doppel_installed="$work/its root"${doppel_installed#"$made"}
project "$installed" "$doppel_installed" driver rover
project "$installed" "$doppel_installed" device-class dimmer
project "$installed" "$doppel_installed" bench parcours
for name in rover dimmer parcours; do
    meson install -C "$work/projects/$name/build" --no-rebuild >"$work/$name.log" 2>&1 || fail "$name: meson install"
    sed -n 's/^Installing .* to //p' "$work/$name.log" | while read -r folder; do
        [[ $folder = "$work/its root/"* ]] || fail "$name: installs into $folder"
    done || exit 1
done
[ -n "$(find "$work/its root" -path '*/include/dimmer.h')" ] || fail "dimmer: its header is not installed"
"$doppel_installed" info dimmer/mock >"$work/info.log" 2>&1 || fail "a driver that is installed"
