#!/usr/bin/env bash
# A rate group of 1.6 kHz and 400 Hz as its users meet it: repeats byte for byte in simulated time, says its periods, and its
# punctuality can be measured on the real clock.
source "$(dirname "$0")/../lib.sh"
app=$source_dir/tests/integration/rate_group.xml
run() { # NAME OPTIONS...
    local name=$1
    shift
    "$doppel" run "$app" --quiet --out "$work/$name" "$@" >"$work/$name.log" 2>&1 || fail "run $name"
}
executor() { # FILE KEY...: of the rate group
    python3 -c 'import functools, json, sys
print(functools.reduce(lambda o, k: o[k], sys.argv[2:], json.load(open(sys.argv[1]))["executors"]["rate group motion 0.625 ms"]))' "$@"
}
"$doppel" check --resolve --strict "$app" >"$work/check.log" 2>&1 || fail check
grep -q "rate group motion" <("$doppel" graph "$app") || fail "no rate group in the graph"
run first --clock sim --duration 2
run second --clock sim --duration 2
cmp "$work/first/trace.csv" "$work/second/trace.csv" || fail "another trace"
[ "$(wc -l <"$work/first/trace.csv")" -eq 3201 ] || fail "2 s are not 3200 rows"
summary=$work/first/summary.json
[ "$(executor "$summary" cycles)" = 3200 ] || fail "cycles"
[ "$(executor "$summary" components VelocityScript period_ms)" = 2.5 ] || fail "the slow period"
[ "$(executor "$summary" components WheelController period_ms)" = 0.625 ] || fail "the fast period"
number "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["components"]["VelocityScript"]["executes"])' "$summary") == 800" ||
    fail "executes of the slow component"
[ ! -e "$work/first/timing.json" ] || fail "histograms of simulated time"
run real --clock real --duration 0.5 --policy other
[ "$(executor "$work/real/summary.json" policy)" = SCHED_OTHER ] || fail "policy"
[ "$(executor "$work/real/timing.json" period)" = 625000 ] || fail "period of the histograms"
"$doppel" run "$app" --policy deadline >"$work/policy.log" 2>&1
[ $? -eq 2 ] || fail "an unknown policy"
grep -q "expected other, fifo, rr" "$work/policy.log" || fail "no word of the policies"
DOPPEL=$doppel "$source_dir/tests/experiments/jitter" --seconds 0.5 --app "$app" --out "$work/jitter" >"$work/jitter.log" 2>&1 ||
    fail "the tool that measures"
grep -q "^| ticks run | [0-9]* | [0-9]* |" "$work/jitter/jitter.md" || fail "no table"
python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/jitter/jitter.svg" || fail "no chart"
