#!/usr/bin/env bash
# The shipped controller on the shipped tracks: with 100 seeded variations each, with either car; planted bugs each change a
# verdict; logs repeat byte for byte; a run that crashes ends no other.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

bench() { # ARGS...: output in bench.log
    "$doppel" bench --quiet "$@" >"$work/bench.log" 2>&1
}
for track in straight wide_turn chicane tight_turn left_turn hairpin across; do
    for car in "" "--bind ackermann"; do
        # too narrow for its turning circle: it hits
        [ "$track$car" = "hairpin--bind ackermann" ] || [ "$track$car" = "across--bind ackermann" ] && continue
        # shellcheck disable=SC2086
        bench "race/$track" $car --vary --repeat 100
        good=$(sed -n "s/^$track: \([0-9]*\) of 100 runs as expected.*/\1/p" "$work/bench.log")
        [ "${good:-0}" -ge 95 ] || fail "$track $car: ${good:-0} of 100 finished, expected 95"
        echo "$track ${car#--bind }: $good of 100"
    done
done
bench race/dead_end --vary --repeat 20 || fail "dead_end: it cannot be finished, and the bench should say so"
bench race/dead_end --set Bench.Referee.Expect=finished && fail "dead_end finished"
grep -q "TIMEOUT.*the car is at ([0-9]*,[0-9]*) mm" "$work/bench.log" || fail "dead_end: it does not say where"

# a bug, a track on which it shows, and the verdict
while IFS='|' read -r bug track verdict; do
    bench "race/$track" --vary --seed 4 || fail "$track without a bug"
    bench "race/$track" --vary --seed 4 --set "$bug" && fail "$track: nobody noticed $bug"
    grep -q "^FAIL $track: $verdict:" "$work/bench.log" || fail "$track with $bug: expected $verdict"
done <<'BUGS'
Controller.Pings=PING2 PING1 PING0|tight_turn|timeout
Controller.Pings=SPARE PING1 PING2|hairpin|timeout
Controller.Pings=PING0 PING1 SPARE|left_turn|timeout
Controller.Motors=MOTOR2_A MOTOR2_B MOTOR_A MOTOR_B|wide_turn|timeout
Controller.Motors=MOTOR_B MOTOR_A MOTOR2_A MOTOR2_B|straight|timeout
Controller.Motors=MOTOR_A MOTOR_B SPARE SPARE|straight|timeout
Controller.SpeedOfSound=3.452|straight|timeout
Controller.SpeedOfSound=1132.5|tight_turn|hit
Controller.Gain=-1.6|wide_turn|timeout
Controller.Mix=0|chicane|timeout
ControllerPins.LatencyMs=500|chicane|hit
BUGS

# bugs that show on some starts alone: of 40 varied runs at most so many finish, where without a bug at least 38 do
finished() { # SET...: how many of 40
    local sets=() set
    for set in "$@"; do
        sets+=(--set "$set")
    done
    bench race/across --vary --repeat 40 "${sets[@]}"
    sed -n "s/^across: \([0-9]*\) of 40 runs as expected.*/\1/p" "$work/bench.log"
}
[ "$(finished)" -ge 38 ] || fail "across without a bug"
while IFS='|' read -r bug most; do
    n=$(finished "$bug")
    [ "${n:-40}" -le "$most" ] || fail "across: $n of 40 finished with $bug, expected at most $most"
    echo "across with $bug: $n of 40"
done <<'BUGS'
Controller.Infrareds=SPARE SPARE SPARE SPARE|30
Controller.Infrareds=IR3 SPARE SPARE IR6|37
Controller.Infrareds=SPARE IR4 IR5 IR6|36
Controller.Infrareds=IR3 IR4 IR5 SPARE|36
Controller.Infrareds=IR6 IR5 IR4 IR3|36
Controller.Pings=PING0 SPARE PING2|30
BUGS

# a bug that does not keep the car from the finish: the echo is taken twice as long as it is. What finds it are the limits of
# the way and of the distance from the walls
while IFS='|' read -r track car; do
    # shellcheck disable=SC2086
    bench "race/$track" $car --vary --repeat 40 --set Controller.SpeedOfSound=690.4
    grep -q "^$track: 0 of 40 runs as expected" "$work/bench.log" || fail "$track $car: twice the echo: $(tail -n 1 bench.log)"
done <<'BUGS'
wide_turn|
wide_turn|--bind ackermann
chicane|
chicane|--bind ackermann
tight_turn|
left_turn|
hairpin|
BUGS
bench race/chicane --set Controller.SpeedOfSound=690.4 --out twice && fail "twice the echo passes"
grep -q "^FAIL chicane: limit: FINISH at .*; path of 7.[0-9]* m, at most 6.85 m expected" bench.log || fail "the limit is not told"
[ "$(json twice/summary.json Bench.Referee.verdict)" = '"limit"' ] || fail "the limit is not in the summary"
bench race/chicane --set Controller.SpeedOfSound=690.4 --set Bench.Referee.Expect=limit || fail "Expect=limit"
bench race/chicane --set Bench.Referee.Expect=limit && fail "a good race broke a limit"

# each limit fails a run, and is told
while IFS='|' read -r sets text; do
    # shellcheck disable=SC2086
    bench race/chicane $sets && fail "within the limit: $sets"
    grep -q "^FAIL chicane: limit: FINISH .*$text" bench.log || fail "$sets: $(cat bench.log)"
done <<'LIMITS'
--set Bench.Referee.MinClearance=0.25|; clearance 20[0-9] mm, at least 250 mm expected
--set Bench.Referee.MaxPath=6|; path of 6.70 m, at most 6.00 m expected
--set Bench.Referee.MaxRoughness=1|; roughness 3.[0-9]* rad/s^2, at most 1.00 rad/s^2 expected
--set Bench.Referee.KeepTo=left --set Bench.Referee.MaxWrongSide=0|; on the wrong side for [0-9.]* s, at most 0.00 s expected
LIMITS
bench race/chicane --set Bench.Referee.MaxWrongSide=1 && fail "no side is the wrong one"
grep -q "MaxWrongSide needs KeepTo" bench.log || fail "MaxWrongSide without KeepTo: $(cat bench.log)"
bench race/process --clock real --set Bench.Referee.MaxRefused=0 --set "Bench.CarPins.Address=pty:$work/p" && fail "nobody counts"
grep -q "MaxRefused: no board tells" bench.log || fail "MaxRefused without a board: $(cat bench.log)"

# bit for bit
for run in one two; do
    bench race/chicane --vary --seed 5 --out "$run" || fail "chicane, seed 5"
done
for file in log.csv trace.csv track.svg; do
    cmp "one/$file" "two/$file" || fail "the same seed gave another $file"
done
bench race/chicane --vary --seed 6 --out three || fail "chicane, seed 6"
! cmp -s one/log.csv three/log.csv || fail "another seed gave the same log"

# a run whose process dies; the next one runs
start bench "$doppel" bench race/straight race/chicane --clock real --quiet --junit "$work/j.xml"
until_true 5 pgrep -P "$last" || fail "no run"
sleep 0.5
kill -9 "$(pgrep -P "$last")"
wait "$last"
[ $? -eq 4 ] || fail "the exit code does not tell"
grep -q "^FAIL straight: crash: the run's process died: Killed" "$work/bench.log" || fail "no word of the crash"
grep -q "1 of 2 verdicts as expected" "$work/bench.log" || fail "the next bench did not run"
xmllint --noout "$work/j.xml" || fail "the JUnit file is no XML"
grep -q 'testsuite name="straight" tests="1" failures="1"' "$work/j.xml" || fail "JUnit does not tell"
