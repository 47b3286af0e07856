#!/usr/bin/env bash
# doppel calibrate: the limits of tools/experiments/calibration for one robot, a run that is too short, recordings, a wrong start, what it
# refuses; and changes of the application's world by a binding.
source "$(dirname "$0")/../lib.sh"

exits() { # CODE PATTERN ARGUMENT...
    local code=$1 pattern=$2 got
    shift 2
    "$doppel" "$@" >"$work/out" 2>"$work/said"
    got=$?
    [ $got -eq "$code" ] || fail "exit $got, expected $code: doppel $* ($(<"$work/said"))"
    grep -q -- "$pattern" "$work/out" "$work/said" || fail "no '$pattern' in: $(cat "$work/out" "$work/said")"
}

"$source_dir/tools/experiments/calibration" "$build" 1 >"$work/acceptance.log" 2>&1 || fail "limits"
grep -q "^seed 1: .*: ok$" "$work/acceptance.log" || fail "no row"

# 10 s of driving straight on show the wheels, but neither the axle nor the delay
short=(calibrate patrol --bind twin --clock sim --quiet --log-level error --duration 10)
exits 4 "not identified: scale of the axle; this shows it: turn" "${short[@]}" --output "$work/short.xml" --drive "$work/drive.xml"
grep -q 'name="hardware.OdometryScaleLeft"' "$work/short.xml" || fail "the identified wheels are not written"
! grep -q 'OdometryAxleScale\|axle_scale\|TimeOffset' "$work/short.xml" "$work/drive.xml" || fail "what is not identified is written"
exits 0 "2 files: 0 errors, 0 warnings" check --strict "$work/short.xml" "$work/drive.xml"
exits 0 "1 file: 0 errors, 0 warnings" check patrol --resolve --bind twin --bind "$work/short.xml" --bind "$work/drive.xml"
# the deviations of an earlier calibration do not make a run look certain
exits 4 "not identified: scale of the axle" "${short[@]}" --bind "$work/short.xml" --output "$work/again.xml"

# from a recording, without a robot: the same numbers within 0.3 %
"$doppel" run patrol --bind twin --clock sim --quiet --log-level error --seed 5 --duration 120 --out "$work/run" 2>"$work/said" || fail "recording"
recorded=(calibrate patrol --bind twin --recording)
exits 0 "scale of the axle.*identified" "${recorded[@]}" "$work/run" --output "$work/recorded.xml" --drive "$work/recorded_drive.xml"
exits 0 "1 file: 0 errors, 0 warnings" check patrol --resolve --bind twin --bind "$work/recorded.xml" --bind "$work/recorded_drive.xml"
# the seed scatters boxes in the world: the plan is that of the run's seed, and a robot whose start is not known is found soon
"$doppel" run patrol --bind twin --clock sim --quiet --log-level error --seed 5 --duration 60 --set ScanRecorder.Interval=1 \
    --out "$work/seldom" 2>"$work/said" || fail "recording at 1 Hz"
exits 0 "scale of the left wheel.*identified" "${recorded[@]}" "$work/seldom" --set Localizer.Start=search --output "$work/seldom.xml"
python3 - "$work" <<'PY' || fail "the recording shows other numbers: $(<"$work/recorded.xml")"
import re, sys
value = lambda file, name: float(re.search(rf'name="{name}"[^>]*>([^<]*)<', open(f"{sys.argv[1]}/{file}.xml").read()).group(1))
for name, true in (("Left", 0.97), ("Right", 1.02)):
    assert abs(value("recorded", f"hardware.OdometryScale{name}") / true - 1) < 0.003
assert abs(value("recorded", "hardware.OdometryAxleScale") / 1.02 - 1) < 0.003
assert abs(value("recorded", "TimeOffset")) < 5
assert abs(value("recorded_drive", "latency_ms") - 60) < 4 and abs(value("recorded_drive", "lag_ms") - 50) < 5
PY
cp "$work/recorded.xml" "$work/before.xml"
exits 0 "identified" "${recorded[@]}" "$work/run" --output "$work/recorded.xml"
cmp "$work/recorded.xml" "$work/before.xml" || fail "two calibrations of one recording differ"
# scans.csv alone: no commands, no delay; the start is searched for
exits 4 "not identified: scans are late by" "${recorded[@]}" "$work/run/scans.csv" --output "$work/scans.xml"
grep -q 'name="hardware.OdometryScaleLeft"' "$work/scans.xml" || fail "the identified wheels are not written"
! grep -q TimeOffset "$work/scans.xml" || fail "a delay that is not known is written"
exits 1 "the recording has no commands" "${recorded[@]}" "$work/run/scans.csv" --output "$work/x.xml" --drive "$work/y.xml"
# a recording of another room
exits 4 "did not fit the world" "${recorded[@]}" "$work/run" --set Localizer.World=corridor.xml --output "$work/other.xml"
grep -q "nothing was identified: $work/other.xml is not written" "$work/said" || fail "says: $(<"$work/said")"
[ ! -e "$work/other.xml" ] && [ ! -e "$work/other.xml.part" ] || fail "a binding with nothing in it"
# a run whose Localizer has another world than the robot: its state at the end says so, too
exits 4 "anything by the scans: they did not fit the world" calibrate patrol --bind twin --clock sim --quiet --duration 30 --seed 6 \
    --set Localizer.World=corridor.xml --out "$work/another" --output "$work/other.xml"
grep -q "warn Localizer: the plan is of the world 'corridor.xml', the avatar is in the application's world" "$work/said" || fail "no warning"
! grep -q '"loc.state": "\(TRACKING\|DEGRADED\)"' "$work/another/summary.json" || fail "it ends as if it knew where it is"
grep -q "nothing was identified: $work/other.xml is not written" "$work/said" || fail "says: $(<"$work/said")"
[ ! -e "$work/other.xml" ] && [ ! -e "$work/other.xml.part" ] || fail "a binding with nothing in it"
# a robot that starts elsewhere, in a room that looks alike: what the wrong room taught does not count; with enough driving after it was
# found the numbers are right, with too little there are none, and a message says why
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
python3 - "$work" <<'PY' || fail "a wrong place has taught wrong numbers: $(<"$work/strayed.xml")"
import re, sys
value = lambda file, name: float(re.search(rf'name="{name}"[^>]*>([^<]*)<', open(f"{sys.argv[1]}/{file}.xml").read()).group(1))
for file in "strayed", "replayed":
    for name, true, limit in (("Left", 0.97, 0.003), ("Right", 1.02, 0.003)):
        assert abs(value(file, f"hardware.OdometryScale{name}") / true - 1) < limit
    assert abs(value(file, "hardware.OdometryAxleScale") / 1.02 - 1) < 0.005
    assert abs(value(file, "TimeOffset")) < 5 and abs(value(file, "Yaw")) < 0.2
    assert abs(value(file, "X")) < 5 and abs(value(file, "Y")) < 5
PY
# one beam, and nothing that returns
awk -F, -v OFS=, 'NR == 1 || NR < 60 { print (NR == 1 ? $0 : $1 OFS $2 OFS $3 OFS $4 OFS $5 OFS $6 OFS $7 OFS $8 OFS $9 OFS (NR % 2 ? "0" : "inf")) }' \
    "$work/run/scans.csv" >"$work/dark.csv"
exits 1 "dark.csv: error: no beam returned in 58 scans" "${recorded[@]}" "$work/dark.csv" --output "$work/dark.xml"
[ ! -e "$work/dark.xml" ] && [ ! -e "$work/dark.xml.part" ] || fail "a binding without a beam"
mkdir "$work/scans"
cp "$work/run/scans.csv" "$work/scans"
exits 1 "scans: error: no trace.csv is there" "${recorded[@]}" "$work/scans" --output "$work/x.xml"
sed '1s/WheelController.left_travel/WheelController.left/' "$work/run/trace.csv" | head -100 >"$work/scans/trace.csv"
cp "$work/run/summary.json" "$work/scans"
exits 1 "its trace has no column WheelController.left_travel" "${recorded[@]}" "$work/scans" --output "$work/x.xml"
sed '3s/^[^,]*,[^,]*/0.4,nan/' "$work/run/scans.csv" >"$work/nan.csv"
exits 1 "nan.csv:3:5: error: .*finite" "${recorded[@]}" "$work/nan.csv" --output "$work/x.xml"
# what the odometry was made with must be what is multiplied
cp "$work/run/run.json" "$work/scans"
exits 1 "made with WheelController.hardware.OdometryScaleLeft = 1, the bindings given here have 0.9" "${recorded[@]}" "$work/run" \
    --bind "$work/recorded.xml" --output "$work/x.xml"
exits 1 "made with WheelController.hardware.OdometryScaleLeft = 1" "${recorded[@]}" "$work/run/scans.csv" --bind "$work/recorded.xml" --output "$work/x.xml"
sed -z 's/\("OdometryScaleRight":[^}]*"value": "\)1"/\11.02"/' "$work/run/run.json" >"$work/scans/run.json"
cp "$work/run/trace.csv" "$work/scans"
exits 1 "made with WheelController.hardware.OdometryScaleRight = 1.02, the bindings given here have 1" "${recorded[@]}" "$work/scans" --output "$work/x.xml"
cp "$work/run/run.json" "$work/scans"
# what else differs from the recorded run is told, with what it does; a correction may be meant
exits 0 "identified" "${recorded[@]}" "$work/run" --output "$work/same.xml"
! grep -q "warning" "$work/said" || fail "warns of the bindings of the run: $(<"$work/said")"
"$doppel" "${recorded[@]}" "$work/run" --set Localizer.ScanTime=100 --set WheelController.hardware.WheelDiameter=0.072 \
    --set LaserScanner.hardware.RobotName=robot --output "$work/differs.xml" >"$work/out" 2>"$work/said" || [ $? -eq 4 ] || fail "differs"
grep -q "run: warning: it was made with Localizer.ScanTime = '0' ms, the bindings given here have '100' ms: .*delay of scans" "$work/said" ||
    fail "says: $(<"$work/said")"
grep -q "warning: it was made with WheelController.hardware.WheelDiameter = '0.07' m, the bindings given here have '0.072' m: .*ratio" "$work/said" ||
    fail "says: $(<"$work/said")"
[ "$(grep -c "warning" "$work/said")" -eq 2 ] || fail "says: $(<"$work/said")"
"$doppel" calibrate patrol --bind hil --recording "$work/run" --output "$work/differs.xml" >"$work/out" 2>"$work/said" || [ $? -eq 4 ] || fail "hil"
grep -q "made with the driver 'avatar' of WheelController.hardware, the bindings given here have 'kobuki'" "$work/said" || fail "says: $(<"$work/said")"
# a file that cannot be written at the end is printed
ln -s /dev/full "$work/full"
exits 3 "/dev/full is printed instead" "${recorded[@]}" "$work/run" --output /dev/full --drive "$work/full"
grep -q "$work/full is printed instead" "$work/said" || fail "says: $(<"$work/said")"
grep -q '<property component="WheelController" name="hardware.OdometryScaleLeft">0.9[67]' "$work/out" || fail "the binding is lost: $(<"$work/out")"
grep -q '<property entry="avatar" name="latency_ms">' "$work/out" || fail "the drive is lost: $(<"$work/out")"
# a trace that is not whole
head -n 6000 "$work/run/trace.csv" >"$work/scans/trace.csv"
exits 1 "trace.csv: it ends at 60.0 s, the run at 120.0 s: the file was cut" "${recorded[@]}" "$work/scans" --output "$work/x.xml"
head -c 1000000 "$work/run/trace.csv" >"$work/scans/trace.csv"
exits 1 "trace.csv, line [0-9]*: the line has no end: the file was cut" "${recorded[@]}" "$work/scans" --output "$work/x.xml"
sed '500s/,[^,]*,/,/' "$work/run/trace.csv" >"$work/scans/trace.csv"
exits 1 "trace.csv, line 500: the row has [0-9]* values" "${recorded[@]}" "$work/scans" --output "$work/x.xml"
exits 1 "cannot open" "${recorded[@]}" "$work/absent" --output "$work/x.xml"
exits 1 "of a served world" "${recorded[@]}" "$work/run" --set Localizer.ip=127.0.0.1 --output "$work/x.xml"
exits 1 "has no laser 'eye'" "${recorded[@]}" "$work/run" --set Localizer.Laser=eye --output "$work/x.xml"
exits 2 "it excludes --clock, --duration and --out" "${recorded[@]}" "$work/run" --clock sim --output "$work/x.xml"
[ ! -e "$work/y.xml" ] && [ ! -e "$work/y.xml.part" ] || fail "a refused calibration leaves a file"

cp "$work/run/trace.csv" "$work/kept.csv"
exits 2 "would overwrite --recording" "${recorded[@]}" "$work/run" --output "$work/run/trace.csv"
exits 2 "would overwrite --drive" "${recorded[@]}" "$work/run" --output "$work/x.xml" --drive "$work/x.xml"
exits 2 "would overwrite --bind" "${short[@]}" --bind "$work/short.xml" --output "$work/short.xml"
cmp "$work/kept.csv" "$work/run/trace.csv" || fail "the recording is lost"

exits 2 "--output is needed" calibrate patrol --bind twin
exits 1 "has no Localizer; a binding may add it" calibrate patrol --bind sim --clock sim --output "$work/x.xml"
exits 1 "cannot write" "${short[@]}" --output "$work/nowhere/x.xml"
exits 1 "the run failed: $work/x.xml is not written" calibrate patrol --bind hil --quiet --duration 10 \
    --set WheelController.hardware.Address="$work/nobody" --set LaserScanner.hardware.Address="$work/nobody" --output "$work/x.xml"
[ ! -e "$work/x.xml" ] || fail "a binding of a run that failed"
exits 2 "expected real, sim" "${short[@]}" --clock fast --output "$work/x.xml"
[ ! -e "$work/x.xml" ] && [ ! -e "$work/x.xml.part" ] || fail "a refused calibration leaves a file"

# a change of the world that it does not take is reported where it stands
cat >"$work/bad.xml" <<'XML'
<binding_profile>
  <name>bad</name>
  <world_properties>
    <property entry="avatar" name="wheel_scale_lef">0.97</property>
  </world_properties>
</binding_profile>
XML
exits 1 "bad.xml:4:5: error: .*avatar has no property 'wheel_scale_lef', did you mean 'wheel_scale_left'" \
    check patrol --resolve --bind twin --bind "$work/bad.xml"
exits 1 "bad.xml:4:5: error: .*avatar has no property" run patrol --clock sim --bind sim --bind "$work/bad.xml" --duration 1
echo "calibrations are found, judged and written"
