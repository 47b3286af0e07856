#!/usr/bin/env bash
# A world in lock-step that stands still under a run: SIGTERM ends the run at once.
source "$(dirname "$0")/../lib.sh"
start sim "$doppel" sim office.xml --port 0 --lockstep
sim=$last
until_true 5 grep -q "^serving" "$work/sim.log" || fail "no world"
port=$(sed -n "s/^serving world 'office' at tcp:.*:\([0-9]*\),.*/\1/p" "$work/sim.log")
start frozen "$doppel" run patrol --bind sim --set WheelController.ip=127.0.0.1 --set WheelController.port="$port" --set LaserScanner.ip=127.0.0.1 \
    --set LaserScanner.port="$port" --clock sim --quiet --out "$work/out"
frozen=$last
trace=$work/out/trace.csv.part
until_true 10 grep -q "^0.5" "$trace" || fail "the run does not drive in the world"
kill -STOP "$sim"
stands() { # the trace does not grow
    local size=${rows:-}
    rows=$(stat -c %s "$trace")
    [ "$rows" = "$size" ]
}
until_true 10 stands || fail "the run goes on without its world"
begun=$(date +%s%N)
kill -TERM "$frozen"
wait "$frozen"
number "($(date +%s%N) - $begun) / 1e9 < 0.8" || fail "a run whose world stands still does not end at once"
