#!/usr/bin/env bash
# A broken installation is an error that says what is missing.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/installed.sh"
chmod u+w "$libdir/doppel" "$share"
mv "$libdir/doppel/plugins" "$libdir/doppel/gone"
installed doppel list >"$work/broken.log" 2>&1
[ $? -eq 1 ] && grep -q "no plugins in $libdir/doppel/plugins" "$work/broken.log" || fail "list without plugins"
mv "$libdir/doppel/gone" "$libdir/doppel/plugins"
mv "$share/profiles" "$share/gone"
installed doppel list classes >"$work/broken.log" 2>&1
[ $? -eq 1 ] && grep -q "no profiles in .*/share/doppel/profiles" "$work/broken.log" || fail "list without profiles"
mv "$share/gone" "$share/profiles"
