#!/usr/bin/env bash
# A recording is played by the device emulators as a robot's log is: who runs with the binding replay sees the robot go its recorded way, and its scans.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
"$doppel" run patrol --bind sim --clock sim --quiet --duration 5 --out recorded --record run.mcap >log 2>&1 || fail "the run: $(<log)"
at=$(date +%s.%N -d '+4 seconds')
start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --log run.mcap --start-at "$at"
start urg "$doppel" emulate urg --pty "$work/urg" --log run.mcap --start-at "$at"
until_true 5 test -e kobuki -a -e urg || fail "no emulators"
"$doppel" run follow --bind replay --duration 12 --quiet --set WheelController.hardware.Address="$work/kobuki" --set LaserScanner.hardware.Address="$work/urg" \
    --out replayed >follow.log 2>&1 || fail "the replay"
python3 -S - <<'PY' || fail "another way"
import csv, json
a, b = (json.load(open(f"{name}/summary.json")) for name in ("recorded", "replayed"))
end, replayed = (list(csv.DictReader(open(f"{name}/trace.csv")))[-1] for name in ("recorded", "replayed"))
print({k: (end[k], replayed[k]) for k in ("WheelController.x", "WheelController.y", "WheelController.theta")}, a["WheelController.distance_m"], b["WheelController.distance_m"], b["LaserScanner.scans"])
assert abs(a["WheelController.distance_m"] - b["WheelController.distance_m"]) < 0.05 and a["WheelController.distance_m"] > 0.5
assert all(abs(float(end[k]) - float(replayed[k])) < 0.05 for k in ("WheelController.x", "WheelController.y", "WheelController.theta"))
assert b["LaserScanner.scans"] > 50
PY
