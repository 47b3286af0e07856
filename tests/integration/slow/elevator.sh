#!/usr/bin/env bash
# The elevator: its physics against closed forms; the unit passes its 55 steps; each of its five mistakes is found by the step for it (that few others fail is what tests/planted/elevator tells). One other machine, too.
source "$(dirname "$0")/../lib.sh"
unit="$build/tools/controllers/elevator/elevator_controller --port {modbus_port}"

# plan DIR ARGUMENT...: its exit code in $code, what failed in $failed
plan() {
    local dir=$work/$1
    shift
    timeout 280 "$doppel" test "$@" --out "$dir" >"$dir.log" 2>&1
    code=$?
    failed=$(grep '^FAIL' "$dir.log")
}

plan physics "$source_dir/tests/integration/elevator/physics.xml"
[ $code -eq 0 ] || fail "physics: exit code $code: $(<"$work/physics.log")"

plan good elevator --unit "$unit"
[ $code -eq 0 ] || fail "the good unit: exit code $code: $(<"$work/good.log")"
[ "$(grep -c '^ok' "$work/good.log")" -eq 55 ] || fail "not 55 steps: $(<"$work/good.log")"
xmllint --noout "$work/good/junit.xml" || fail "junit.xml is no XML"

# another machine, which the plan's own command tells the unit
plan other elevator --param HEIGHT=3.6 --param SPEED=1
[ $code -eq 0 ] || fail "HEIGHT=3.6 SPEED=1: exit code $code: $(<"$work/other.log")"
# and a unit that is told the wrong one is found
plan stranger elevator --param HEIGHT=3.6 --param SPEED=1 --unit "$unit --param SPEED={SPEED}" --step "02 one floor, empty"
[[ $code -eq 4 && $failed == "FAIL 02 "* ]] || fail "a unit that does not know HEIGHT: exit code $code: $(<"$work/stranger.log")"

while read -r fault step; do
    plan "$fault" elevator --unit "$unit --fault $fault" --step "$step"
    [ $code -eq 4 ] && [[ $failed == "FAIL $step "* ]] || fail "$fault: exit code $code: $(<"$work/$fault.log")"
    ls "$work/$fault" | grep -q "^trace" || fail "$fault: no trace of the failed step: $(ls "$work/$fault")"
done <<FAULTS
no_relevel 07 people enter and leave at the bottom
half_curtain 09 somebody walks through the closing door
late_overload 08 overload
door_contact_at_start_only 12 door contact lost at full speed
nearest_call 11 calls in order
FAULTS
