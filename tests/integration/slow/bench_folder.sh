#!/usr/bin/env bash
# A folder holds the results of a bench's last run, never those of the run before, however the last one ended.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
lane=(race/simulator_test --log-level error --set "Car.Script=0 90 1000" --out)

bench() { # CODE VERDICT ARGUMENTS...: after a run that finished
    "$doppel" bench "${lane[@]}" "$work/out" >"$work/bench.log" 2>&1 || fail "the run before does not finish"
    touch "$work/out/notes.txt"
    "$doppel" bench "${lane[@]}" "$work/out" "${@:3}" >"$work/bench.log" 2>&1
    local got=$?
    [ "$got" -eq "$1" ] || fail "exit code $got, expected $1"
    [ "$(json "$work/out/summary.json" verdict)" = "\"$2\"" ] || fail "the summary does not say $2"
    [ -e "$work/out/notes.txt" ] || fail "another file is gone"
}
says() { # the verdict was not expected; no picture of a run before is there
    [ "$(json "$work/out/summary.json" verdict.expected)" = false ] || fail "the summary says it was expected"
    [ ! -e "$work/out/track.svg" ] || fail "a picture of a run without a log"
}

fault() { # a world without a car
    bench 1 fault --set Track.World=office.xml --set Track.ApiName=avatar
    says
    [ ! -e "$work/out/log.csv" ] || fail "the log of the run before"
}
row "fault" fault
row "none" bench 4 none --duration 0.1
hung() {
    bench 4 hung --clock real --limit 0.3
    says
}
row "hung" hung
crash() {
    bench 0 finished
    start crash "$doppel" bench "${lane[@]}" "$work/out" --clock real
    until_true 5 pgrep -P "$last" || fail "no run"
    until_true 5 eval "! test -e '$work/out/log.csv'" || fail "the log of the run before is there while a run goes on"
    kill -9 "$(pgrep -P "$last")"
    wait "$last"
    [ "$(json "$work/out/summary.json" verdict)" = '"crash"' ] || fail "the summary does not say crash"
    says
    [ "$(json "$work/out/summary.json" application)" = '"SimulatorTest"' ] || fail "whose summary?"
}
row "crash" crash
rows_end
