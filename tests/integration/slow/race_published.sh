#!/usr/bin/env bash
# The verification set-up of the race-car bench: the paper's car reproduces the published tests row for row, twice the
# same, random races equal its formulas written a second time, and each body drives through the same corridor.
source "$(dirname "$0")/../lib.sh"
bench=$profiles/benches/race/simulator_test.xml

# published NAME: the rows of a published test
published() {
    sed -n "/ $1\[/,/};/s/^ *\"\(.*\)\",\$/\1/p" "$source_dir/tests/unit/components/race/car/published_race.h"
}

# race NAME SET...: runs the bench into $work/NAME
race() {
    local name=$1 sets=()
    shift
    for set in "$@"; do
        sets+=(--set "$set")
    done
    "$doppel" run "$bench" --clock sim --set Car.Model=paper --set Car.SensorOffsets="30 0 330 45 135 225 315" \
        --set Car.Start="1500 0" --set Track.Walls="1000 0 1000 5000; 2000 0 2000 5000" --set Track.FinishY=2000 \
        "${sets[@]}" --out "$work/$name" >"$work/$name.log" 2>&1
}

# expect NAME TEST VERDICT: a race's rows are those of the published test
expect() {
    { echo "tick,x,y,vel,dir,s0,s1,s2,s3,s4,s5,s6" && published "$2"; } >"$work/$2.csv"
    [ "$(wc -l <"$work/$2.csv")" -gt 8 ] || fail "no rows of $2"
    diff "$work/$2.csv" "$work/$1/log.csv" || fail "$1: not as published"
    [ "$(json "$work/$1/summary.json" Referee.verdict)" = "\"$3\"" ] || fail "$1: not $3"
}

race first Car.Script="0 90 1000" || fail "first"
expect first published_test1 finished
race second Car.Script="0 135 1000" Referee.Expect=hit || fail "second"
expect second published_test2 hit
race again Car.Script="0 135 1000" Referee.Expect=hit || fail "again"
for file in log.csv scene.json trace.csv; do
    cmp "$work/second/$file" "$work/again/$file" || fail "$file differs from run to run"
done
for model in differential ackermann; do
    race $model Car.Model=$model Car.Script="0 90 1000" Car.Start="1500 500" || fail "$model"
    [ "$(json "$work/$model/summary.json" Referee.verdict)" = '"finished"' ] || fail "$model does not finish"
done
python3 "$source_dir/tests/integration/slow/race_paper.py" "$doppel" "$work" 100 || fail "another car than the formulas"
race slanted Track.Walls="0 0 1000 1" && fail "the paper takes a slanted wall"
grep -q "wall 1 runs from (0, 0) to (1000, 1) mm" "$work/slanted.log" || fail "no word about the slanted wall"
