#!/usr/bin/env bash
# A user who may not write to the sources builds from them; here: what the build generates from them, by each generator.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/installed.sh"
# from_sources COMMAND...: the sources are mounted read-only in its home
from_sources() {
    "${apart[@]}" bash -c 'mount --bind "$1" "$2" && mount -o remount,bind,ro "$2" && cd "$3" && shift 3 && exec "$@"' - \
        "$source_dir" "$home/the sources" "$home" "${as_nobody[@]}" env -i PATH=/usr/bin:/bin HOME="$home" LC_ALL=C.UTF-8 "$@"
}
mkdir "$home/the sources"
if [ ${#as_nobody[@]} -eq 0 ]; then
    echo "not tried, because it needs root: a build by another user from read-only sources"
elif ! from_sources test -r "the sources/meson.build"; then
    echo "not tried, because others may not read the sources: a build by another user"
else
    from_sources touch "the sources/new" 2>/dev/null && fail "the sources can be written"
    from_sources meson setup -Dtests=false --prefix="$home/my robots" "a build" "the sources" >"$work/setup.log" 2>&1 || fail "meson setup of read-only sources"
    from_sources ninja -C "a build" runtime/include/doppel/msg/geometry.h runtime/host/libdoppel.map avatar_sim/gates/link/wire/link.pb-c.h \
        tools/new/new_templates.c packaging/geometry.proto >"$work/generated.log" 2>&1 || fail "what is generated from read-only sources"
fi
