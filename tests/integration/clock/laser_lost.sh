#!/usr/bin/env bash
# A laser that falls silent without a word (its process is stopped), or is killed, brings the robot to a stand within 0.6 s of the loss.
# The real clock: these 0.6 s are measured, by the truth of the world. When scans come again the robot carries on.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../witness.sh"
source "$(dirname "$0")/../stalls.sh"
lost() { # SIGNAL TRIES
    python3 "$source_dir/tests/integration/clock/laser_lost.py" "$work/truth.log" "$laser" "$1" "$2" || fail "not $2 tries"
}
stops() {
    start_robot
    witness truth "${world##*:}" robot
    start run "$doppel" run patrol --bind hw_emulated "${robot[@]}" --quiet --duration 120 --out "$work/out"
    run=$last
    lost STOP 4 >"$work/times.log" || exit 1
    lost KILL 1 >>"$work/times.log" || exit 1
    start_laser
    until_true 5 drives truth || fail "the robot does not drive with a new laser"
    kill -INT "$run"
    wait "$run" || fail "exit code"
    cat "$work/times.log"
    late=$(awk '$1 > 0.6' "$work/times.log" | wc -l)
    [ "$late" -eq 0 ] || fail "$late of 5 stops took longer than 0.6 s"
    [ "$(awk '$1 < 0.1' "$work/times.log" | wc -l)" -eq 0 ] || fail "a robot that stood before the loss proves nothing"
    number "$(json "$work/out/summary.json" faults) >= 1" || fail "the loss is not in the summary"
    grep -q "LaserScanner.*lost" "$work/run.log" || fail "the loss is not in the log"
}
unless_stalled 50 stops
