#!/usr/bin/env bash
# The six-axis machine gets through every fault of its benches, and all of it repeats byte for byte.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

benches=()
for file in "$profiles"/benches/hexafloat/*.xml; do
    benches+=("hexafloat/$(basename "$file" .xml)")
done
[ ${#benches[@]} -ge 15 ] || fail "only ${#benches[@]} benches"
for run in first second; do
    "$doppel" bench "${benches[@]}" --log-level error --out "$run" >"$run.log" 2>&1 || fail "$run: not all as expected"
done

expect() { # BENCH VERDICT
    grep -q "^ok   $1: $2:" first.log || fail "$1: expected $2"
}
for name in spike step dropout_10 dropout_200 nan_burst sensor_stuck planner_late pose_late far_reference; do
    expect "$name" recovered
done
for name in drive_fault drive_lost emergency_stop reference_lost force_lost; do
    expect "$name" axes_stopped
done
expect far_reference_home at_rest

cmp <(grep '^ok' first.log) <(grep '^ok' second.log) || fail "verdicts do not repeat"
for name in "${benches[@]#hexafloat/}"; do
    [ -s "first/$name/trace.csv" ] || fail "$name: no trace"
    cmp "first/$name/trace.csv" "second/$name/trace.csv" || fail "$name: the trace does not repeat"
done
