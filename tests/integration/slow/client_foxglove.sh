#!/usr/bin/env bash
# The npm packages `@foxglove/ws-protocol` and `@mcap/core` with `@foxglove/schemas`, unmodified, are a viewer of our server and readers of a
# recording. Versions and checksums are in tests/clients/package-lock.json; without npm or its registry this test is skipped.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
cp "$source_dir"/tests/clients/{foxglove_client.mjs,foxglove_types.mjs,mcap_reader.mjs,ros2_bag.mjs,run_control.mjs,run_viewer.mjs,scene_reader.mjs,package.json,package-lock.json} .
timeout 90 npm ci --silent --ignore-scripts --omit=optional >npm.txt 2>&1 ||
    skip "npm does not give the packages of tests/clients/package-lock.json: $(tail -n 1 npm.txt)"
timeout 90 node foxglove_client.mjs "$build/tests/clients/foxglove_server" >viewer.log 2>&1 || fail "the viewer saw something else"
grep -qx "end ok" viewer.log || fail "the viewer did not come to its end"
start run "$doppel" run patrol --bind twin --clock sim --rate 4 --quiet --out seen --view 0
until_true 10 grep -q "^view: ws:" run.log || fail "no address: $(<run.log)"
timeout 60 node run_viewer.mjs "$(sed -n 's/^view: \(ws:.*\)/\1/p' run.log)" >seen.json 2>viewer.log || fail "the viewer cannot look into a run"
kill -INT "$last" && wait "$last" || fail "the run ended with $?"
python3 "$source_dir/tests/clients/viewer_check.py" seen.json seen/trace.csv || fail "what the viewer saw is not what the run wrote"
# steered SCENARIO ARGUMENTS...: a run that the client steers; its results are in the folder SCENARIO
steered() {
    start run "$doppel" run "${@:2}" --quiet --out "$1" --view 0
    until_true 10 grep -q "^view: ws:" run.log || fail "no address: $(<run.log)"
    timeout 100 node run_control.mjs "$1" "$(sed -n 's/^view: \(ws:.*\)/\1/p' run.log)" >control.log 2>&1 || fail "$1: it is steered in another way"
    grep -qx "all as it must be" control.log || fail "$1: the client did not come to its end"
    kill -INT "$last" 2>/dev/null
    wait "$last" || fail "$1: the run ended with $?"
}
steered time patrol --bind sim --clock sim
"$doppel" run patrol --bind sim --clock sim --quiet --duration 60 --out alone >alone.log 2>&1
until=$(sed -n 's/^as alone until //p' control.log)
upto() { awk -F, -v t="$until" 'NR == 1 || $1 <= t' "$1/trace.csv"; }
cmp <(upto time) <(upto alone) || fail "pauses change the run"
[ "$(upto time | wc -l)" -gt 100 ] || fail "too short"
steered hexafloat hexafloat --bind hexafloat/sim --clock sim --rate 2 --set MachineControl.Requests=
steered teleop teleop --bind teleop/sim --clock sim --set Teleop.ApiName=mock
steered world patrol --bind sim --clock sim
steered real patrol --bind sim
"$doppel" run patrol --bind sim --clock sim --quiet --duration 60 --record run.mcap >run.log 2>&1 || fail "no recording"
"$doppel" bag info run.mcap --json >bag.json || fail "we cannot read it"
timeout 90 node mcap_reader.mjs run.mcap bag.json >reader.log 2>&1 || fail "the reader saw something else"
grep -q "^all as it must be" reader.log || fail "the reader did not come to its end"
"$doppel" run patrol --bind twin --clock sim --quiet --duration 20 --record twin.mcap --out twin >run.log 2>&1 || fail "no recording"
"$doppel" run patrol --bind twin --clock sim --quiet --duration 20 --out alone >run.log 2>&1 || fail "no run"
cmp twin/trace.csv alone/trace.csv || fail "who looks at the worlds changes them"
timeout 90 node scene_reader.mjs twin.mcap twin/trace.csv office_truth/robot=WheelController.hardware avatar/office/avatar=WheelController.simulation \
    >scene.log 2>&1 || fail "the scene is not what the worlds are"
for line in "avatar visual 1" "robot visual 1" "live avatar trace" "live robot trace"; do
    grep -qx "$line" scene.log || fail "no '$line'"
done
# A bag of a robot of ROS 2 that these packages wrote: its laser is where its transforms say, and a map of it has the room's walls; what is wrong
# with it is told.
node ros2_bag.mjs write bag >bag.log 2>&1 || fail "no bag"
"$doppel" bag convert bag --output robot.mcap 2>convert.log || fail "the bag is not converted"
cmp <(sort convert.log) - <<'LINES' || fail "something else is told"
doppel bag: warning: /camera/image: sensor_msgs/msg/Image is not converted: 3 messages
doppel bag: warning: /scan_cut: 2 of 3 messages are left out: it is cut off
doppel bag: warning: /scan_lost: no transform leads from base_footprint to nowhere: the laser's mount is not known
doppel bag: warning: /scan_tilted: 3 of 3 messages are left out: its laser does not measure in a level plane
LINES
node ros2_bag.mjs check robot.mcap >bag.log 2>&1 && grep -qx "all as it must be" bag.log || fail "the bag has something else"
"$doppel" map robot.mcap --output room.xml >map.log 2>&1 && grep -q "; 6 walls, 20.0 m of them" map.log || fail "no map of the bag: $(<map.log)"
in_room=()
for component in WheelController LaserScanner Localizer; do in_room+=(--set "$component.World=$work/room.xml"); done
"$doppel" calibrate patrol --bind twin --recording robot.mcap "${in_room[@]}" --quiet --output calibrated.xml >calibrate.log 2>&1
[ $? -eq 4 ] && grep -Eq "^ranges are too long by .* [0-9.]+ mm +identified" calibrate.log && grep -Eq "^direction of the laser +-?0\.0" calibrate.log ||
    fail "the bag is not used for a calibration"
head -c 100000 bag/bag_0.mcap >cut.mcap
"$doppel" bag convert cut.mcap --output nothing.mcap 2>convert.log
[ $? -eq 1 ] && grep -q "cut.mcap: error: it has no messages of LaserScan, Odometry" convert.log && [ ! -e nothing.mcap ] || fail "a bag that is cut off"
mkdir sqlite && touch sqlite/metadata.yaml sqlite/x.db3
"$doppel" bag convert sqlite --output nothing.mcap 2>convert.log
[ $? -eq 1 ] && grep -q "sqlite: error: the bag is not in plain MCAP files" convert.log || fail "a bag in SQLite"
