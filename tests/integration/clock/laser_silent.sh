#!/usr/bin/env bash
# A laser that falls silent without a word (its process is stopped) brings the robot to a stand within 0.6 s of the loss,
# by the truth of the world; and the robot carries on when the scans come again.
source "$(dirname "$0")/../lib.sh"
tries=8
start_robot
start watch "$build/tests/integration/watch_robot" "$world" robot
start run "$doppel" run patrol --bind hw "${robot[@]}" --quiet --duration 120 --out "$work/out"
run=$last
python3 "$source_dir/tests/integration/clock/laser_silent.py" "$work/watch.log" "$laser" "$tries" >"$work/times.log" 2>&1 ||
    fail "not $tries tries"
kill -INT "$run"
wait "$run"
cat "$work/times.log"
late=$(awk '$1 > 0.6' "$work/times.log" | wc -l)
[ "$late" -eq 0 ] || fail "$late of $tries stops took longer than 0.6 s"
[ "$(awk '$1 < 0.1' "$work/times.log" | wc -l)" -eq 0 ] || fail "a robot that stood before the loss proves nothing"
