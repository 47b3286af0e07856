#!/usr/bin/env bash
# Looking ahead: a patrol that touches benches below its laser touches nothing with it, and repeats byte for byte; a
# worker that is stopped or killed is noticed within a second, and the run goes on without it.
source "$(dirname "$0")/../lib.sh"
world=$source_dir/tests/integration/look_ahead/low_benches.xml
patrol=("$doppel" run patrol --bind sim --set "WheelController.World=$world" --set "LaserScanner.World=$world")
ahead=(--bind look_ahead --set "LookAhead.World=$world")
value() { # RUN NAME
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$work/$1/summary.json" "$2"
}
simulate() { # NAME OPTION...
    local name=$1
    shift
    "${patrol[@]}" "$@" --clock sim --quiet --duration 120 --out "$work/$name" >"$work/$name.log" 2>&1 || fail "run $name"
}

simulate without
simulate with "${ahead[@]}"
simulate again "${ahead[@]}"
simulate record "${ahead[@]}" --set LookAhead.Mode=record
[ "$(value without world.contacts)" -gt 0 ] || fail "the patrol without a look-ahead touched nothing: the test tells nothing"
[ "$(value with world.contacts)" = 0 ] || fail "contacts with a look-ahead"
[ "$(value with look.predicted)" -gt 0 ] || fail "no contact was predicted"
cmp "$work/with/trace.csv" "$work/again/trace.csv" || fail "two simulated runs differ"
cmp "$work/with/looks.csv" "$work/again/looks.csv" || fail "two simulated runs kept other looks"
"$doppel" report "$work/with" --output "$work/with.html" >"$work/report.log" 2>&1 || fail "report"
grep -q "looks ahead that end in a contact" "$work/with.html" || fail "the report does not show contacts to come"
grep -q "look.vetoes" "$work/with.html" || fail "the report does not tell the vetoes"
# who only records changes nothing
[ "$(value record world.contacts)" = "$(value without world.contacts)" ] || fail "record mode has changed the run"
[ "$(value record WheelController.distance_m)" = "$(value without WheelController.distance_m)" ] || fail "record mode has changed the way"
[ "$(value record look.vetoes)" = 0 ] || fail "record mode has vetoed"
[ "$(value record look.right)" -gt 0 ] || fail "no prediction was right"
[ "$(value record look.missed)" = 0 ] || fail "a contact was missed"

# for any world, by its channels
look() { "$doppel" sim "$world" --ahead 4 --every 1 "$@" --put avatar/LeftWheel/speed=8 --put avatar/RightWheel/speed=8 2>"$work/sim.log"; }
look >"$work/sim.csv" || fail "sim --ahead"
grep -q "touches 'bench' after 2.9" "$work/sim.log" || fail "sim --ahead: the contact"
[ "$(wc -l <"$work/sim.csv")" = 6 ] || fail "sim --ahead: rows"
look --put avatar/LeftWheel/speed=0@1 --put avatar/RightWheel/speed=0@1 >"$work/sim.csv" || fail "sim --ahead with a stop"
grep -q "touches nothing new" "$work/sim.log" || fail "sim --ahead: a contact although it stops"
"$doppel" sim "$world" --ahead 4 --put avatar/LeftWheel/sped=8 2>"$work/sim.log" && fail "sim --ahead took a wrong channel"
grep -q "avatar/LeftWheel/speed" "$work/sim.log" || fail "sim --ahead: no suggestion"

"$doppel" sim "$world" --ahead 4 --put avatar/place=1.2,0,0@0.5 >"$work/sim.csv" 2>"$work/sim.log" # where a bench stands
[ $? = 1 ] || fail "sim --ahead: a place that the world refuses"
grep -q -- "--put: the world refuses a value at 0.5 s: Device or resource busy" "$work/sim.log" || fail "sim --ahead: what the world refuses"

"$doppel" sim "$world" --ahead 4 --put avatar/LeftWheel/speed=8@4 >"$work/sim.csv" 2>"$work/sim.log" # it would do nothing
[ $? = 1 ] || fail "sim --ahead: a put after the end"
grep -q -- "--put: 4 s is not before the end of the look, at 4 s" "$work/sim.log" || fail "sim --ahead: the message for a put after the end"

# without a robot there is nothing to watch, and nothing to print by itself
cat >"$work/nobody.xml" <<'XML'
<world name="nobody"><ground/></world>
XML
"$doppel" sim "$work/nobody.xml" --ahead 1 >"$work/sim.csv" 2>"$work/sim.log"
[ $? = 1 ] || fail "sim --ahead of a world without a robot"
grep -q "world 'nobody' has no robot: --record says" "$work/sim.log" || fail "sim --ahead without a robot: the message"
"$doppel" sim "$work/nobody.xml" --ahead 1 --every 0.5 --record time >"$work/sim.csv" 2>"$work/sim.log" || fail "sim --ahead of what is no robot"
[ "$(tr '\n' ' ' <"$work/sim.csv")" = "time_s,time 0,0 0.5,0.5 1,1 " ] || fail "sim --ahead of what is no robot: $(<"$work/sim.csv")"
[ ! -s "$work/sim.log" ] || fail "sim --ahead tells of a robot that is not there"
for number in 0 -1 nan inf 1e-12 3601; do # no look; and no world that is served in its place
    timeout 10 "$doppel" sim "$world" --ahead $number >"$work/sim.csv" 2>"$work/sim.log"
    [ $? = 2 ] || fail "sim --ahead $number"
done

# a world that somebody else serves, or that does not answer, cannot be copied
for property in ip=127.0.0.1 World=tcp://127.0.0.1:9; do
    "${patrol[@]}" "${ahead[@]}" --set "LookAhead.$property" --clock sim --quiet --duration 1 >"$work/served.log" 2>&1
    [ $? = 1 ] || fail "a served world was taken: $property"
    grep -q "look_ahead.xml:[0-9]*:[0-9]*: error: LookAhead: rollouts need their world in this process, and property ${property%=*} names" "$work/served.log" ||
        fail "a served world: the message for $property"
done

# property World is forgotten: it looks into the office, where nobody drives
"${patrol[@]}" --bind look_ahead --clock sim --quiet --duration 4 --out "$work/office" >"$work/office.log" 2>&1 || fail "run in another world"
[ "$(value office look.state)" = unlocalized ] || fail "another world is looked into: the state is $(value office look.state)"
grep -q "error LookAhead: the base drives, and the robot in the world that is looked into stands still" "$work/office.log" || fail "another world: the message"
grep -q "driving by the laser alone" "$work/office.log" || fail "another world: the commander does not say it"

# ---- on the real clock ----
start run "${patrol[@]}" "${ahead[@]}" --duration 15 --out "$work/real"
run=$last
worker_of() { pgrep -P "$run" -x doppel-ahead; }
says() { grep -q "$1" "$work/run.log"; }
until_true 10 worker_of || fail "there is no worker"
worker=$(worker_of)
until_true 10 says "WheelController driven" || fail "the run does not begin"
sleep 1 # some looks
kill -STOP "$worker"
until_true 1 says "the look-ahead does not move" || fail "a stopped worker was not noticed within a second"
kill -CONT "$worker"
until_true 5 says "the look-ahead works again" || fail "a worker that goes on was not noticed"
kill -KILL "$worker"
until_true 1 says "the process of the look-ahead has ended" || fail "a killed worker was not noticed within a second"
wait "$run"
[ $? = 0 ] || fail "the run has failed"
[ "$(value real look.state)" = dead ] || fail "the state at the end: $(value real look.state)"
[ "$(value real look.lost)" = 2 ] || fail "lost: $(value real look.lost)"
grep -q "driving by the laser alone" "$work/run.log" || fail "the commander does not say that nobody looks ahead"

# a run that is killed leaves no worker behind
start killed "${patrol[@]}" "${ahead[@]}" --duration 30
run=$last
until_true 10 worker_of || fail "there is no worker"
worker=$(worker_of)
kill -KILL "$run"
gone() { ! grep -qs '^State:[[:space:]]*[RSDT]' "/proc/$worker/status"; }
until_true 5 gone || fail "a worker has outlived its run"
