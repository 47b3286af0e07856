#!/usr/bin/env bash
# The six-axis machine gets through every fault of its benches; with stages of the planner off the referee finds a broken limit;
# and all of it repeats byte for byte.
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

grep '^ok' first.log >first.verdicts
grep '^ok' second.log >second.verdicts
cmp first.verdicts second.verdicts || fail "verdicts do not repeat"
for name in "${benches[@]#hexafloat/}"; do
    [ -s "first/$name/trace.csv" ] || fail "$name: no trace"
    cmp "first/$name/trace.csv" "second/$name/trace.csv" || fail "$name: the trace does not repeat"
done

# what must be found out
broken() { # BENCH STAGE...
    local name=$1 off=()
    shift
    for stage in "$@"; do
        off+=(--set "Bench.TrajectoryPlanner.$stage=false")
    done
    "$doppel" bench "hexafloat/$name" --log-level error "${off[@]}" >control.log 2>&1 && fail "$name without $*: nobody noticed"
    grep -q "^FAIL $name: limit_broken:" control.log || fail "$name without $*: another verdict"
}
for name in spike step dropout_10 nan_burst far_reference; do
    broken "$name" Guard Saturation
done
grep -q "acceleration of x was planned" control.log || fail "far_reference: it does not say what was broken"
broken far_reference Guard Workspace
grep -q "beyond the hard ellipsoid" control.log || fail "far_reference: it does not say that the workspace was left"

# a machine at rest proves nothing
"$doppel" bench hexafloat/spike --log-level error --set "Bench.MachineControl.Requests=0.2 enable" >still.log 2>&1 && fail "a machine at rest got through"
grep -q "^FAIL spike: not_ready:" still.log || fail "a machine at rest: another verdict"
"$doppel" bench hexafloat/spike --log-level error --set Bench.MotionReferee.End=4 >end.log 2>&1 && fail "an end before the fault"
grep -q "HexafloatBench.xml:[0-9]*:[0-9]*: error: Bench.MotionReferee: FaultAt is 5 s, but the verdict is given at End, 4 s" end.log || fail "an end before the fault: no reason given"
