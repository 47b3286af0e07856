#!/usr/bin/env bash
# Two simulated runs with the same seed give the same trace, byte for byte, also under load; another seed does not.
source "$(dirname "$0")/../lib.sh"
run() { # NAME SEED
    "$doppel" run patrol --bind twin --clock sim --quiet --duration 20 --seed "$2" --out "$work/$1" \
        >"$work/$1.log" 2>&1 || fail "run $1"
}
run first 7
for _ in 1 2 3 4; do
    start load bash -c 'for ((i = 0; i < 60000000; i++)); do :; done' # ends by itself, should nobody end it
done
run second 7
run other 8
[ "$(wc -l <"$work/first/trace.csv")" -gt 1000 ] || fail "the trace is too short to tell"
cmp "$work/first/trace.csv" "$work/second/trace.csv" || fail "the same seed gave another trace"
cmp "$work/first/scans.csv" "$work/second/scans.csv" || fail "the same seed gave other scans"
! cmp -s "$work/first/trace.csv" "$work/other/trace.csv" || fail "another seed gave the same trace"
