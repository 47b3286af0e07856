#!/usr/bin/env bash
# A world alone that is asked to end (SIGTERM) ends with whole files, however far apart its rows are.
source "$(dirname "$0")/../lib.sh"
start sim "$doppel" sim office --run 1e6 --every 1e5 --out "$work/long"
until_true 10 test -e "$work/long/channels.csv.part" || fail "it does not run: $(ls "$work/long")"
kill -TERM "$last"
gone() { ! kill -0 "$last"; }
until_true 5 gone || fail "it runs 5 s after SIGTERM"
wait "$last" || fail "exit $? after SIGTERM"
[ -s "$work/long/channels.csv" ] && [ -s "$work/long/summary.json" ] || fail "no whole files: $(ls "$work/long")"
