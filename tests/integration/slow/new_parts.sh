#!/usr/bin/env bash
# doppel new: every other kind of project builds without a warning, passes its tests and runs, against an installed Doppel. What a
# project has is found and run as its README says.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/new_project.sh"
project "$installed" "$doppel_installed" device-class dimmer
project "$installed" "$doppel_installed" bench parcours
project "$installed" "$doppel_installed" component way_meter
project "$installed" "$doppel_installed" component wander --commander
project "$installed" "$doppel_installed" application errand
project "$installed" "$doppel_installed" world hall
cd "$work/projects/way_meter" || fail "no project"
DOPPEL_PLUGIN_PATH=$PWD/build "$doppel_installed" info WayMeter >"$work/info.log" 2>&1 || fail "doppel info WayMeter"
grep -q 'report *data out *way_meter.Report' "$work/info.log" || fail "the component's own message"
DOPPEL_PLUGIN_PATH=$PWD/build "$doppel_installed" run profiles/drive.xml --bind profiles/mock.xml --clock sim --quiet --out out \
    >"$work/run.log" 2>&1 || fail "the component's application"
# a commander goes on when its base is back
cd "$work/projects/wander" || fail "no project"
export DOPPEL_PLUGIN_PATH=$PWD/build
start kobuki "$doppel_installed" emulate kobuki --pty "$work/kobuki" --world "$PWD/profiles/room.xml" --robot avatar
base=$last
until_true 5 test -e "$work/kobuki" || fail "no base"
start wander "$doppel_installed" run profiles/drive.xml --bind profiles/mock.xml --set WheelController.ApiName=kobuki \
    --set WheelController.Address="$work/kobuki" --set RangeFinders.SilentFrom=1000 --quiet --out out
wander=$last
for line in drives "stands: the base refuses" "the base obeys again"; do
    until_true 10 grep -q "Wander: $line" "$work/wander.log" || fail "no '$line'"
    kill -USR1 "$base" # unplugged, plugged in
done
kill -INT "$wander"
