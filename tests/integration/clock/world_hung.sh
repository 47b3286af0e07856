#!/usr/bin/env bash
# The world of the avatar hangs (SIGSTOP): the real robot drives on, and it is told; where it needs the avatar it stands within 0.6 s. Over real ptys,
# by the truth of the robot's world. The real clock: a silence is measured.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../witness.sh"
source "$(dirname "$0")/../stalls.sh"
start_robot
hung() { # ARGUMENTS...: of the run; in $stood when the robot has stood after its world hung
    port=$(free_port)
    serve_avatar sim
    beside_avatar --duration 6 "$@"
    sleep 1
    stood=$(killed "$sim" 19)
    sleep 1.5
    stood=$(stood_after "$stood")
}
drives_on() {
    hung
    wait "$run" || fail "exit code"
    grep -q "warn WheelController.simulation: lost: .*: no world answers" "$work/run.log" || fail "the log does not tell it"
    grep -q "^problem: the device 'WheelController.simulation' was lost 1 time" "$work/run.log" || fail "the last lines do not tell it"
    grep -q ",DEGRADED," "$work/out/trace.csv" || fail "the state does not tell it"
    [ "$stood" = never ] && [ "$(json "$work/out/summary.json" RobotControl.stale_cycles)" -le 6 ] || fail "the robot stood after $stood s"
}
drives_on
stops() {
    hung --set WheelController.OnSimulationLost=stop
    number "'$stood' != 'never' and 0.1 < float('$stood') < 0.6" || fail "the robot that needs its avatar stood after $stood s"
    echo "stood after $stood s" >&2
}
unless_stalled 50 stops
