#!/usr/bin/env bash
# What `doppel bench` says about benches that are wrong, that cannot write their results, and that end as they should: exit code, and a line of it.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
cd "$work" || exit 1
lane=(race/simulator_test --set "Car.Script=0 90 1000")
expect() { # CODE PATTERN ARGS...
    local code=$1 pattern=$2
    shift 2
    "$doppel" bench --log-level error "$@" >"$work/bench.log" 2>&1
    local got=$?
    [ "$got" -eq "$code" ] || fail "bench $*: exit code $got, expected $code"
    grep -q -- "$pattern" "$work/bench.log" || fail "bench $*: does not say '$pattern'"
}
once() { # as expect, in one line
    expect "$@"
    [ "$(wc -l <"$work/bench.log")" -eq 1 ] || fail "more than one line"
}

row "a bench that passes" expect 0 "^ok   simulator_test: finished" "${lane[@]}"
row "full throttle: PWM of 100 % beside a high pin" expect 0 "^ok   straight: finished" race/straight --set Controller.TopDuty=1000
row "no runs" expect 2 "expected a whole number from 1" "${lane[@]}" --repeat 0
row "no such bench" expect 1 "cannot be opened" race/nowhere
row "a misspelled bench" once 1 "^race/straigth: error: cannot be opened: .* did you mean 'race/straight'?" race/straigth
short() {
    expect 1 "Script: the text has 9000 bytes" "${lane[@]}" --set "Car.Script=$(printf '1%.0s' {1..9000})"
    [ "$(wc -c <"$work/bench.log")" -lt 400 ] || fail "an error shows all of a long value"
}
row "a long value is not shown" short
row "a track without a finish" expect 4 "the track has no finish" "${lane[@]}" --set Track.FinishY=
ticks() {
    expect 0 "--tick 5000: the log of simulator_test ends with tick 19" "${lane[@]}" --tick 5000 --out "$work/ticks"
    grep -q ">simulator_test: finished<" "$work/ticks/track.svg" || fail "the picture does not tell the verdict"
}
row "a tick after the end; the picture has the verdict" ticks
nobody() {
    sed '/<robot/d' "$profiles/worlds/track_straight.xml" >"$work/nobody.xml"
    expect 1 "has no robot 'car'; it has: none" race/straight --set "Bench.Track.World=$work/nobody.xml"
}
row "a world without the car" nobody
row "a run that would take for ever" expect 4 "^FAIL straight: hung: the run did not end within 0.3 s" race/straight --clock real --limit 0.3

# folders and files that cannot be written
touch file
row "the folder is a file" expect 1 "exists and is not a folder" "${lane[@]}" --out file
part=$(printf 'a%.0s' {1..250})
long=$work
while [ ${#long} -lt 3800 ]; do
    long=$long/$part
done
row "a name that is too long" expect 1 "too long" "${lane[@]}" --out "$long/$part/$part"
long=$long/$(head -c $((4093 - ${#long} - 1)) /dev/zero | tr '\0' b | sed 's|.\{200\}|&/|g')
row "the folder of a run that is too long" expect 1 "fault: its folder could not be made" "${lane[@]}" --repeat 100 --seed 100 --out "${long:0:4092}"
row "two benches with one folder" expect 1 "two profiles are named 'simulator_test'" "${lane[@]}" race/simulator_test --out twice
for file in log.csv scene.json trace.csv summary.json track.svg; do
    mkdir "full.$file"
    ln -s /dev/full "full.$file/$file"
    row "no room for $file" expect 3 "fault: finished, but not all of its results" "${lane[@]}" --out "full.$file"
done
row "no room for JUnit" expect 3 "No space left" "${lane[@]}" --junit /dev/full
junit() {
    "$doppel" bench race/straight --junit "$work/nowhere/j.xml" >"$work/junit.log" 2>&1 && fail "an unwritable JUnit file is no error"
    ! grep -q "^ok" "$work/junit.log" || fail "runs were spent before the JUnit file was tried"
}
row "JUnit is tried before the runs" junit

# what the user sets counts more than what --vary sets
varied() { # START SET...: whether the car starts where it should
    expect 0 "^ok" "${lane[@]}" --vary "${@:2}" --out "$work/out"
    [ "$(grep -c "^0,1500,0," "$work/out/log.csv")" -eq "$1" ] || fail "the car starts elsewhere"
}
row "--vary varies" varied 0
row "--vary does not override what is set" varied 1 --set Car.Vary=false

# a bench that is wrong in itself
while IFS='|' read -r code set text; do
    row "$set" expect "$code" "$text" "${lane[@]}" --set "$set"
done <<'ROWS'
4|Ping0.Sensor=20|fault: Ping0: Sensor is 20, but the car has 7 sensors
4|Infrared4.Sensor=7|fault: Infrared4: Sensor is 7, but the car has 7 sensors
1|Referee.Expect=silent|simulator_test.xml:[0-9]*:[0-9]*: error: Referee: Expect=silent needs SilentAfter
3|Ping0.Pin=NOPE|no pin 'NOPE' on the board
ROWS
# a verdict's text has room for a place far away
mkdir "$part"
cp "$profiles/benches/race/simulator_test.xml" "$part/far.xml"
row "a place far away" expect 1 "fault: .*the track has no start.*/far.xml:[0-9]*:[0-9]*)$" "$work/$part/far.xml" --set Car.Start=
row "numbers that contradict each other" expect 1 "far.xml:[0-9]*:[0-9]*: error: Car: RearOverhang (5 m) must not be larger" "$work/$part/far.xml" --set Car.RearOverhang=5

# texts that cannot be: found on loading, at their place, before any run
text() { # SET PLACE
    once 1 "^--set $1: error: $2" "${lane[@]}" --repeat 5 --set "$1"
    "$doppel" check race/simulator_test --set "$1" >"$work/check.log" 2>&1 && fail "check finds nothing wrong with $1"
    return 0
}
while IFS='|' read -r set place; do
    row "$set" text "$set" "$place"
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
row "walls in a profile" expect 1 "walls.xml:$line:[0-9]*: error: Walls: character 6" walls.xml

shown() { # PATTERN COMMAND...
    "${@:2}" >"$work/shown" || fail "${*:2}: exit code $?"
    grep -q "$1" "$work/shown" || fail "${*:2}: no $1"
}
row "benches are listed" shown "^race/straight " "$doppel" list benches
row "a bench is drawn by its name" shown Race_chicane "$doppel" graph race/chicane
rows_end
