#!/usr/bin/env bash
# Ctrl-C during a travel commands the safe state, and leaves the call for the next unit. All 32 floors are mapped.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/modbus_elevator.sh"
serve --whole --call car:11
start unit "$unit" --port "$port" --verbose
master=$last
until_true 20 grep -q "^moves" "$work/elevator.log" || fail "does not travel: $(<"$work/unit.log")"
kill -INT $master
wait $master
code=$?
ended 0 "of the elevator's time"
report
saw "r['states'][:4] == [0, 1, 2, 3] and 0 < r['position'] < 35 and r['coils'] == [0, 0, 0, 0, 0] and r['holding'][0] == 0 and r['calls'] == [27]"
