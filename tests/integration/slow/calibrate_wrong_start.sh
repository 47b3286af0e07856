#!/usr/bin/env bash
# doppel calibrate of a robot that starts elsewhere, in a room that looks alike: what the wrong room taught does not count. With enough driving after it
# was found the numbers are right, also from the recording; with too little there are none, and a message says why.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../calibration.sh"
sed -e 's/<robot name="robot"/<robot name="robot" x="1" y="-0.3" yaw="180 deg"/' -e '/<start robot/d' \
    -e "s#file=\"#file=\"$profiles/worlds/#" "$profiles/worlds/office_truth.xml" >"$work/elsewhere.xml"
elsewhere=(--bind twin --set "WheelController.hardware.World=$work/elsewhere.xml" --set "LaserScanner.hardware.World=$work/elsewhere.xml")
wrong_start=(calibrate patrol "${elsewhere[@]}" --clock sim --quiet --log-level error)
exits 0 "not counted: what was learnt before [0-9.]* s: the robot was found in another place then" \
    "${wrong_start[@]}" --duration 60 --set ScanRecorder.Interval=0.1 --set ScanRecorder.MaximumScans=1000 --out "$work/strayed" --output "$work/strayed.xml"
exits 0 "not counted: what was learnt before [0-9.]* s" calibrate patrol "${elsewhere[@]}" --recording "$work/strayed" --output "$work/replayed.xml"
# found soon, or not yet
exits 4 "that were too short: drive longer\|did not fit the world: from [0-9.]* s on it was not known where the robot was" \
    "${wrong_start[@]}" --duration 14 --output "$work/soon.xml"
! grep -qs "OdometryAxleScale" "$work/soon.xml" || fail "so soon nothing shows the axle"
for file in strayed replayed; do
    truthful "$work/$file.xml" 0.005 || fail "a wrong place has taught wrong numbers: $(<"$work/$file.xml")"
    python3 - "$work/$file.xml" <<'PY' || fail "a wrong place has taught another laser: $(<"$work/$file.xml")"
import re, sys
value = lambda name: float(re.search(rf'name="{name}"[^>]*>([^<]*)<', open(sys.argv[1]).read()).group(1))
assert abs(value("Yaw")) < 0.2 and abs(value("X")) < 5 and abs(value("Y")) < 5
PY
done
