#!/usr/bin/env bash
# Beside a control unit that drives the elevator over Modbus, somebody else puts what its maps do not write, and nothing else.
source "$(dirname "$0")/../lib.sh"
unit=$build/tools/controllers/elevator/elevator_controller
start shaft "$doppel" sim elevator_shaft --port 0 --modbus 0
until_true 10 grep -q "^modbus masters at" "$work/shaft.log" || fail "no world"
address=$(sed -n 's|^serving .* at \(tcp://[^,]*\),.*|\1|p' "$work/shaft.log")
port=$(sed -n 's|^modbus masters at tcp://.*:||p' "$work/shaft.log")
say() { timeout 60 "$doppel" world "$address" "$@" >"$work/said" 2>&1; }
until_world() { say until "$1" --timeout 30 && say run || fail "until $1: $(<"$work/said")"; }

# who was there first owns nothing that the unit writes
start load "$doppel" world "$address" put elevator/load/mass=300 --hold 60
load=$last
until_world 'elevator/load/present > 299'
start unit "$unit" --port "$port" --verbose
controller=$last
until_world 'elevator/state/value == 1'
say put elevator/car_call2/press=1 || fail "a call: $(<"$work/said")"
until_world 'elevator/state/value == 3'
kill -0 $load || fail "the load is not put any more: $(<"$work/load.log")"
say get elevator/load/present
grep -q "present 300 kg" "$work/said" || fail "the load: $(<"$work/said")"

# the unit was there first: its drive is its own, also together with what is free
kill $load
wait $load 2>/dev/null
say put elevator/load/mass=0 elevator/obstacle/there=0 --hold 2 || fail "a load and an obstacle: $(<"$work/said")"
until_world 'elevator/load/present < 1'
say put elevator/drive/speed=1 && fail "the drive of another"
say put elevator/load/mass=100 elevator/drive/speed=1 && fail "the drive of another, with a load"

# somebody else has the drive: then the unit is told, and nothing of what it writes acts
kill $controller
wait $controller 2>/dev/null
start drive "$doppel" world "$address" put elevator/drive/speed=0 --hold 60
is_refused() { ! timeout 20 "$unit" --port "$port" --seconds 0.1; }
until_true 5 is_refused || fail "the unit works"
timeout 20 "$unit" --port "$port" --seconds 5 >"$work/refused.log" 2>&1 && fail "the unit works: $(<"$work/refused.log")"
kill "$last"
wait "$last" 2>/dev/null
# it is silent for half a second before the drive is free again
until_true 5 timeout 60 "$unit" --port "$port" --seconds 1 || fail "the unit is refused"
