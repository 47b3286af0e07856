#!/usr/bin/env bash
# Ctrl-C ends a run in order: its exit code is 0, and its summary and its page say that the user has ended it.
source "$(dirname "$0")/../lib.sh"
start interrupted "$doppel" run patrol --bind sim --duration 60 --quiet --out "$work/out"
until_true 20 grep -qE "^(0\.[5-9]|[1-9])" "$work/out/trace.csv.part" || fail "a run on the real clock"
kill -INT "$last"
wait "$last" || fail "exit code $?"
number "$(json "$work/out/summary.json" duration_s) < 10" || fail "no summary after Ctrl-C"
[ "$(json "$work/out/summary.json" interrupted)" = true ] || fail "the summary does not say that the run was interrupted"
grep -Eq "^interrupted after [0-9.]+ s of 60.0 s" "$work/interrupted.log" || fail "nobody printed that the run was interrupted"
"$doppel" report "$work/out" 2>"$work/report.log" || fail "report"
grep -q "The user ended this run before its end" "$work/out/report.html" || fail "the page does not say that the run was interrupted"
