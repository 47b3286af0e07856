#!/usr/bin/env bash
# The elevator's safety chain opens: a fault until the unit resets itself when it is told so (SIGUSR1); the way goes on.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/modbus_elevator.sh"
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
