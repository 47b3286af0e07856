#!/usr/bin/env bash
# Whole applications as they run, on the real clock, with their trace: the thread that runs the components allocates nothing, locks nothing and enters
# the kernel only to sleep. Calls are counted, whenever they come.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
quiet_run() { # THREAD AFTER CYCLES ARGUMENT...
    LD_PRELOAD=$build/tests/support/quiet/libquiet.so QUIET_THREAD=$1 QUIET_AFTER=$2 QUIET_CYCLES=$3 \
        "$doppel" run "${@:4}" --clock real --quiet --duration 60 --out "$work/out" >"$work/run.log" 2>&1
}
quiet() { # as quiet_run
    quiet_run "$@"
    local code=$?
    grep -q "^skipped:" "$work/run.log" && skip "$(grep "^skipped:" "$work/run.log")"
    [ $code -eq 0 ] || fail "exit code $code"
    grep "cycles of $1: 0 allocations, 0 locks, 0 system calls" "$work/run.log" || fail "nothing was counted"
}
noisy() {
    QUIET_SPOIL=1 quiet_run ForceSensor 100 100 hexafloat --bind mock && fail "noise was not found"
    grep -q "cycles of ForceSensor: 2 allocations, 1 locks, 1 system calls" "$work/run.log" || fail "noise was not counted"
}
# enabled, homed, and moved by forces from 3 s on; counted from about 4.5 s on
moves=(--set "MachineControl.Requests=0.1 enable; 0.2 home; 2.4 admittance" --set "ForceSensor.RandomForce=50 2")
for binding in sim mock; do
    beside "hexafloat, $binding" quiet ForceSensor 7200 1600 hexafloat --bind $binding "${moves[@]}"
done
beside "patrol" quiet WheelController 60 60 patrol --bind sim
beside "what is not quiet is found" noisy
rows_end
