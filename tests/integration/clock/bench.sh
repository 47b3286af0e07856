#!/usr/bin/env bash
# doppel bench as a user meets it when things go wrong: what it is told, where it cannot write, and when it is interrupted.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
lane=(race/simulator_test --set "Car.Script=0 90 1000")

expect() { # CODE PATTERN ARGS...
    local code=$1 pattern=$2
    shift 2
    "$doppel" bench --log-level error "$@" >bench.log 2>&1
    local got=$?
    [ "$got" -eq "$code" ] || fail "bench $*: exit code $got, expected $code"
    grep -q -- "$pattern" bench.log || fail "bench $*: does not say '$pattern'"
}

expect 0 "^ok   simulator_test: finished" "${lane[@]}"
expect 2 "expected a whole number from 1" "${lane[@]}" --repeat 0
expect 1 "cannot be opened" race/nowhere
expect 1 "^race/straigth: error: cannot be opened: .* did you mean 'race/straight'?" race/straigth
[ "$(wc -l <bench.log)" -eq 1 ] || fail "a misspelled bench is not one line"
expect 1 "Script: the text has 9000 bytes" "${lane[@]}" --set "Car.Script=$(printf '1%.0s' {1..9000})"
[ "$(wc -c <bench.log)" -lt 400 ] || fail "an error shows all of a long value"
expect 4 "the track has no finish" "${lane[@]}" --set Track.FinishY=
expect 0 "--tick 5000: the log of simulator_test ends with tick 19" "${lane[@]}" --tick 5000 --out ticks
grep -q ">simulator_test: finished<" ticks/track.svg || fail "the picture does not tell the verdict"
sed '/<robot/d' "$profiles/worlds/track_straight.xml" >nobody.xml
expect 1 "has no robot 'car'; it has: none" race/straight --set "Bench.Track.World=$work/nobody.xml"

# folders and files that cannot be written
touch file
expect 1 "exists and is not a folder" "${lane[@]}" --out file
part=$(printf 'a%.0s' {1..250})
long=$work
while [ ${#long} -lt 3800 ]; do
    long=$long/$part
done
expect 1 "too long" "${lane[@]}" --out "$long/$part/$part"
long=$long/$(head -c $((4093 - ${#long} - 1)) /dev/zero | tr '\0' b | sed 's|.\{200\}|&/|g')
expect 1 "fault: its folder could not be made" "${lane[@]}" --repeat 100 --seed 100 --out "${long:0:4092}"
expect 1 "two profiles are named 'simulator_test'" "${lane[@]}" race/simulator_test --out twice
for file in log.csv scene.json trace.csv summary.json track.svg; do
    mkdir "full.$file"
    ln -s /dev/full "full.$file/$file"
    expect 3 "fault: finished, but not all of its results" "${lane[@]}" --out "full.$file"
done
expect 3 "No space left" "${lane[@]}" --junit /dev/full

# a folder holds the results of its last run, never those of the one before
says() { # FOLDER VERDICT: its summary tells it, as what was not expected; no log or picture of a run before is there
    [ "$(json "$1/summary.json" verdict)" = "\"$2\"" ] || fail "$1: the summary does not say $2"
    [ "$(json "$1/summary.json" verdict.expected)" = false ] || fail "$1: the summary says it was expected"
    [ ! -e "$1/track.svg" ] || fail "$1: a picture of a run without a log"
}
for case in fault none hung crash; do
    expect 0 "finished" "${lane[@]}" --out "old.$case"
done
# a world without a car
touch old.fault/notes.txt
expect 1 "fault" "${lane[@]}" --set Track.World=office.xml --set Track.ApiName=avatar --out old.fault
says old.fault fault
[ -e old.fault/log.csv ] && fail "old.fault: the log of the run before"
[ -e old.fault/notes.txt ] || fail "old.fault: another file is gone"
expect 4 "none" "${lane[@]}" --duration 0.1 --out old.none
[ "$(json old.none/summary.json verdict)" = '"none"' ] || fail "old.none: the summary does not say none"
expect 4 "hung" "${lane[@]}" --clock real --limit 0.3 --out old.hung
says old.hung hung
start crash "$doppel" bench "${lane[@]}" --clock real --out old.crash
until_true 5 pgrep -P "$last" || fail "no run"
until_true 5 eval "! test -e old.crash/log.csv" || fail "the log of the run before is there while a run goes on"
kill -9 "$(pgrep -P "$last")"
wait "$last"
says old.crash crash
[ "$(json old.crash/summary.json application)" = '"SimulatorTest"' ] || fail "old.crash: whose summary?"

# what the user sets counts more than what --vary sets
expect 0 "^ok" "${lane[@]}" --vary --set Car.Vary=false --out still
grep -q "^0,1500,0," still/log.csv || fail "--vary overrode Car.Vary=false"
expect 0 "^ok" "${lane[@]}" --vary --out varied
! grep -q "^0,1500,0," varied/log.csv || fail "--vary varied nothing"

# a bench that is wrong in itself
expect 4 "fault: Ping0: Sensor is 20, but the car has 7 sensors" "${lane[@]}" --set Ping0.Sensor=20
expect 4 "fault: Infrared4: Sensor is 7, but the car has 7 sensors" "${lane[@]}" --set Infrared4.Sensor=7
expect 1 "simulator_test.xml:[0-9]*:[0-9]*: error: Referee: Expect=silent needs SilentAfter" "${lane[@]}" --set Referee.Expect=silent
expect 3 "no pin 'NOPE' on the board" "${lane[@]}" --set Ping0.Pin=NOPE
# a verdict's text has room for a place far away
mkdir -p "$work/$part"
cp "$profiles/benches/race/simulator_test.xml" "$work/$part/far.xml"
expect 1 "fault: .*the track has no start.*/far.xml:[0-9]*:[0-9]*)$" "$work/$part/far.xml" --set Car.Start=
expect 1 "far.xml:[0-9]*:[0-9]*: error: Car: RearOverhang (5 m) must not be larger" "$work/$part/far.xml" --set Car.RearOverhang=5

# texts that cannot be: found on loading, at their place, before any run
while IFS='|' read -r set place; do
    expect 1 "^--set $set: error: $place" "${lane[@]}" --repeat 5 --set "$set"
    [ "$(wc -l <bench.log)" -eq 1 ] || fail "$set: told more than once"
    "$doppel" check race/simulator_test --set "$set" >check.log 2>&1 && fail "check finds nothing wrong with $set"
done <<'TEXTS'
Track.Walls=garbage|Walls: character 1
Track.Walls=1 2 3|Walls: character 6
Track.Finish=1 2|Finish: character 4
Track.FinishY=abc|FinishY: character 1
Track.Start=0 0; 1 1|Start: character 6
Car.Script=0 90; 1 2 3|Script: character 5
Car.Start=1500|Start: character 1
Car.SensorOffsets=7000|SensorOffsets: character 1
Car.SensorMounts=1 2 3|SensorMounts: character 5
TEXTS
line=$(grep -n '"Walls"' "$profiles/benches/race/simulator_test.xml" | cut -d: -f1)
sed "${line}s/>[^<]*</>1 2 3</" "$profiles/benches/race/simulator_test.xml" >walls.xml
expect 1 "walls.xml:$line:[0-9]*: error: Walls: character 6" walls.xml

# full throttle: PWM of 100 % beside a high pin
expect 0 "^ok   straight: finished" race/straight --set Controller.TopDuty=1000

# a run that would take for ever
expect 4 "^FAIL straight: hung: the run did not end within 0.3 s" race/straight --clock real --limit 0.3

# interrupted: its runs end in order, it says what it knows, nobody is left behind
for target in "" -; do
    for signal in INT TERM HUP; do
        [ "$target$signal" = -TERM ] && continue # each run is told twice: it may end at once
        rm -rf stopped
        start stopped setsid "$doppel" bench race/straight --clock real --repeat 5 --jobs 2 --quiet --out stopped
        until_true 5 test -e stopped/2 || fail "no run"
        sleep 0.3
        runs=$(pgrep -P "$last")
        kill -$signal -- "$target$last"
        until_true 2 eval "! kill -0 $last 2>/dev/null" || fail "SIG$signal to $target: it goes on"
        wait "$last"
        [ $? -eq 4 ] || fail "SIG$signal to $target: exit code"
        grep -q "^interrupted after 0 of 5 runs$" stopped.log || fail "SIG$signal to $target: no word of it"
        ! grep -q "FAIL\|expected" stopped.log || fail "SIG$signal to $target: runs without a verdict were judged"
        [ "$(json stopped/1/summary.json verdict)" = '"interrupted"' ] || fail "SIG$signal to $target: the summary"
        [ -s stopped/1/log.csv ] && [ -s stopped/2/summary.json ] || fail "SIG$signal to $target: no results"
        for run in $runs; do
            ! kill -0 "$run" 2>/dev/null || fail "SIG$signal to $target: a run goes on"
        done
    done
done
# runs that had ended count, and no others; a bench that never began is not mentioned
start partly "$doppel" bench race/straight race/chicane --clock real --repeat 20 --jobs 1 --quiet --out partly --junit partly.xml \
    --set Bench.Referee.MaxTicks=50 --set Bench.Referee.Expect=timeout
until_true 10 test -e partly/straight/2 || fail "partly: no second run"
kill -INT "$last"
wait "$last"
[ $? -eq 4 ] || fail "partly: exit code"
n=$(sed -n 's/^interrupted after \([0-9]*\) of 40 runs$/\1/p' partly.log)
[ "${n:-0}" -ge 1 ] || fail "partly: no word of the interrupt"
grep -q "^straight: $n of $n runs as expected, 100.0 %.*: $n timeout$" partly.log || fail "partly: another rate"
grep -q "^$n of $n verdicts as expected" partly.log || fail "partly: other verdicts"
! grep -q "FAIL\|chicane" partly.log partly.xml || fail "partly: runs were judged that did not end"
xmllint --xpath "/testsuites/testsuite[@name='straight'][@failures=0]/testcase[last()]/skipped" partly.xml >/dev/null ||
    fail "partly: JUnit does not tell"

start killed "$doppel" bench race/straight --clock real --repeat 5 --jobs 2 --quiet
until_true 5 pgrep -P "$last" >/dev/null || fail "no run"
sleep 0.3
runs=$(pgrep -P "$last")
kill -KILL "$last"
for run in $runs; do
    until_true 2 eval "! grep -q '^State:.[^Z]' /proc/$run/status 2>/dev/null" || fail "a run outlives the bench"
done
"$doppel" list benches >"$work/benches.txt" || fail "list benches"
grep -q "^race/straight " "$work/benches.txt" || fail "the benches are not listed"
"$doppel" graph race/chicane >"$work/graph.dot" || fail "graph of a bench by name"
grep -q Race_chicane "$work/graph.dot" || fail "another graph"
"$doppel" bench race/straight --junit "$work/nowhere/j.xml" >"$work/junit.log" 2>&1 && fail "an unwritable JUnit file is no error"
! grep -q "^ok" "$work/junit.log" || fail "runs were spent before the JUnit file was tried"
