#!/usr/bin/env bash
# Test benches, test plans and programs with worlds of their own are observed as runs are: their verdicts are messages, live and recorded, and are
# those of who is not observed.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
plan=$source_dir/docs/guides/plans/barrier.xml
"$doppel" test "$plan" --out alone --rate 0 >alone.txt 2>log || fail "the plan: $(<log)"
"$doppel" test "$plan" --out recorded --rate 0 --record plan.mcap >recorded.txt 2>log || fail "the recorded plan: $(<log)"
cmp alone.txt <(sed 's/^results: recorded/results: alone/; s|recorded/|alone/|g' recorded.txt) || fail "other verdicts: $(<recorded.txt)"
"$doppel" bag info plan.mcap >info.txt || fail "no recording"
for line in "14 .* /verdicts" "[0-9]* .* /world/barrier/hinge/position"; do
    grep -q "^ *$line " info.txt || fail "no '$line': $(<info.txt)"
done
grep -q "^file mechanisms/barrier.xml" info.txt || fail "the model of the robot is not in the recording: $(<info.txt)"
# seen NAME COUNT COMMAND...: the first verdicts that a viewer sees
seen() {
    start run "$doppel" "${@:3}" --view 0
    until_true 10 grep -q "^view: ws:" run.log || fail "no address: $(<run.log)"
    "$doppel" topic echo /verdicts --json --count "$2" --for 60 >"$1.json" || fail "$1: no verdicts"
    [ "$1" = bench ] || "$doppel" topic echo /verdicts --json --count "$2" --for 5 >late.json || fail "$1: no verdict for who joins late"
    wait "$last" || fail "$1: $(<run.log)"
}
seen plan 2 test "$plan" --rate 1
cmp plan.json late.json || fail "who joins late sees other verdicts: $(cat late.json)"
seen bench 2 bench race/straight --rate 1
python3 -S - <<'PY' || fail "other verdicts: $(cat plan.json bench.json)"
import json
plan, bench = ([json.loads(line)["message"] for line in open(name)] for name in ("plan.json", "bench.json"))
steps = "brake opens", "bolt holds", "brake holds", "feedback of the brake is lost"
first = plan[0]
assert steps[int(first["number"]) - 1] == first["step"] and first["count"] == 4 and first["verdict"] in ("runs", "passed"), plan
assert any(row["verdict"] == "passed" and row["time"] > 0 for row in plan), plan
assert bench[0]["step"] == "Bench.Referee" and bench[0]["name"] == "finished" and bench[0]["verdict"] == "passed" and bench[1]["value"] > 0 and bench[1]["unit"], bench
PY
# whose world was touched by hand has proven nothing: it says so, and so does the next that goes on from there, but none with a world of its own
start touched "$doppel" test "$plan" --rate 0.5 --view 0 --out touched
until_true 10 grep -q "^ok   brake opens" touched.log || fail "no step: $(<touched.log)"
"$doppel" service call /world/put '{"channel":"barrier/boom/grip","value":[0,0,0,0,0,0,0.001],"seconds":0.1}' >log || fail "no hand: $(<log)"
wait "$last"
[ $? -eq 4 ] && [ "$(sed -n 's/^\(ok\|hand\) *\([a-z ]*\) (.*s)\(.*\)/\1 \2\3/p' touched.log)" = "ok brake opens
hand bolt holds: touched by hand
hand brake holds: touched by hand
ok feedback of the brake is lost" ] || fail "touched: $(<touched.log)"
grep -q "^1 run: 2 steps passed, 2 touched by hand, 0 failed, 0 skipped" touched.log && grep -q '"touched_by_hand": 2' touched/summary.json || fail "touched: $(<touched.log)"
[ "$(grep -c '<skipped message="touched by hand"/>' touched/junit.xml)" = 2 ] || fail "junit: $(<touched/junit.xml)"
start touched "$doppel" bench race/straight --rate 2 --view 0
until_true 10 grep -q "^view: ws" touched.log || fail "no address: $(<touched.log)"
until_true 5 "$doppel" service call /world/put '{"channel":"car/place","value":[0.5,0.3,1.5708]}' || fail "the car is not put"
wait "$last"
[ $? -eq 4 ] && grep -q "^FAIL straight: touched: by hand" touched.log || fail "a touched bench: $(tail -n 3 touched.log)"
own=$build/tests/integration/own_world
"$own" "$profiles/worlds/office.xml" 2 own.mcap -1 2>log || fail "a program: $(<log)"
"$doppel" bag info own.mcap >info.txt || fail "no recording"
grep -q "^ *101 .* /world/time " info.txt || fail "the program: $(<info.txt)"
start run "$own" "$profiles/worlds/office.xml" 1000 own.mcap 0
until_true 10 grep -q "^view: ws:" run.log || fail "no address: $(<run.log)"
"$doppel" service call /run/stop '{}' >log && wait "$last" || fail "the program is not stopped: $(<run.log)"
