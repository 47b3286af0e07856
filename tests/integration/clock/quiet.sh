#!/usr/bin/env bash
# Whole applications as they run, on the real clock, with their trace: the thread that runs the components allocates nothing, locks
# nothing and enters the kernel only to sleep.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

quiet() { # NAME THREAD AFTER CYCLES ARGUMENTS...
    local name=$1 thread=$2 after=$3 cycles=$4
    shift 4
    LD_PRELOAD=$build/tests/support/quiet/libquiet.so QUIET_THREAD=$thread QUIET_AFTER=$after QUIET_CYCLES=$cycles \
        "$doppel" run "$@" --clock real --quiet --duration 60 --out "$work/$name" >"$name.log" 2>&1
    local code=$?
    grep -q "^skipped:" "$name.log" && skip "$(grep "^skipped:" "$name.log")"
    [ $code -eq 0 ] || fail "$name"
    grep "cycles of $thread: 0 allocations, 0 locks, 0 system calls" "$name.log" || fail "$name: nothing was counted"
}

# enabled, homed, and moved by forces from 3 s on; counted from about 4.5 s on
moves=(--set "MachineControl.Requests=0.1 enable; 0.2 home; 2.4 admittance" --set "ForceSensor.RandomForce=50 2")
for binding in sim mock; do
    quiet hexafloat_$binding ForceSensor 7200 1600 hexafloat --bind $binding "${moves[@]}"
done
quiet patrol WheelController 60 60 patrol --bind sim

# what is not quiet is found
LD_PRELOAD=$build/tests/support/quiet/libquiet.so QUIET_SPOIL=1 QUIET_THREAD=ForceSensor QUIET_AFTER=100 QUIET_CYCLES=100 \
    "$doppel" run hexafloat --bind mock --clock real --quiet --duration 60 >noise.log 2>&1 && fail "noise was not found"
grep -q "cycles of ForceSensor: 2 allocations, 1 locks, 1 system calls" noise.log || fail "noise was not counted"
