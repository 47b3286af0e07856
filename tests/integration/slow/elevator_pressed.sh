#!/usr/bin/env bash
# A plan presses what the unit reads: a coil that the plan puts is what the unit reads back, so a fault is reset.
source "$(dirname "$0")/../lib.sh"
"$doppel" test "$source_dir/tests/integration/plans/hotel_reset.xml" --out "$work/out" >"$work/run.log" 2>&1 || fail "exit code $?"
[ "$(grep -c '^ok' "$work/run.log")" -eq 9 ] || fail "not nine steps"
