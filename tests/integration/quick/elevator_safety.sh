#!/usr/bin/env bash
# The safety chain opens: a fault until somebody turns the key (coil 4), or until the unit resets itself when it is told so (SIGUSR1). The way goes on.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/modbus_elevator.sh"
# the safety chain opens at 3 s: a fault until somebody else turns the key (coil 4) at 6 s; the way goes on
serve --call car:1 --trip 3 --key 6
run --seconds 12
report
saw "r['states'][:8] == [0, 1, 2, 3, 9, 0, 1, 2] and abs(r['position'] - 3.2) <= 0.005"

# the unit resets itself when it is told so
serve --call car:1 --trip 3
start unit "$unit" --port "$port" --verbose
master=$last
until_true 20 grep -q "fault safety" "$work/unit.log" || fail "no fault: $(<"$work/unit.log")"
kill -USR1 $master
until_true 20 grep -q "OPENING" "$work/unit.log" || fail "does not go on: $(<"$work/unit.log")"
kill -TERM $master
wait $master || fail "ended with $?"
report
saw "r['states'][:7] == [0, 1, 2, 3, 9, 0, 1]"
