#!/usr/bin/env bash
# kill -9 of the laser's emulator: the robot stands still within 0.6 s, and carries on when the laser returns.
source "$(dirname "$0")/../lib.sh"
start_robot
start run "$doppel" run patrol --bind hw "${robot[@]}" --quiet --duration 14 --out "$work/out"
run=$last
sleep 4
kill -9 "$laser"
killed=$(date +%s.%N)
sleep 3
start_laser
wait "$run"
code=$?
[ $code -eq 0 ] || fail "exit code $code"
start_s=$(python3 - "$work/out/trace.csv" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
t = [float(r["t"]) for r in rows]
v = [abs(float(r["WheelController.v"])) + 0.1 * abs(float(r["WheelController.w"])) for r in rows]
# the loss shows as the longest stretch of standing still
best, begin = (0, 0), None
for i, speed in enumerate(v):
    if speed < 0.005:
        begin = i if begin is None else begin
        best = max(best, (t[i] - t[begin], -t[begin]))
    else:
        begin = None
length, at = best[0], -best[1]
moved_after = max(speed for i, speed in enumerate(v) if t[i] > at + length)
print(f"stood from {at:.2f} for {length:.2f} s, then up to {moved_after:.2f} m/s", file=sys.stderr)
moved_before = max(speed for i, speed in enumerate(v) if t[i] < at)
print(at if length > 1.5 and moved_after > 0.02 and moved_before > 0.02 else -1)
PY
)
number "3.5 < $start_s < 4.9" || fail "the robot did not stand still within 0.6 s of the loss (stood from $start_s)"
number "$(json "$work/out/summary.json" faults) >= 1" || fail "the loss is not in the summary"
grep -q "LaserScanner" "$work/run.log" || fail "the loss is not in the log"
