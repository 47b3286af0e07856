#!/usr/bin/env bash
# A folder of results belongs to one run: a second one is refused and changes nothing in it. When the first has ended, or was killed, the
# folder is free.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
refused() { # COMMAND...: with --out out
    "$@" --out out >"$work/second.log" 2>&1
    local code=$?
    [ $code -eq 1 ] || fail "$*: exit code $code, expected 1"
    grep -q "out: another run writes its results there" "$work/second.log" || fail "$*: says $(<"$work/second.log")"
}
patrol=("$doppel" run patrol --bind sim --clock sim --quiet)
"${patrol[@]}" --rate 1 --duration 300 --out out >first.log 2>&1 &
first=$!
pids+=($first)
until_true 20 test -s out/trace.csv.part || fail "the first run does not begin"
was=$(stat -c %i out/trace.csv.part out/run.json)
refused "${patrol[@]}" --duration 1
refused "$doppel" bench race/chicane
refused "$doppel" sim office.xml --run 1
refused "$doppel" test elevator
refused "$doppel" run patrol --bind none_such --clock sim
[ "$(stat -c %i out/trace.csv.part out/run.json)" = "$was" ] || fail "the second run has changed the results of the first"
kill -KILL $first
wait $first 2>/dev/null
"${patrol[@]}" --duration 1 --out out >third.log 2>&1 || fail "after a crash the folder is not free: $(<third.log)"
"${patrol[@]}" --duration 1 --out out >third.log 2>&1 || fail "after the end the folder is not free: $(<third.log)"
