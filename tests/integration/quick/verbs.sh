#!/usr/bin/env bash
# The shell's verbs on a run that is viewed: topics by path, parameters, services, the time of the run, a recording of a part; what is refused.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
says() { # says TEXT CODE COMMAND...: it ends with the code, and says so
    local text=$1 code=$2
    shift 2
    "$doppel" "$@" >said 2>&1
    local got=$?
    [ $got -eq "$code" ] && grep -q -- "$text" said || fail "doppel $*: exit code $got, $(<said)"
}
says "no run can be viewed" 1 topic list
start run "$doppel" run patrol --bind sim --clock sim --rate 4 --quiet --view 0
run=$last
until_true 10 grep -q "^view: ws:" run.log || fail "no address"
says '^/WheelController/odometry  *doppel.Odometry$' 0 topic list
says '^  double theta\|double theta' 0 topic info /WheelController/odometry
says '^ranges: \[[0-9.]*, ' 0 topic echo /LaserScanner/scan --once
says '^[0-9.]*$' 0 topic echo '/LaserScanner/scan.ranges[3]' --once
says "there is no topic '/nothing'" 1 topic echo /nothing --once
says "^10.000 Hz, period 0.100000 to 0.100000 s" 0 topic hz /LaserScanner/scan --count 1
says '^0.07$' 0 param get WheelController.WheelDiameter
says "cannot be changed during the run" 1 param set WheelController.WheelDiameter 0.08
says . 0 param set WheelController.CommandTimeout 321
says '^321$' 0 param get WheelController.CommandTimeout
says "there is no parameter 'Base.Speed'" 1 param get Base.Speed
says '^ok: true' 0 service call /run/pause '{}'
at() { sed -n 's/^time_s: //p' said; }
before=$(at)
says '^ok: true' 0 service call /run/step '{"cycles":4}'
[ "$(python3 -c "print(round($(at) - $before, 9))")" = 0.2 ] || fail "4 cycles: $before to $(at)"
says "cycles" 1 service call /run/step '{"cycles":0}'
says '^ok: true' 0 service call /run/resume '{}'
says '^RobotControl  *ACTIVE ' 0 component list
says '^recorded [0-9]* messages of 1 topics' 0 record /WheelController/odometry --output part.mcap --for 1
says '^ *[1-9][0-9]* .* /WheelController/odometry ' 0 bag info part.mcap
says "doppel.Odometry" 0 bag info part.mcap
kill -INT "$run"
wait "$run" || fail "the run ended with $?"
says "no run can be viewed" 1 top
"$doppel" doctor >said 2>&1
grep -q "^ok    versions " said || fail "doctor: $(<said)"
