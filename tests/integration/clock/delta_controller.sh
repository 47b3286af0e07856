#!/usr/bin/env bash
# The control unit of the delta robot, over TCP at 2 kHz: within the limits of encoders and motors; killed, and started anew.
source "$(dirname "$0")/../lib.sh"

unit=$build/tools/controllers/delta/delta_controller
serve() { # ARGUMENT...: starts the cell; its port for controllers in $port
    "$doppel" sim delta_cell --port 0 --controllers 0 "$@" >"$work/cell" 2>&1 &
    cell=$!
    pids+=($cell)
    for _ in {1..100}; do
        port=$(sed -n 's|^controllers at tcp://127.0.0.1:\([0-9]*\)$|\1|p' "$work/cell")
        [ -z "$port" ] || return 0
        sleep 0.1
    done
    fail "the cell did not start: $(<"$work/cell")"
}
within() { # FILE: the errors of the joints are those of encoders, motors and 2 kHz
    python3 - "$1" <<'PY' || fail "not within 8e-4 and 2e-3 rad: $(<"$1")"
import re, sys
rms, most = re.search(r"joints: (\S+) rad rms, (\S+) rad", open(sys.argv[1]).read()).groups()
sys.exit(not (1e-6 < float(rms) <= 8e-4 and float(most) <= 2e-3))
PY
}

serve
"$unit" --port "$port" --seconds 2.8 --truth >"$work/first" || fail "the control unit ended with $?"
within "$work/first"
grep -q "every 0.5 ms, 0 late, 0 dropped" "$work/first" || fail "says: $(<"$work/first")"

# killed in the middle: its motors are released, the arms fall; the next one takes the robot from where it is
"$unit" --port "$port" --seconds 60 >/dev/null 2>&1 &
victim=$!
sleep 1.5
kill -9 $victim
wait $victim 2>/dev/null
for _ in {1..50}; do
    [ "$(grep -c "what it commanded is released" "$work/cell")" -ge 2 ] && break
    sleep 0.1
done
[ "$(grep -c "what it commanded is released" "$work/cell")" -ge 2 ] || fail "not released: $(<"$work/cell")"
"$unit" --port "$port" --seconds 2.8 >"$work/second" || fail "after a kill the next unit ended with $?"
within "$work/second"

# wrong input: one line, and the robot stays as it is
"$unit" --port "$port" --robot nobody 2>"$work/said"
[ $? -eq 1 ] || fail "another robot is taken"
grep -q nobody "$work/said" || fail "says: $(<"$work/said")"
"$unit" --port "$port" --param Z0=-0.9 2>"$work/said"
[ $? -eq 1 ] || fail "a path out of reach is taken"
grep -q "out of reach" "$work/said" || fail "says: $(<"$work/said")"
"$unit" --port 99999 2>"$work/said"
[ $? -eq 1 ] || fail "port 99999 is taken"
"$unit" --sedonds 1 2>/dev/null
[ $? -eq 2 ] || fail "a misspelled option is taken"
kill -INT $cell
wait $cell || fail "the cell ended with $?"
"$unit" --port "$port" --seconds 1 2>"$work/said"
[ $? -eq 3 ] || fail "no world is no error: $(<"$work/said")"
