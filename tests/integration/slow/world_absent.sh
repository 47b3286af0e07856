#!/usr/bin/env bash
# A world that nobody serves: SIGTERM ends the run at once, whatever it waits for.
source "$(dirname "$0")/../lib.sh"
port=$(free_port)
absent=(--set WheelController.ip=127.0.0.1 --set WheelController.port=$port --set LaserScanner.ip=127.0.0.1
    --set LaserScanner.port=$port --quiet)
# ends NAME DELAY COMMAND...: SIGTERM after DELAY; ends within 0.5 s
ends() {
    local name=$1 delay=$2 begun seconds
    shift 2
    start "$name" "$@"
    sleep "$delay"
    kill -0 "$last" 2>/dev/null || fail "$name: it did not wait"
    begun=$(date +%s%N)
    kill -TERM "$last"
    wait "$last"
    seconds=$(python3 -c "print(($(date +%s%N) - $begun) / 1e9)")
    echo "$name: $seconds s from SIGTERM to the end" >&2
    number "$seconds < 0.5" || fail "$name: $seconds s from SIGTERM to the end"
}
for clock in real sim; do
    ends "opening_$clock" 0.1 "$doppel" run patrol --bind sim "${absent[@]}" --clock $clock
    ends "running_$clock" 1.2 "$doppel" run patrol --bind sim "${absent[@]}" --clock $clock
done
grep -q "the run was stopped before a world answered" "$work/running_sim.log" || fail "the reason is not told"
# a world in lock-step that stands still under the run
start sim "$doppel" sim office.xml --port $port --lockstep
sim=$last
until_true 5 grep -q serving "$work/sim.log"
start frozen "$doppel" run patrol --bind sim "${absent[@]}" --clock sim
frozen=$last
sleep 1
kill -STOP "$sim"
sleep 0.5
begun=$(date +%s%N)
kill -TERM "$frozen"
wait "$frozen"
number "($(date +%s%N) - $begun) / 1e9 < 0.8" || fail "a run whose world stands still does not end at once"
kill -CONT "$sim"
