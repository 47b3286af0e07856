#!/usr/bin/env bash
# The control unit of the elevator against a Modbus server that is not ours (Debian's python3-pymodbus): the whole table, gaps in it, faults and
# resets, and how it ends. The elevator's time goes on as the unit writes its watchdog.
source "$(dirname "$0")/../lib.sh"
unit=$build/tools/controllers/elevator/elevator_controller
python=
for candidate in python3 /usr/bin/python3; do # the package is Debian's: it belongs to Debian's Python
    "$candidate" -c 'import pymodbus.server' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip "python3-pymodbus is not installed"

serve() { # ARGUMENT...: an elevator; its port in $port
    start elevator "$python" "$source_dir/tests/clients/modbus_elevator.py" "$@"
    elevator=$last
    until_true 10 grep -q '^port' "$work/elevator.log" || fail "no elevator"
    port=$(sed -n 's/^port //p' "$work/elevator.log")
}
report() { # the elevator ends, and says what it has seen, in report.json
    kill -TERM $elevator
    wait $elevator 2>/dev/null
    grep '^{' "$work/elevator.log" >"$work/report.json" || fail "the elevator said nothing"
}
saw() { # CONDITION on the report, a dictionary r
    python3 -c "import json,sys; r = json.load(open(sys.argv[1])); sys.exit(0 if ($1) else 1)" "$work/report.json" ||
        fail "not ($1): $(<"$work/report.json"); $(<"$work/unit.log")"
}
ended() { # CODE TEXT: how the unit ended, and what it said
    [ "$1" -eq "$code" ] || fail "exit code $code, expected $1: $(<"$work/unit.log")"
    grep -q -- "$2" "$work/unit.log" || fail "does not say '$2': $(<"$work/unit.log")"
}
run() { # ARGUMENT...: the unit to its end
    timeout 60 "$unit" --port "$port" "$@" >"$work/unit.log" 2>&1
    code=$?
}

# one floor and the cycle of its door; only the addresses of four floors are there
serve --floors 4 --call car:1 --call down:1
run --floors 4 --seconds 14 --verbose
ended 0 "14.000 s of the elevator's time, 1401 scans, at most 10 ms between two"
grep -q "OPENING  target 1, at 3.19" "$work/unit.log" || grep -q "OPENING  target 1, at 3.20" "$work/unit.log" || fail "not at floor 1: $(<"$work/unit.log")"
report
saw "r['states'] == [0, 1, 2, 3, 4, 5, 8, 1, 0] and abs(r['position'] - 3.2) <= 0.005"
saw "r['calls'] == [] and r['coils'] == [0, 0, 0, 0, 0] and r['holding'][0] == 0 and r['holding'][5] == 0"

# all 32 floors are mapped; Ctrl-C during a travel commands the safe state, and leaves the call for the next one
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

# killed, the elevator comes back at its port, and the unit goes on with it
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

# what does not fit: one line that says so
serve --floors 4
run
ended 1 "the elevator has 4 floors, the unit was told 12"
report
serve --without h:5
run
ended 1 "writing holding registers 0 to 5: the elevator answers: Illegal data address"
report
serve --without d:15
run
ended 1 "reading discrete inputs 0 to 15: the elevator answers: Illegal data address"
report
run
ended 3 "no elevator at 127.0.0.1, port $port: Connection refused"
for bad in "--fault nothing" "--floors 1" "--floors 4.5" "--param SPEED=-1" "--param WHAT=1" "--port 99999"; do
    # shellcheck disable=SC2086
    run $bad
    ended 1 "elevator_controller: ${bad%% *}"
done
run --sedonds 1
ended 2 "usage: elevator_controller"
