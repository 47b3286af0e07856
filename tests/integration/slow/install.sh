#!/usr/bin/env bash
# What `meson install` puts down works anywhere, also below a folder with a space in its name, for any user, and without the build folder.
source "$(dirname "$0")/../lib.sh"
for tool in pkg-config unshare setpriv; do
    command -v $tool >/dev/null || skip "no $tool"
done
unset DOPPEL_PROFILE_PATH LD_LIBRARY_PATH
chmod 755 "$work" # for another user
meson install -C "$build" --no-rebuild --destdir "$work/a robot's place" >"$work/install.log" 2>&1 || fail "meson install"
# the prefix itself is moved, too: nothing may know it
prefix="$work/any where"
bin=$(find "$work/a robot's place" -name doppel -path '*/bin/*')
mv "${bin%/bin/doppel}" "$prefix"
libdir=$(dirname "$(find "$prefix" -name libdoppel.so)")
share=$prefix/share/doppel

# ---- the files ----
named=$(grep -rlF -e "$build" -e "$source_dir" "$prefix")
[ -z "$named" ] || fail "these name the build or the sources: $named"
"$source_dir/tools/check-symbols" "$prefix/include" "$libdir" >"$work/symbols.log" || fail "symbols"
"$source_dir/tools/check-headers" "$prefix/include" >"$work/headers.log" 2>&1 || fail "headers"
for plugin in "$libdir"/doppel/plugins/*.so; do
    [ "$(nm -D --defined-only "$plugin" | awk '{ print $3 }')" = dpl_plugin ] || fail "$plugin exports more than dpl_plugin"
done
for file in "$build"/plugins/*.so; do
    [ -f "$libdir/doppel/plugins/${file##*/}" ] || fail "not installed: ${file##*/}"
done
(cd "$source_dir/profiles" && find . -type f ! -name meson.build) | while read -r file; do
    cmp -s "$source_dir/profiles/$file" "$share/profiles/$file" || fail "profile $file"
done || exit 1
for file in profiles/schema/world.xsd proto/wheel_controller.proto profiles/types/Geometry.xml profiles/services/WheelControllerService.xml clients/doppel_hil.py; do
    [ -s "$share/$file" ] || fail "not installed: $file"
done

# ---- the program, as a user who may write nothing there and sees neither the build nor the sources ----
apart=(unshare --mount --map-root-user)
as_nobody=()
if [ "$(id -u)" -eq 0 ]; then
    apart=(unshare --mount)
    as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
"${apart[@]}" true 2>/dev/null || skip "no mount namespaces"
home=$work/home
mkdir "$home" && chmod 1777 "$home"
chmod -R a-w,a+rX "$prefix"
# installed COMMAND...: with an empty folder in place of build and sources
installed() {
    "${apart[@]}" bash -c 'mount -t tmpfs none "$1" && { [ ! -e "$2" ] || mount -t tmpfs none "$2"; } && cd "$3" && shift 3 && exec "$@"' - \
        "$source_dir" "$build" "$home" "${as_nobody[@]}" env -i PATH="$prefix/bin:/usr/bin:/bin" HOME="$home" \
        PKG_CONFIG_PATH="$libdir/pkgconfig" LC_ALL=C.UTF-8 "$@"
}
installed test ! -e "$source_dir/README.md" || fail "the sources are still seen"
installed doppel list >"$work/list.log" 2>&1 || fail "list"
for word in RobotControl wheel_controller/hil patrol office kobuki_urg elevator WheelControllerService; do
    grep -q "^$word " "$work/list.log" || fail "list does not have $word"
done
[ "$(installed doppel list drivers | wc -l)" -eq "$(find "$build/plugins" -name 'driver-*.so' | wc -l)" ] || fail "drivers"
installed doppel run patrol --bind sim --clock sim --duration 20 --quiet --out results >"$work/run.log" 2>&1 || fail "run"
number "$(json "$home/results/summary.json" duration_s) >= 20" || fail "no summary of 20 s"
installed doppel check --strict patrol office kobuki_urg >"$work/check.log" 2>&1 || fail "check"
installed doppel sim delta_cell --duration 1 --rate 0 >"$work/sim.log" 2>&1 || fail "sim"
for command in $(installed doppel --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    command -v scdoc >/dev/null || break
    [ -s "$prefix/share/man/man1/doppel-$command.1" ] || fail "no manual page of $command"
done

# ---- completion, live ----
# completed WORD...: what a shell offers for the last word
completed() {
    installed bash --norc -c '. "$0"; compopt() { :; }; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _doppel; echo "${COMPREPLY[*]}"' \
        "$prefix/share/bash-completion/completions/doppel" "$@"
}
[ "$(completed doppel run patr)" = patrol ] || fail "completion of applications: $(completed doppel run patr)"
[ "$(completed doppel run patrol --bind twin_o)" = twin_odometry ] || fail "completion of bindings"
[ "$(completed doppel run patrol --set RobotControl.SafeR)" = RobotControl.SafeRadius= ] || fail "completion of properties"
[ "$(completed doppel info VelocityS)" = VelocityScript ] || fail "completion of classes"
[ "$(completed doppel info sensor/las)" = sensor/laser ] || fail "completion of what worlds are made of"
[ "$(completed doppel info delta_cel)" = delta_cell ] || fail "completion of worlds for info"

# ---- a component and a program outside of the tree: pkg-config is enough ----
own="$home/my robot"
mkdir "$own" && chmod 777 "$own"
cp "$source_dir"/docs/tutorial/lap* "$source_dir"/docs/tutorial/profiles/*.xml "$source_dir/tests/integration/install/world_time.cpp" "$own"
# shellcheck disable=SC2016
installed sh -ec 'cd "my robot"
    eval "cc -std=c17 -Wall -Wextra -Werror -shared -fPIC lap_timer.c lap.c -o component-lap_timer.so $(pkg-config --cflags --libs doppel)"
    eval "c++ -std=c++17 -Wall -Wextra -Wno-missing-field-initializers -Werror world_time.cpp -o world_time $(pkg-config --cflags --libs doppel-avatar)"
    eval "cc -std=c17 -shared -fPIC lap_timer.c lap.c -o component-lap_timer.so $(pkg-config --cflags --libs doppel)"
' >"$work/own.log" 2>&1 || fail "building outside of the tree"
installed env DOPPEL_PLUGIN_PATH="$own" doppel run "$own/laps.xml" --set WheelController.ApiName=mock --clock sim --duration 60 --quiet --out laps >"$work/laps.log" 2>&1 ||
    fail "a component outside of the tree"
grep -q "LapTimer: lap 1" "$work/laps.log" || fail "no lap"
[ "$(installed env LD_LIBRARY_PATH="$libdir" "$own/world_time" office)" = 1.000 ] || fail "a program outside of the tree"
for variable in plugindir profiledir schemadir protodir; do
    folder=$(installed pkg-config --variable=$variable doppel | sed 's/\\//g')
    [ -d "$folder" ] || fail "pkg-config: $variable is $folder"
done
generate=$(installed pkg-config --variable=generate_types doppel | sed 's/\\//g')
printf 'syntax = "proto3";\npackage doppel;\n// A thing.\nmessage Thing {\n  double x = 1;  // [m]\n}\n' >"$own/thing.proto"
installed python3 "$generate" --proto_path="$own" --headers="$own" "$own/thing.proto" >"$work/types.log" 2>&1 || fail "types of one's own"
[ -s "$own/thing.h" ] || fail "no header of a type of one's own"

# ---- the page of a first driver, word by word ----
command -v meson >/dev/null || skip "no meson"
mkdir "$home/first" && chmod 777 "$home/first"
cp "$source_dir/docs/first-driver.md" "$source_dir/tests/integration/console_blocks.py" "$home"
installed env -C "$home/first" python3 "$home/console_blocks.py" . "$home/first-driver.md" >"$work/first.log" 2>&1 || fail "docs/first-driver.md"
! grep -q "to catch up" "$home/first/rover/build/meson-logs/testlog.txt" || fail "docs/first-driver.md: the avatar is slower than the Synchronizer needs"

# ---- a user who may not write to the sources builds from them; here: what the build generates from them, by each generator ----
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
    from_sources ninja -C "a build" runtime/include/doppel/msg/geometry.h runtime/host/libdoppel.map avatar_sim/link/link.pb-c.h \
        tools/new/new_templates.c packaging/geometry.proto >"$work/generated.log" 2>&1 || fail "what is generated from read-only sources"
fi

# ---- a broken installation is an error ----
chmod u+w "$libdir/doppel" "$share"
mv "$libdir/doppel/plugins" "$libdir/doppel/gone"
installed doppel list >"$work/broken.log" 2>&1
[ $? -eq 1 ] && grep -q "no plugins in $libdir/doppel/plugins" "$work/broken.log" || fail "list without plugins"
mv "$libdir/doppel/gone" "$libdir/doppel/plugins"
mv "$share/profiles" "$share/gone"
installed doppel list classes >"$work/broken.log" 2>&1
[ $? -eq 1 ] && grep -q "no profiles in .*/share/doppel/profiles" "$work/broken.log" || fail "list without profiles"
mv "$share/gone" "$share/profiles"
echo "installed and used below '$prefix'"
