#!/usr/bin/env bash
# What `meson install` puts down: everything that belongs there, with the right symbols, and nothing that knows the build or the sources.
source "$(dirname "$0")/../lib.sh"
files_only=yes
source "$source_dir/tests/integration/installed.sh"
named=$(grep -rlF -e "$build" -e "$source_dir" "$prefix")
[ -z "$named" ] || fail "these name the build or the sources: $named"
"$source_dir/tools/check-symbols" "$prefix/include" "$libdir" >"$work/symbols.log" || fail "symbols"
"$source_dir/tools/check-headers" "$prefix/include" >"$work/headers.log" 2>&1 || fail "headers"
for plugin in "$libdir"/doppel/plugins/*.so; do
    [ "$(nm -D --defined-only "$plugin" | awk '{ print $3 }')" = dpl_plugin ] || fail "$plugin exports more than dpl_plugin"
done
for module in pictures eigenvalues zeromq; do
    [ "$(nm -D --defined-only "$libdir/doppel/modules/$module.so" | awk '{ print $3 }')" = dpl_module ] || fail "module $module"
done
for file in "$build"/plugins/*.so; do
    [ -f "$libdir/doppel/plugins/${file##*/}" ] || fail "not installed: ${file##*/}"
done
(cd "$source_dir/profiles" && find . -type f ! -name meson.build ! -name README.md) | while read -r file; do
    cmp -s "$source_dir/profiles/$file" "$share/profiles/$file" || fail "profile $file"
done || exit 1
for file in profiles/schema/world.xsd proto/wheel_controller.proto profiles/types/Geometry.xml profiles/services/WheelControllerService.xml clients/doppel_hil.py; do
    [ -s "$share/$file" ] || fail "not installed: $file"
done
[ -s "$prefix/share/doc/doppel/guides/own-parts.md" ] && [ ! -e "$prefix/share/doc/doppel/start/tutorial/lap.c" ] || fail "the documents are not installed"
