# shellcheck shell=bash
# The control unit of the elevator against a Modbus server that is not ours (Debian's python3-pymodbus). The elevator's time goes on as the unit writes
# its watchdog. Sourced after lib.sh, not run.
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
