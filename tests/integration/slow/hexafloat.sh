#!/usr/bin/env bash
# hexafloat.xml under sim, mock and twin: the machine homes, feels its blows and stops; the planner changes no bit of a
# reference that keeps the limits, and keeps them for one that does not; the same run gives the same trace, faster than real time.
source "$(dirname "$0")/../lib.sh"
run() { # NAME BINDING ARGUMENTS...
    local name=$1 binding=$2
    shift 2
    "$doppel" run hexafloat --bind "$binding" --clock sim --quiet --out "$work/$name" "$@" >"$work/$name.log" 2>&1 ||
        fail "run $name"
}
value() { json "$work/$1/summary.json" "$2"; }
# row NAME SECONDS COLUMN: a value of the trace
row() {
    awk -F, -v t="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR > 1 && $1 >= t { print $c; exit }' "$work/$1/trace.csv"
}
is() { [ "$(row "$@")" = "$4" ] || fail "$1 at $2 s: $3 is '$(row "$@")', not '$4'"; }

run sim sim --duration 35
run again sim --duration 35
cmp "$work/sim/trace.csv" "$work/again/trace.csv" || fail "the same run gave another trace"
run mock mock --duration 18
run twin twin --duration 18

for name in sim mock twin; do
    [ "$(value $name MachineControl.fault)" = '"none"' ] || fail "$name: a fault"
    [ "$(value $name MachineControl.refused)" = 0 ] || fail "$name: a request was refused"
    for key in TrajectoryPlanner.{rejected,acted_workspace,acted_saturation,acted_guard,skipped_full,resumed_foreign} \
        MotionPath.{synthesised,overruns,late_poses,map_faults,off_nominal} Hexaslide.fk_failures Servo.{refused,stops}; do
        [ "$(value $name $key)" = 0 ] || fail "$name: $key is $(value $name $key)"
    done
    number "$(value $name Servo.following_error_max) < 0.0005" || fail "$name: the axes are not where they shall be"
    # where the position was asked for, and then at home
    number "abs($(row $name 8.9 Hexaslide.x) - 0.08) < 1e-4" || fail "$name: not at the position"
    number "abs($(row $name 11.5 Hexaslide.x)) < 1e-4" || fail "$name: not at home"
    is $name 15 TrajectoryPlanner.mode following
    number "abs($(row $name 15.1 Hexaslide.x)) > 1e-3" || fail "$name: the blow does not move it"
done
is sim 31.9 MachineControl.substate run
is sim 33 MachineControl.state stopped
is sim 33 MachineControl.phase ready
is sim 34.9 Servo.mode off
number "abs($(row sim 27 Hexaslide.z) - 0.5) < 0.005" || fail "the push does not move it"

# the planned poses are the references, digit by digit
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $c["TrajectoryPlanner.mode"] == "following" {
        n++
        split("x y z roll pitch yaw", dof, " ")
        for (i in dof) if ($c["TrajectoryPlanner.pose_" dof[i]] != $c["TrajectoryPlanner.reference_" dof[i]]) bad++
    }
    END { exit !(n > 30000 && bad == 0) }' "$work/sim/trace.csv" || fail "the planner changed references"

# forces far too large: limits hold, and nothing worse happens
for policy in resume return_home; do
    run rough sim --duration 25 --seed 3 --set "ForceSensor.RandomForce=900 30" --set ForceSensor.RandomBandwidth=3 \
        --set "MachineControl.Requests=0.2 enable; 0.5 home; 3 admittance; 23 stop" \
        --set TrajectoryPlanner.ExcursionPolicy=$policy
    number "$(value rough TrajectoryPlanner.greatest_level_hard) <= 1" || fail "$policy: out of the workspace"
    number "$(value rough TrajectoryPlanner.greatest_acceleration_share) <= 1 + 1e-9" || fail "$policy: too much acceleration"
    number "$(value rough TrajectoryPlanner.acted_workspace) > 1000" || fail "$policy: the forces are not too large"
    for key in MotionPath.{synthesised,map_faults} Hexaslide.fk_failures Servo.stops; do
        [ "$(value rough $key)" = 0 ] || fail "$policy: $key is $(value rough $key)"
    done
    is rough 24.5 MachineControl.state stopped
done

# Ctrl-C in the middle of a motion on the real clock: it comes to rest along its path, and only then the run ends
start interrupted "$doppel" run hexafloat --bind mock --clock real --quiet --out "$work/interrupted" \
    --set "MachineControl.Requests=0.2 enable; 0.4 position 0.1 0 0.54 0 0 0"
until_true 10 grep -q "stopped -> position" "$work/interrupted.log" || fail "it does not move"
sleep 0.9
kill -INT "$last"
wait "$last" || fail "an interrupted run ends with $?"
tail -n 20 "$work/interrupted/trace.csv" | awk -F, -v header="$(head -n 1 "$work/interrupted/trace.csv")" '
    BEGIN { n = split(header, names, ","); for (i = 1; i <= n; i++) c[names[i]] = i }
    { x = $c["TrajectoryPlanner.pose_x"]; if (NR > 1 && x != last) moved = 1; last = x }
    END { exit !(NR == 20 && !moved && x > 0.005 && x < 0.095 && $c["MachineControl.state"] == "stopped") }' ||
    fail "the interrupted machine is not at rest on its way"
grep -q "not at rest" "$work/interrupted.log" && fail "the run did not wait"
[ "$(value interrupted Servo.stops)" = 0 ] || fail "its axes were stopped one by one"

wall=$(value again wall_s)
echo "35 s of sim took $wall s with its trace: $(python3 -c "print(round(35 / $wall))") times real time"

# a run that ends in a fault has failed; one that was reset has not
"$doppel" run hexafloat --bind sim --clock sim --quiet --duration 4 --set "MachineControl.Requests=0.2 enable; 0.5 home; 2 emergency" \
    >"$work/emergency.log" 2>&1
[ $? -eq 3 ] || fail "a run that ends in a fault: exit code"
grep -q "MachineControl was in FAULT when the run ended: emergency stop" "$work/emergency.log" || fail "it does not say so"
run reset sim --duration 4 --set "MachineControl.Requests=0.2 enable; 0.5 home; 2 emergency; 3 reset"
