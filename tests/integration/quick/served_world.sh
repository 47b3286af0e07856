#!/usr/bin/env bash
# `doppel sim` serves a world until it is stopped, and a run drives the robot in it; nobody else is served at its port.
source "$(dirname "$0")/../lib.sh"
start world "$doppel" sim office --port 0 --lockstep
world=$last
until_true 10 grep -q "^serving" "$work/world.log" || fail "no world is served"
port=$(sed -n "s/^serving world 'office' at tcp:.*:\([0-9]*\),.*/\1/p" "$work/world.log")
"$doppel" sim office --port "$port" >"$work/second.log" 2>&1
[ $? -eq 1 ] && grep -q "the port is in use" "$work/second.log" || fail "a second world at the port"
"$doppel" run patrol --bind sim --clock sim --quiet --duration 3 --out "$work/served" --set WheelController.ip=127.0.0.1 --set WheelController.port="$port" \
    --set LaserScanner.ip=127.0.0.1 --set LaserScanner.port="$port" >"$work/run.log" 2>&1 || fail "a run in the served world"
number "abs($(last "$work/served" WheelController.x)) > 0.05" || fail "in the served world the base does not move"
kill -TERM "$world"
wait "$world" || fail "a served world that is stopped ends with $?"
