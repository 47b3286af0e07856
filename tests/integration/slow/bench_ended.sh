#!/usr/bin/env bash
# Runs that are ended from outside: a bench that is interrupted says what it knows and leaves nobody behind; a run that crashes ends no other.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
bench=("$doppel" bench --clock real --quiet)
runs_of() { # PID: in $runs, as soon as all of them have threads
    local run
    run_threads() {
        runs=$(pgrep -P "$1") || return 1
        for run in $runs; do
            [ "$(ls "/proc/$run/task" | wc -l)" -gt 1 ] || return 1
        done
    }
    until_true 5 run_threads "$1" || fail "no run"
}

interrupted() { # SIGNAL TARGET: its runs end in order, in whatever way they are told
    start stopped setsid "${bench[@]}" race/straight --repeat 5 --jobs 2 --out "$work/out"
    until_true 5 test -e "$work/out/2" || fail "no second run"
    runs_of "$last"
    kill "-$1" -- "$2$last"
    until_true 2 eval "! kill -0 $last 2>/dev/null" || fail "it goes on"
    wait "$last"
    [ $? -eq 4 ] || fail "exit code"
    grep -q "^interrupted after 0 of 5 runs$" "$work/stopped.log" || fail "no word of it"
    ! grep -q "FAIL\|expected" "$work/stopped.log" || fail "runs without a verdict were judged"
    [ "$(json "$work/out/1/summary.json" verdict)" = '"interrupted"' ] || fail "the summary"
    [ -s "$work/out/1/log.csv" ] && [ -s "$work/out/2/summary.json" ] || fail "no results"
    for run in $runs; do
        ! kill -0 "$run" 2>/dev/null || fail "a run goes on"
    done
}
for signal in INT TERM HUP; do
    row "SIG$signal" interrupted $signal ""
done
row "SIGINT to all of them" interrupted INT - # each run is told twice
row "SIGHUP to all of them" interrupted HUP -

partly() { # runs that had ended count, and no others; a bench that never began is not mentioned
    start partly "${bench[@]}" race/straight race/chicane --repeat 20 --jobs 1 --out "$work/out" --junit "$work/j.xml" \
        --set Bench.Referee.MaxTicks=50 --set Bench.Referee.Expect=timeout
    until_true 10 test -e "$work/out/straight/2" || fail "no second run"
    kill -INT "$last"
    wait "$last"
    [ $? -eq 4 ] || fail "exit code"
    n=$(sed -n 's/^interrupted after \([0-9]*\) of 40 runs$/\1/p' "$work/partly.log")
    [ "${n:-0}" -ge 1 ] || fail "no word of the interrupt"
    grep -q "^straight: $n of $n runs as expected, 100.0 %.*: $n timeout$" "$work/partly.log" || fail "another rate"
    grep -q "^$n of $n verdicts as expected" "$work/partly.log" || fail "other verdicts"
    ! grep -q "FAIL\|chicane" "$work/partly.log" "$work/j.xml" || fail "runs were judged that did not end"
    xmllint --xpath "/testsuites/testsuite[@name='straight'][@failures=0]/testcase[last()]/skipped" "$work/j.xml" >/dev/null || fail "JUnit does not tell"
}
row "interrupted after some runs" partly

killed() {
    start killed "${bench[@]}" race/straight --repeat 5 --jobs 2
    runs_of "$last"
    kill -KILL "$last"
    for run in $runs; do
        until_true 2 eval "! grep -q '^State:.[^Z]' /proc/$run/status 2>/dev/null" || fail "a run outlives the bench"
    done
}
row "the bench is killed: its runs end" killed

crashed() {
    start bench "${bench[@]}" race/straight race/chicane --junit "$work/j.xml" --set Bench.Referee.MaxTicks=150 --set Bench.Referee.Expect=timeout
    runs_of "$last"
    kill -9 $runs
    wait "$last"
    [ $? -eq 4 ] || fail "the exit code does not tell"
    grep -q "^FAIL straight: crash: the run's process died: Killed" "$work/bench.log" || fail "no word of the crash"
    grep -q "1 of 2 verdicts as expected" "$work/bench.log" || fail "the next bench did not run"
    xmllint --noout "$work/j.xml" || fail "the JUnit file is no XML"
    grep -q 'testsuite name="straight" tests="1" failures="1"' "$work/j.xml" || fail "JUnit does not tell"
}
row "a run is killed: the next one runs" crashed
rows_end
