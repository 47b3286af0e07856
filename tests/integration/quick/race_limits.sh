#!/usr/bin/env bash
# A race that breaks a limit has failed, and each limit is told: in the log, in the summary, and as a verdict that may be expected.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
bench() { # ARGUMENTS...: of the chicane
    "$doppel" bench race/chicane --quiet "$@" >"$work/bench.log" 2>&1
}
echo=(--set Controller.SpeedOfSound=690.4)

told() { # the line of the log: docs/guides/race-car.md
    bench "${echo[@]}" --out "$work/twice" && fail "twice the echo passes"
    [ "$(json "$work/twice/summary.json" Bench.Referee.verdict)" = '"limit"' ] || fail "the limit is not in the summary"
}
row "a broken limit is in the summary" told
row "a broken limit may be expected" bench "${echo[@]}" --set Bench.Referee.Expect=limit
kept() { ! bench --set Bench.Referee.Expect=limit || fail "a good race broke a limit"; }
row "a good race breaks none" kept
breaks() { # TEXT ARGUMENTS...
    bench "${@:2}" && fail "within the limit"
    grep -q "^FAIL chicane: limit: FINISH .*$1" "$work/bench.log" || fail "it does not say '$1'"
}
row "MinClearance" breaks "; clearance 20[0-9] mm, at least 250 mm expected" --set Bench.Referee.MinClearance=0.25
row "MaxPath" breaks "; path of 6.70 m, at most 6.00 m expected" --set Bench.Referee.MaxPath=6
row "MaxRoughness" breaks "; roughness 3.[0-9]* rad/s^2, at most 1.00 rad/s^2 expected" --set Bench.Referee.MaxRoughness=1
row "MaxWrongSide" breaks "; on the wrong side for [0-9.]* s, at most 0.00 s expected" --set Bench.Referee.KeepTo=left --set Bench.Referee.MaxWrongSide=0

cannot() { # TEXT BENCH ARGUMENTS...
    "$doppel" bench "$2" "${@:3}" >"$work/bench.log" 2>&1 && fail "it is taken"
    grep -q "$1" "$work/bench.log" || fail "it does not say '$1'"
}
row "MaxWrongSide without KeepTo" cannot "MaxWrongSide needs KeepTo" race/chicane --set Bench.Referee.MaxWrongSide=1
row "MaxRefused without a board" cannot "MaxRefused: no board tells" race/process --clock real --set Bench.Referee.MaxRefused=0 \
    --set "Bench.CarPins.Address=pty:$work/p"
rows_end
