# hexafloat.xml beyond the guide, whose runs are under sim and twin: the machine homes, feels its blows and stops; the planner changes no bit of a
# reference that keeps the limits, and keeps them for one that does not; an interrupted machine comes to rest; a run that ends in a fault has failed.
source "$source_dir/tests/integration/rows.sh"
guide=$work/root/out
run() { # NAME BINDING ARGUMENTS...
    "$doppel" run hexafloat --bind "$2" --clock sim --quiet --out "$work/$1" "${@:3}" >"$work/$1.log" 2>&1 || fail "run $1"
}
value() { json "$work/$1/summary.json" "$2"; }
# at NAME SECONDS COLUMN: a value of the trace
at() {
    awk -F, -v t="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR > 1 && $1 >= t { print $c; exit }' "$work/$1/trace.csv"
}
is() { [ "$(at "$@")" = "$4" ] || fail "$1 at $2 s: $3 is '$(at "$@")', not '$4'"; }
none() { # NAME COUNTER...
    for key in "${@:2}"; do
        [ "$(value "$1" "$key")" = 0 ] || fail "$1: $key is $(value "$1" "$key")"
    done
}

good() { # BINDING: no stage had to act; where the position was asked for, then at home, then moved by a blow
    [ "$(value "$1" MachineControl.fault)" = '"none"' ] || fail "a fault"
    none "$1" MachineControl.refused TrajectoryPlanner.{rejected,acted_workspace,acted_saturation,acted_guard,skipped_full,resumed_foreign} \
        MotionPath.{synthesised,overruns,late_poses,map_faults,off_nominal} Hexaslide.fk_failures Servo.{refused,stops}
    number "$(value "$1" Servo.following_error_max) < 0.0005" || fail "the axes are not where they shall be"
    number "abs($(at "$1" 8.9 Hexaslide.x) - 0.08) < 1e-4" || fail "not at the position"
    number "abs($(at "$1" 11.5 Hexaslide.x)) < 1e-4" || fail "not at home"
    is "$1" 15 TrajectoryPlanner.mode following
    number "abs($(at "$1" 15.1 Hexaslide.x)) > 1e-3" || fail "the blow does not move it"
}
twin() {
    ln -s "$guide/twin" "$work/twin"
    good twin
}
row "twin" twin
mock() {
    run mock mock --duration 18
    good mock
}
row "mock" mock
longer() { # the guide's run again, to its end: the same trace; the planned poses are the references, digit by digit
    run sim sim --duration 35
    head -n "$(wc -l <"$guide/hexafloat/trace.csv")" "$work/sim/trace.csv" | cmp - "$guide/hexafloat/trace.csv" || fail "the same run gave another trace"
    good sim
    is sim 31.9 MachineControl.substate run
    is sim 33 MachineControl.state stopped
    is sim 33 MachineControl.phase ready
    is sim 34.9 Servo.mode off
    number "abs($(at sim 27 Hexaslide.z) - 0.5) < 0.005" || fail "the push does not move it"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        $c["TrajectoryPlanner.mode"] == "following" {
            n++
            split("x y z roll pitch yaw", dof, " ")
            for (i in dof) if ($c["TrajectoryPlanner.pose_" dof[i]] != $c["TrajectoryPlanner.reference_" dof[i]]) bad++
        }
        END { exit !(n > 30000 && bad == 0) }' "$work/sim/trace.csv" || fail "the planner changed references"
}
row "sim, twice the same" longer

rough() { # POLICY: forces far too large: limits hold, and nothing worse happens
    run rough sim --duration 25 --seed 3 --set "ForceSensor.RandomForce=900 30" --set ForceSensor.RandomBandwidth=3 \
        --set "MachineControl.Requests=0.2 enable; 0.5 home; 3 admittance; 23 stop" \
        --set TrajectoryPlanner.ExcursionPolicy="$1"
    number "$(value rough TrajectoryPlanner.greatest_level_hard) <= 1" || fail "out of the workspace"
    number "$(value rough TrajectoryPlanner.greatest_acceleration_share) <= 1 + 1e-9" || fail "too much acceleration"
    number "$(value rough TrajectoryPlanner.acted_workspace) > 1000" || fail "the forces are not too large"
    none rough MotionPath.{synthesised,map_faults} Hexaslide.fk_failures Servo.stops
    is rough 24.5 MachineControl.state stopped
}
row "forces far too large, resume" rough resume
row "forces far too large, return_home" rough return_home

interrupted() { # Ctrl-C on the real clock: it comes to rest along its path, and only then the run ends
    start interrupted "$doppel" run hexafloat --bind mock --clock real --quiet --out "$work/interrupted" \
        --set "MachineControl.Requests=0.2 enable; 0.4 position 0.1 0 0.54 0 0 0"
    until_true 10 grep -q "stopped -> position" "$work/interrupted.log" || fail "it does not move"
    sleep 0.5 # to the middle of its motion
    kill -INT "$last"
    wait "$last" || fail "an interrupted run ends with $?"
    tail -n 20 "$work/interrupted/trace.csv" | awk -F, -v header="$(head -n 1 "$work/interrupted/trace.csv")" '
        BEGIN { n = split(header, names, ","); for (i = 1; i <= n; i++) c[names[i]] = i }
        { x = $c["TrajectoryPlanner.pose_x"]; if (NR > 1 && x != last) moved = 1; last = x }
        END { exit !(NR == 20 && !moved && x > 0.005 && x < 0.095 && $c["MachineControl.state"] == "stopped") }' ||
        fail "the interrupted machine is not at rest on its way"
    grep -q "not at rest" "$work/interrupted.log" && fail "the run did not wait"
    none interrupted Servo.stops # its axes were not stopped one by one
}
row "interrupted in the middle of a motion" interrupted

emergency() {
    "$doppel" run hexafloat --bind sim --clock sim --quiet --duration 4 --set "MachineControl.Requests=0.2 enable; 0.5 home; 2 emergency" >"$work/said" 2>&1
    [ $? -eq 3 ] || fail "exit code"
    grep -q "MachineControl was in FAULT when the run ended: emergency stop" "$work/said" || fail "it does not say so"
}
row "a run that ends in a fault has failed" emergency
row "one that was reset has not" run reset sim --duration 4 --set "MachineControl.Requests=0.2 enable; 0.5 home; 2 emergency; 3 reset"
rows_end
