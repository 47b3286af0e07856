#!/usr/bin/env bash
# A patrol with a look-ahead repeats byte for byte in simulated time, the looks that it keeps, too.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../benches.sh"
benches_made with
patrolled "$work/again" "${ahead[@]}" >"$work/again.log" 2>&1 || fail "run"
[ "$(of with look.predicted)" -gt 0 ] || fail "no contact was predicted: the test tells nothing"
cmp "$made/trace.csv" "$work/again/trace.csv" || fail "two simulated runs differ"
cmp "$made/looks.csv" "$work/again/looks.csv" || fail "two simulated runs kept other looks"
