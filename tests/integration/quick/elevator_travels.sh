#!/usr/bin/env bash
# The elevator's control unit serves two calls at one floor and closes the door again; only the addresses of four floors are there.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/modbus_elevator.sh"
serve --floors 4 --call car:1 --call down:1
run --floors 4 --seconds 14 --verbose
ended 0 "14.000 s of the elevator's time, 1401 scans, at most 10 ms between two"
grep -q "OPENING  target 1, at 3.19" "$work/unit.log" || grep -q "OPENING  target 1, at 3.20" "$work/unit.log" || fail "not at floor 1: $(<"$work/unit.log")"
report
saw "r['states'] == [0, 1, 2, 3, 4, 5, 8, 1, 0] and abs(r['position'] - 3.2) <= 0.005"
saw "r['calls'] == [] and r['coils'] == [0, 0, 0, 0, 0] and r['holding'][0] == 0 and r['holding'][5] == 0"
