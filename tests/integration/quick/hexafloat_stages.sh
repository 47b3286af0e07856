#!/usr/bin/env bash
# The referee of the six-axis machine can fail: with stages of the planner off it finds a broken limit, and a machine at rest proves nothing.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
bench() { # TEXT BENCH SET...: the bench fails and says so
    local sets=() set
    for set in "${@:3}"; do
        sets+=(--set "Bench.$set")
    done
    "$doppel" bench "hexafloat/$2" --log-level error --jobs 1 "${sets[@]}" >"$work/bench.log" 2>&1 && fail "nobody noticed"
    grep -q "$1" "$work/bench.log" || fail "it does not say '$1'"
}
guard=TrajectoryPlanner.Guard=false

# without Saturation: with spike docs/guides/motion-planner.md
for name in step dropout_10 nan_burst; do
    row "$name without Guard and Saturation" bench "^FAIL $name: limit_broken:" $name $guard TrajectoryPlanner.Saturation=false
done
row "far_reference without Guard and Saturation" bench "^FAIL far_reference: limit_broken:.*acceleration of x was planned" \
    far_reference $guard TrajectoryPlanner.Saturation=false
row "far_reference without Guard and Workspace" bench "^FAIL far_reference: limit_broken:.*beyond the hard ellipsoid" \
    far_reference $guard TrajectoryPlanner.Workspace=false
row "a machine at rest" bench "^FAIL spike: not_ready:" spike "MachineControl.Requests=0.2 enable"
row "an end before the fault" bench \
    "HexafloatBench.xml:[0-9]*:[0-9]*: error: Bench.MotionReferee: FaultAt is 5 s, but the verdict is given at End, 4 s" spike MotionReferee.End=4
rows_end
