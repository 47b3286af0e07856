#!/usr/bin/env bash
# A world without an application is observed as a run is: recorded and viewed, it moves as alone; who may control it pauses and steps it, exactly,
# whether it runs alone or is served.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
moving=(--put avatar/LeftWheel/speed=4 --put avatar/RightWheel/speed=3)
"$doppel" sim office --run 2 "${moving[@]}" --out alone 2>log || fail "alone: $(<log)"
"$doppel" sim office --run 2 "${moving[@]}" --out recorded --record run.mcap 2>log || fail "recorded: $(<log)"
cmp alone/channels.csv recorded/channels.csv || fail "a recording changes the world"
"$doppel" bag info run.mcap >info.txt || fail "no recording"
for topic in "101 .* /tf" "101 .* /world/avatar/x" "1 .* /world/avatar/start" "1 .* /scene"; do
    grep -q "^ *$topic " info.txt || fail "no '$topic': $(<info.txt)"
done
state() { "$doppel" topic echo /run/state --json --once --for 10; }
call() { "$doppel" service call "/run/$1" "$2" | sed -n 's/^time_s: //p'; }
# steer: pauses, steps 100 times, runs for a second: each is exact
steer() {
    local at=$(call pause '{}') then
    [ -n "$at" ] || fail "it is not paused: $(<run.log)"
    then=$(call step '{"cycles": 100}')
    python3 -c "assert round($then - $at, 9) == 0.1, ($then, $at)" || fail "100 steps"
    python3 -c "assert round($(call run_for '{"seconds": 1}') - $then, 9) == 1" || fail "a second"
    state | piped '"state":"paused".*"can_pause":true' || fail "the state: $(state)"
    for topic in x contacts contacts; do
        "$doppel" topic echo "/world/avatar/$topic" --once --for 5 >log || fail "who comes to paused time does not see $topic"
    done
    [ -n "$(call rate '{"rate": 2}')" ] && [ -n "$(call resume '{}')" ] || fail "it does not go on"
    until_true 10 eval 'state | piped "\"state\":\"running\".*\"rate\":2,"' || fail "the state: $(state)"
}
start run "$doppel" sim office --run 100 "${moving[@]}" --out viewed --view 0
until_true 10 grep -q "^view: ws:" run.log || fail "no address: $(<run.log)"
steer
"$doppel" service call /run/stop '{}' >log && wait "$last" || fail "it is not stopped: $(<run.log)"
n=$(wc -l <viewed/channels.csv)
"$doppel" sim office --run 20 "${moving[@]}" --out long 2>log || fail "alone: $(<log)"
cmp viewed/channels.csv <(head -n "$n" long/channels.csv) || fail "pauses change the world"
start run "$doppel" sim office --port 0 --view 0 --allow-control
until_true 10 grep -q "^view: ws:" run.log || fail "no address: $(<run.log)"
steer
"$doppel" service call /run/rate '{"rate": 0.001}' 2>log && fail "a rate that the world does not have"
grep -q "0.01 to 1000" log || fail "not told: $(<log)"
kill -INT "$last" && wait "$last" || fail "the end: $(<run.log)"
start run "$doppel" sim office --port 0 --view 0
until_true 10 grep -q "^view: ws:" run.log || fail "no address: $(<run.log)"
"$doppel" service call /run/pause '{}' 2>log && fail "without --allow-control"
grep -q "may not pause the run: that needs the role control" log || fail "not told: $(<log)"
