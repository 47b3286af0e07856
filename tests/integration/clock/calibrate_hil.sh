#!/usr/bin/env bash
# doppel calibrate over HIL: an emulated Kobuki and an emulated URG, whose wheels and axle are not those of the data sheet. What is found is what the
# emulators' world has; the recording of the run says the same. The real clock: delays of a few ms are found.
source "$(dirname "$0")/../lib.sh"

port=$(free_port)
start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world office_truth.xml --robot robot --serve $port --seed 3
until_true 5 test -e "$work/kobuki" || fail "no base"
world=tcp://127.0.0.1:$port
start_laser

hil=(calibrate patrol --bind hil --set "WheelController.hardware.Address=$work/kobuki" --set "LaserScanner.hardware.Address=$work/urg" --quiet)
# much turning, so that little time shows the axle
turning=(--set "RobotControl.Waypoints=1 0.3; 0 -0.3; 1 -0.3; 0 0.3" --set RobotControl.MaximumVelocity=0.3 --set RobotControl.MaximumAngularVelocity=100)
"$doppel" "${hil[@]}" --log-level error --seed 3 --duration 11 "${turning[@]}" --set ScanRecorder.Interval=0.1 --output "$work/robot.xml" \
    --drive "$work/drive.xml" --out "$work/run" >"$work/report.log" 2>"$work/said.log" || fail "exit $?"
"$doppel" check patrol --resolve --bind hil --bind "$work/robot.xml" --bind "$work/drive.xml" >"$work/check.log" 2>&1 || fail "no good bindings"
kill "$laser" # from here on there is no robot
"$doppel" "${hil[@]}" --recording "$work/run" --output "$work/recorded.xml" >"$work/recorded.log" 2>"$work/said.log" || fail "recording: exit $?"
grep -q 'latency_ms' "$work/drive.xml" || fail "no latency of the drive"
python3 - "$work" <<'PY' || fail "other numbers than the robot has"
import re, sys
def value(file, name):
    return float(re.search(rf'name="{name}"[^>]*>([^<]*)<', open(f"{sys.argv[1]}/{file}.xml").read()).group(1))
for file in ("robot", "recorded"):
    left, right, axle = (value(file, f"hardware.Odometry{name}") for name in ("ScaleLeft", "ScaleRight", "AxleScale"))
    print(f"{file}: {left} {right} {axle}, scans late by {value(file, 'TimeOffset')} ms")
    assert abs(left / 0.97 - 1) < 0.003 and abs(right / 1.02 - 1) < 0.003, "scales of the wheels"
    assert abs(axle / 1.02 - 1) < 0.006, "scale of the axle"
    assert abs(value(file, "TimeOffset")) < 10 and abs(value(file, "X")) < 5 and abs(value(file, "Y")) < 5, "laser"
# the drive: 60 ms and 50 ms of the robot, and what wire and host add
sum_ms = value("drive", "latency_ms") + value("drive", "lag_ms")
print(f"drive: {value('drive', 'wheel_scale_left')} {value('drive', 'wheel_scale_right')}, latency and lag together {sum_ms} ms")
assert 100 < sum_ms < 180, "latency of the drive"
assert abs(value("drive", "wheel_scale_left") / 0.97 - 1) < 0.003
PY
echo "a robot is calibrated over HIL"
