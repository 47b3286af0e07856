#!/usr/bin/env bash
# The elevator is killed and comes back at its port: the unit waits for it, and goes on with it.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/modbus_elevator.sh"
serve --call car:2
start unit "$unit" --port "$port" --retry --verbose
master=$last
until_true 20 grep -q TRAVEL "$work/unit.log" || fail "does not travel: $(<"$work/unit.log")"
kill -9 $elevator
until_true 20 grep -q "waiting for it" "$work/unit.log" || fail "does not say that it is lost: $(<"$work/unit.log")"
: >"$work/unit.log"
serve "$port" --call car:2
until_true 20 grep -q TRAVEL "$work/unit.log" || fail "does not come back: $(<"$work/unit.log")"
kill -INT $master
wait $master || fail "ended with $?"
report
