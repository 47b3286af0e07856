# An independent witness of a base that is driven: the truth of its world, asked over the link of the emulator or of `doppel sim`. Sourced after lib.sh.

# witness NAME PORT ROBOT: writes NAME.log from now on
witness() {
    start "$1" "$build/tests/integration/watch_robot" "tcp://127.0.0.1:$2" "$3"
    until_true 5 test -s "$work/$1.log" || fail "$1: no witness"
}
# recent NAME CONDITION: whether the speed (m/s, of a point 0.1 m from the middle) has fulfilled it for 0.3 s
recent() {
    tail -n 400 "$work/$1.log" | awk "
        NF == 5 { t[++n] = \$1; v = \$2 < 0 ? -\$2 : \$2; w = \$3 < 0 ? -\$3 : \$3; speed[n] = v + 0.1 * w }
        END { for (i = n; i > 0 && t[n] - t[i] < 0.3; i--) if (!(speed[i] $2)) exit 1; exit i < 1 }"
}
drives() { recent "$1" '> 0.05'; }
stands() { recent "$1" '< 0.005'; }
# drove NAME: for how long it moved, s
drove() {
    awk 'NF == 5 && ($2 > 0.01 || $2 < -0.01) { if (!n++) first = $1; last = $1 } END { printf "%.2f\n", last - first }' "$work/$1.log"
}
# way_after NAME TIME: how far it was from where it was at a time of CLOCK_MONOTONIC, at most, mm
way_after() {
    awk -v since="$2" 'NF == 5 && $1 >= since { if (!n++) { x = $4; y = $5 } way = sqrt(($4 - x)^2 + ($5 - y)^2); if (way > most) most = way }
        END { printf "%.1f\n", (n > 20 ? 1000 * most : 1e9) }' "$work/$1.log"
}
# killed PID SIGNAL: sends it, and prints when, by CLOCK_MONOTONIC
killed() {
    python3 -S -c 'import os, sys, time; print(time.monotonic()); os.kill(int(sys.argv[1]), int(sys.argv[2]))' "$1" "$2"
}
# serve_avatar NAME: the avatar's world is a process, $sim, at $port
serve_avatar() {
    start "$1" "$doppel" sim office.xml --port "$port"
    sim=$last
    until_true 10 grep -q serving "$work/$1.log" || fail "no world"
}
# beside_avatar ARGUMENTS...: the robot of start_robot on patrol, $run, with its avatar there; it drives. The witness is `truth`
beside_avatar() {
    witness truth "${world##*:}" robot
    start run "$doppel" run patrol --bind hil "${robot_hil[@]}" --set WheelController.simulation.ip=127.0.0.1 \
        --set WheelController.simulation.port="$port" --set LaserScanner.simulation.ip=127.0.0.1 --set LaserScanner.simulation.port="$port" \
        --quiet --out "$work/out" "$@"
    run=$last
    until_true 10 drives truth || fail "the robot does not drive"
}
# stood_after TIME: s from then until it stood and stood still, "never" if it did not
stood_after() {
    awk -v since="$1" 'NF == 5 && $1 >= since { moves = $2 > 0.005 || $2 < -0.005 || $3 > 0.05 || $3 < -0.05; if (moves) at = 0; else if (!at) at = $1 }
        END { if (at) printf "%.3f\n", at - since; else print "never" }' "$work/truth.log"
}
