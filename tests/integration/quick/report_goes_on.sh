#!/usr/bin/env bash
# A report of a run that goes on is made of what it has written until now, and says so; before its first row it says that.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
"$doppel" run patrol --bind twin --clock sim --rate 1 --duration 300 --quiet --out out >run.log 2>&1 &
run=$!
pids+=($run)
until_true 20 test -s out/trace.csv.part
until_true 20 grep -q "^0.5" out/trace.csv.part || fail "the run writes no rows: $(<run.log)"
"$doppel" report out >said.log 2>&1 || fail "report: $(<said.log)"
grep -q "out: the run goes on; shown are the [1-9][0-9]* complete rows of trace.csv.part" said.log || fail "says: $(<said.log)"
grep -q "the run goes on" out/report.html || fail "the page does not say so"
"$doppel" report --table out >said.log 2>&1 || fail "table: $(<said.log)"
grep -q "^| out (goes on) |" said.log || fail "table: $(<said.log)"
kill -INT $run
wait $run
"$doppel" report --table out >said.log 2>&1 || fail "at the end: $(<said.log)"
grep -q "goes on" said.log && fail "it has ended: $(<said.log)"
true
