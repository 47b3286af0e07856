#!/usr/bin/env bash
# Each of the five mistakes of the elevator's unit is found by the step for it (that few others fail is what tests/planted/elevator tells). That a unit without a mistake passes is in the guides
# machines (the shipped plan) and test-plans (another machine).
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
unit="$build/tools/controllers/elevator/elevator_controller --port {modbus_port}"

found() { # STEP ARGUMENTS...: this step fails alone, and leaves a trace
    local failed code
    "$doppel" test elevator "${@:2}" --out "$work/out" >"$work/plan.log" 2>&1
    code=$?
    [ $code -eq 4 ] || fail "exit code $code"
    failed=$(grep '^FAIL' "$work/plan.log")
    [ "$(wc -l <<<"$failed")" -eq 1 ] && [[ $failed == "FAIL $1 "* ]] || fail "not step $1 alone: $failed"
    compgen -G "$work/out/trace*" || fail "no trace of the failed step: $(ls "$work/out")"
}
while read -r fault step; do
    row "$fault" found "${step%% *}" --unit "$unit --fault $fault" --step "$step"
done <<FAULTS
no_relevel 07 people enter and leave at the bottom
half_curtain 09 somebody walks through the closing door
late_overload 08 overload
door_contact_at_start_only 12 door contact lost at full speed
nearest_call 11 calls in order
FAULTS
row "a unit that does not know HEIGHT" found 02 --param HEIGHT=3.6 --param SPEED=1 --unit "$unit --param SPEED={SPEED}" --step "02 one floor, empty"
rows_end
