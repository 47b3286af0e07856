#!/usr/bin/env bash
# doppel new: every kind of project is written outside of the tree, builds without a warning, passes its tests and runs, against an
# installed Doppel in a folder with a space in its name, and against the folder of the build.
source "$(dirname "$0")/../lib.sh"
unset DOPPEL_PROFILE_PATH DOPPEL_PLUGIN_PATH LD_LIBRARY_PATH # meson names libraries of the build there
command -v meson >/dev/null || skip "no meson"
meson install -C "$build" --no-rebuild --quiet --destdir "$work/its root" >"$work/install.log" 2>&1 || fail "meson install"
pc=$(find "$work/its root" -name doppel.pc)
[ -n "$pc" ] || fail "no doppel.pc"
installed=$(dirname "$pc")
doppel_installed=$(PKG_CONFIG_PATH=$installed pkg-config --variable=doppel doppel)
doppel_installed=${doppel_installed//\\ / } # pkg-config writes a space as "\ "
[ -x "$doppel_installed" ] || fail "doppel.pc names no program: $doppel_installed"

# project FOLDER_OF_PC DOPPEL KIND NAME [--class C]: generated, built with warnings as errors, tested
project() {
    local pc=$1 program=$2 kind=$3 name=$4
    shift 4
    local folder="$work/projects/$name"
    mkdir -p "$work/projects"
    (cd "$work/projects" && "$program" new "$kind" "$name" "$@") >"$work/$name.log" 2>&1 || fail "doppel new $kind $name"
    ! grep -rqi 'template_\(name\|class\)\|TemplateName' "$folder" || fail "$name: a word of the template is left"
    PKG_CONFIG_PATH=$pc meson setup --werror "$folder/build" "$folder" >"$work/$name.log" 2>&1 || fail "$name: meson setup"
    meson test -C "$folder/build" --print-errorlogs >"$work/$name.log" 2>&1 || fail "$name: its tests"
    ! grep -q "to catch up" "$folder/build/meson-logs/testlog.txt" || fail "$name: the avatar is slower than the Synchronizer needs"
    echo "$kind $name $*: $(sed -n 's/^Ok: *//p' "$work/$name.log") tests passed"
}

project "$installed" "$doppel_installed" driver rover
project "$installed" "$doppel_installed" driver tilt --class imu
project "$installed" "$doppel_installed" driver arm --class joints
project "$installed" "$doppel_installed" device-class dimmer
project "$installed" "$doppel_installed" bench parcours
project "$installed" "$doppel_installed" component way_meter
project "$installed" "$doppel_installed" application errand
project "$installed" "$doppel_installed" world hall
project "$build/meson-uninstalled" "$doppel" component way_log
project "$build/meson-uninstalled" "$doppel" application round_trip
project "$build/meson-uninstalled" "$doppel" driver rover2

# an installation of a project goes to Doppel's folders alone, which a user may have made
for name in rover dimmer parcours; do
    meson install -C "$work/projects/$name/build" --no-rebuild >"$work/$name.log" 2>&1 || fail "$name: meson install"
    sed -n 's/^Installing .* to //p' "$work/$name.log" | while read -r folder; do
        [[ $folder = "$work/its root/"* ]] || fail "$name: installs into $folder"
    done || exit 1
done
[ -n "$(find "$work/its root" -path '*/include/dimmer.h')" ] || fail "dimmer: its header is not installed"
"$doppel_installed" info dimmer/mock >"$work/info.log" 2>&1 || fail "a driver that is installed"

# A driver of every other device class: compiled without a build system, then its test as it stands.
mapfile -t classes < <("$doppel" new driver fresh --class nix 2>&1 | sed -n 's/.* only: \(.*\); for a class.*/\1/p' | tr -d ' ' | tr ',' '\n')
[ "${#classes[@]}" -ge 11 ] || fail "doppel new names these classes: ${classes[*]}"
help=$("$doppel" new --help | tr -s ' \n' '  ')
for class in "${classes[@]}"; do
    grep -q "one of: .*\b$class\b" <<<"$help" || fail "doppel new --help does not name the class $class"
done
read -r -a flags < <(PKG_CONFIG_PATH=$build/meson-uninstalled pkg-config --cflags --libs doppel)
for class in "${classes[@]}"; do
    [ "$class" != wheel_controller ] && [ "$class" != imu ] || continue # have their own
    folder=$work/projects/any_$class
    (cd "$work/projects" && "$doppel" new driver "any_$class" --class "$class") >"$work/$class.log" 2>&1 || fail "doppel new driver --class $class"
    ! grep -rqi 'template_\|TemplateName' "$folder" || fail "$class: a word of the template is left"
    mkdir "$folder/build"
    for plugin in "driver-$class-any_$class:any_$class.c" "component-any_${class}_probe:any_${class}_probe.c"; do
        ${CC:-cc} -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Werror -O1 -fPIC -shared -o "$folder/build/${plugin%%:*}.so" "$folder/${plugin##*:}" \
            "${flags[@]}" >"$work/$class.log" 2>&1 || fail "$class: ${plugin##*:}"
    done
    "$folder/tests/run.sh" "$doppel" "$folder/build" "$folder/profiles" >"$work/$class.log" 2>&1 || fail "$class: its test"
    echo "driver of $class: $(tail -1 "$work/$class.log")"
done

# the worked example of the tutorial, which began as such a project
cp -r "$source_dir/docs/tutorial/create2" "$work/projects/create2"
PKG_CONFIG_PATH=$installed meson setup --werror "$work/projects/create2/build" "$work/projects/create2" >"$work/create2.log" 2>&1 || fail "create2"
meson test -C "$work/projects/create2/build" --print-errorlogs >"$work/create2.log" 2>&1 || fail "create2: its tests"

# what a project has is found and run as its README says
cd "$work/projects/way_meter" || fail "no project"
DOPPEL_PLUGIN_PATH=$PWD/build "$doppel_installed" info WayMeter >"$work/info.log" 2>&1 || fail "doppel info WayMeter"
grep -q 'report *data out *way_meter.Report' "$work/info.log" || fail "the component's own message"
DOPPEL_PLUGIN_PATH=$PWD/build "$doppel_installed" run profiles/drive.xml --bind profiles/mock.xml --clock sim --quiet --out out \
    >"$work/run.log" 2>&1 || fail "the component's application"
cd "$work" || fail "no folder"

# refused CODE TEXT ARGUMENTS...: an error with its text and code; nothing is written
refused() {
    local code=$1 text=$2
    shift 2
    mkdir -p "$work/refused"
    (cd "$work/refused" && "$doppel" new "$@") >"$work/refused.log" 2>&1
    [ $? = "$code" ] || fail "doppel new $*: code"
    grep -qF -- "$text" "$work/refused.log" || fail "doppel new $*: text"
    [ -z "$(ls -A "$work/refused")" ] || fail "doppel new $*: wrote something"
}
refused 1 "did you mean 'lap_timer'" component LapTimer
refused 1 "did you mean 'my_base'" driver my-base
refused 1 "reserved" driver while
refused 1 "not a name" component 2nd
refused 1 "not a name" component ../up
refused 1 "not a name" component a_name_that_is_much_longer_than_forty_characters
refused 1 "there is a driver wheel_controller/mock already" driver mock
refused 1 "there is a component class WheelController already" component wheel_controller
refused 1 "No such file or directory" component fresh missing/folder
refused 2 "did you mean 'driver'" drivr fresh
refused 2 "--class is for drivers" component fresh --class imu
refused 1 "there is no device class 'pinz' of Doppel, only: " driver fresh --class pinz
refused 2 "--class is for drivers" device-class fresh --class imu
refused 1 "there is a device class imu already" device-class imu
refused 1 "there is a component class Servo already" bench servo
refused 1 "exists and is not an empty folder" component fresh "$work/projects/way_meter"
[ -f "$work/projects/way_meter/build/build.ninja" ] || fail "an existing project was touched"
ls -d "$work"/projects/*.?????? 2>/dev/null && fail "a folder is left"
mkdir "$work/empty" && "$doppel" new application fresh "$work/empty/" >/dev/null || fail "an empty folder may be used"
exit 0
