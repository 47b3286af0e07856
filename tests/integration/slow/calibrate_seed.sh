#!/usr/bin/env bash
# doppel calibrate: the limits of tests/experiments/calibration for one robot.
source "$(dirname "$0")/../lib.sh"
"$source_dir/tests/experiments/calibration" "$build" 1 >"$work/acceptance.log" 2>&1 || fail "limits"
grep -q "^seed 1: .*: ok$" "$work/acceptance.log" || fail "no row"
