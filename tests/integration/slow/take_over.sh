#!/usr/bin/env bash
# Who controls the robot of a served world: a client that is killed is stopped by the server; of two at once the second is refused, and says by whom; one
# that asks to take over gets the robot, and all of them are told.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../witness.sh"
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
drive_with_trouble "$work/drive.xml" '<property name="ApiName">avatar</property><property name="ip">127.0.0.1</property>
    <property name="WheelDiameter">0.07</property><property name="AxleDistance">0.23</property>
    <property name="R_Motor_Name">RightWheel</property><property name="L_Motor_Name">LeftWheel</property>' "$profiles/worlds/empty.xml"
port=$(free_port)
client=("$doppel" run "$work/drive.xml" --set WheelController.port=$port --quiet)
start sim "$doppel" sim empty.xml --port $port
until_true 10 grep -q serving "$work/sim.log" || fail "no world"
witness truth $port avatar

start killed "${client[@]}"
until_true 10 drives truth || fail "the first does not drive"
kill -9 "$last"
until_true 5 grep -q "is silent: what it has put is released" "$work/sim.log" || fail "the server did not stop the motors of a client that was killed"
until_true 5 stands truth || fail "it drives on"

start first "${client[@]}" --duration 7
first=$last
until_true 10 drives truth || fail "the robot is not free again"
"${client[@]}" --duration 1 >"$work/second.log" 2>&1
[ $? -eq 5 ] || fail "the second controller is not refused"
grep -q "controlled by client 'doppel\[$first\]'; property TakeOver" "$work/second.log" || fail "the second is not told by whom"
grep -q "wants to control part" "$work/first.log" || fail "the first is not told"
"${client[@]}" --set WheelController.TakeOver=true --duration 1 >"$work/third.log" 2>&1 || fail "the third does not get the robot"
grep -q "took over part 'avatar' from client 'doppel\[$first\]'" "$work/third.log" || fail "the third is not told from whom it took it"
grep -q "client 'doppel\[[0-9]*\]' took over part 'avatar' from client 'doppel\[$first\]'" "$work/sim.log" || fail "the world does not tell it"
grep -q "took over part" "$work/first.log" || fail "the first is not told that its robot was taken"
wait "$first" || fail "the first does not go on when the robot is free again"
