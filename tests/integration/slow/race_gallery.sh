#!/usr/bin/env bash
# The shipped controller finishes the shipped tracks from 30 varied starts each, with either car; a dead end it does not. (chicane and across
# with the first car: docs/guides/race-car.md. Too narrow for the turning circle of the second car: hairpin and across.)
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"

finishes() { # TRACK ARGUMENTS...
    "$doppel" bench "race/$1" --quiet --vary --repeat 30 "${@:2}" --jobs 1 >"$work/bench.log" 2>&1 || fail "$(grep -v FAIL "$work/bench.log")"
    grep -q "^$1: 30 of 30 runs as expected.*: 30 finished" "$work/bench.log" || fail "not 30 finished"
}
for track in straight wide_turn tight_turn left_turn; do
    row "$track" finishes $track
    row "$track with steering" finishes $track --bind ackermann
done
row "hairpin" finishes hairpin
row "chicane with steering" finishes chicane --bind ackermann

dead_end() {
    "$doppel" bench race/dead_end --quiet --vary --repeat 10 --jobs 1 >"$work/bench.log" 2>&1 || fail "it cannot be finished, and the bench should say so"
    "$doppel" bench race/dead_end --quiet --set Bench.Referee.Expect=finished >"$work/bench.log" 2>&1 && fail "dead_end finished"
    grep -q "TIMEOUT.*the car is at ([0-9]*,[0-9]*) mm" "$work/bench.log" || fail "it does not say where"
}
row "dead_end cannot be finished" dead_end
repeats() { # of log and trace: docs/guides/race-car.md
    for run in 5 5-again 6; do
        "$doppel" bench race/chicane --quiet --vary --seed "${run%-again}" --out "$work/$run" >"$work/bench.log" 2>&1 || fail "chicane, seed $run"
    done
    cmp "$work/5/track.svg" "$work/5-again/track.svg" || fail "the same seed gave another picture"
    ! cmp -s "$work/5/log.csv" "$work/6/log.csv" || fail "another seed gave the same log"
}
row "a seed has a picture and a log of its own" repeats
rows_end
