#!/usr/bin/env bash
# What docs/guides/localization.md says for users who try it with emulators: a laser that is mute for some seconds, and a robot that is carried (the served world
# is reset). The run finds the robot again, and its report says that it was lost. Real time, which a busy processor does not disturb here.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../witness.sh"
port=$(free_port)
world=tcp://127.0.0.1:$port
start sim "$doppel" sim office_truth.xml --port "$port"
until_true 10 grep -q "serving world" "$work/sim.log" || fail "no world"
start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world "$world" --robot robot
start urg "$doppel" emulate urg --pty "$work/urg" --world "$world" --robot robot --mute 5,6.5
until_true 10 grep -q ': at ' "$work/kobuki.log" || fail "no base"
until_true 10 grep -q ': at ' "$work/urg.log" || fail "no laser"
start run "$doppel" run patrol --bind hil --bind hil_truth --set "WheelController.hardware.Address=$work/kobuki" \
    --set "LaserScanner.hardware.Address=$work/urg" --set "Truth.port=$port" --quiet --duration 120 --out "$work/out"
run=$last
placed() { grep -c "the avatar was placed at the real robot's pose" "$work/run.log"; }
found_again() { [ "$(placed)" -gt "$places" ]; }
lost() { grep -c "UNKNOWN, the Localizer does not know" "$work/run.log"; }
lost_again() { [ "$(lost)" -gt "$losses" ]; }
says() { grep -q "$1" "$work/run.log"; }
until_true 10 says "INIT -> TRACKING" || fail "not localized"
until_true 20 says "NO_LASER: no scan" || fail "a mute laser was not noticed"
witness truth "$port" robot
until_true 20 drives truth || fail "the robot does not drive when its laser speaks again"
until_true 60 says "UNKNOWN -> " || fail "the place is not proven again after the gap"
"$doppel" world "$world" put robot/place=1,0,0 >"$work/put.log" 2>&1 && fail "the robot of an emulator was put elsewhere"
losses=$(lost) places=$(placed)
"$doppel" world "$world" reset >"$work/reset.log" 2>&1 || fail "the world was not reset"
until_true 30 lost_again || fail "a carried robot was not noticed"
until_true 60 found_again || fail "a carried robot was not found"
until_true 20 drives truth || fail "the robot does not drive on"
kill "$run"
wait "$run" || fail "the run"

"$doppel" report "$work/out" >"$work/report.log" 2>&1 || fail "report"
grep -q "The robot was lost</b> for " "$work/out/report.html" || fail "the report does not say that the robot was lost"
grep -q "true error" "$work/out/report.html" || fail "the report has no true error"
[ "$(grep -o '<span>[^<]*distance driven' "$work/out/report.html")" = '<span>distance driven' ] || fail "Truth is a second robot"
ratio=$(json "$work/out/summary.json" Truth.distance_m)/$(json "$work/out/summary.json" WheelController.distance_m)
number "abs($ratio - 1) < 0.1" || fail "Truth went another way: $ratio"
