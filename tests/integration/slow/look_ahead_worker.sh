#!/usr/bin/env bash
# The worker of a look-ahead that is stopped or killed is noticed within a second, and the run goes on without it; a run that is killed leaves no worker
# behind. The real clock, which a busy processor does not disturb here.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../benches.sh"
worker_of() { pgrep -P "$run" -x doppel-ahead; }
says() { grep -q "$1" "$work/run.log"; }
looks() { # the run has had some looks
    worker=$(worker_of) && says "WheelController driven" && [ "$(wc -l <"$work/real/trace.csv.part")" -gt 30 ]
}
start run "${patrol[@]}" "${ahead[@]}" --duration 60 --out "$work/real"
run=$last
until_true 20 looks || fail "there is no worker, or the run does not begin"
kill -STOP "$worker"
until_true 1 says "the look-ahead does not move" || fail "a stopped worker was not noticed within a second"
kill -CONT "$worker"
until_true 5 says "the look-ahead works again" || fail "a worker that goes on was not noticed"
kill -KILL "$worker"
until_true 1 says "the process of the look-ahead has ended" || fail "a killed worker was not noticed within a second"
until_true 5 says "driving by the laser alone" || fail "the commander does not say that nobody looks ahead"
kill "$run"
wait "$run"
[ $? = 0 ] || fail "the run has failed"
[ "$(json "$work/real/summary.json" look.state)" = '"dead"' ] || fail "the state at the end: $(json "$work/real/summary.json" look.state)"
[ "$(json "$work/real/summary.json" look.lost)" = 2 ] || fail "lost: $(json "$work/real/summary.json" look.lost)"

start run "${patrol[@]}" "${ahead[@]}" --duration 30
run=$last
until_true 10 worker_of || fail "there is no worker"
worker=$(worker_of)
kill -KILL "$run"
gone() { ! grep -qs '^State:[[:space:]]*[RSDT]' "/proc/$worker/status"; }
until_true 5 gone || fail "a worker has outlived its run"
