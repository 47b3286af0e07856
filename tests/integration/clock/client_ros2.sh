#!/usr/bin/env bash
# Fast DDS, another vendor's DDS, sees the run as a node of ROS 2: all messages come back as they were sent, what it publishes drives a robot that
# stands when it ends, in whatever way, and what does not fit is named. Without Fast DDS, or a gateway, this test is skipped.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
[ -x "$build/tests/clients/ros2_echo" ] || skip "this build has no gateway to ROS 2: Cyclone DDS is not installed"
"$source_dir/tests/clients/build_fast_peer.sh" "$work" >build.log 2>&1
case $? in
    0) ;;
    77) skip "Fast DDS is not installed (fastddsgen, libfastrtps-dev)" ;;
    *) fail "the peer cannot be built" ;;
esac
peer=$work/fast_peer
unset ROS_DISTRO ROS_LOCALHOST_ONLY ROS_AUTOMATIC_DISCOVERY_RANGE
export ROS_DOMAIN_ID=$((100 + $$ % 100))

start echo "$peer" echo
echo=$last
timeout 60 "$build/tests/clients/ros2_echo" >types.log 2>&1 || fail "messages come back in another way"
[ "$(grep -c 'the same' types.log)" = 13 ] || fail "not all types"
kill -9 "$echo"

start run "$doppel" run patrol --bind sim --clock sim --ros2 --quiet --duration 60
run=$last
"$peer" watch 4 >watch.log 2>&1 || fail "it cannot watch"
for line in "^/scan laser_scanner n 682 " "^/points laser_scanner .*whole" "^/odom odom->base_link moves" "^/joint_states 2 left_wheel" "^/tf odom->base_link" \
    "^/tf_static base_link->laser_scanner" "^/clock " "^/robot_description " "<cylinder " "^/diagnostics .*WheelController=ACTIVE" "^node /doppel readers 0 writers 14"; do
    grep -q -- "$line" watch.log || fail "no '$line'"
done
! ss -Hlunp 2>/dev/null | grep "pid=$run," | grep -v '127.0.0.1:\|%lo:' || fail "it listens beyond this machine"
"$peer" wrong 2 || fail "it cannot be wrong"
grep -q "/scan: a subscriber gets nothing, its quality of service does not fit: reliability" run.log || fail "the policy is not named"
grep -q "/odom: another node has type std_msgs::msg::dds_::String_ there" run.log || fail "the type is not named"
for _ in $(seq 20); do # killed again and again: the run goes on, and who comes next gets all
    "$peer" watch 60 >one.log 2>&1 &
    one=$!
    sleep 0.3
    kill -9 "$one"
    wait "$one" 2>/dev/null
done
"$peer" watch 3 >watch.log 2>&1
grep -q "^/scan " watch.log || fail "nothing after its readers were killed"
start reader "$peer" watch 60
reader=$last
sleep 1
kill -STOP "$reader" # who does not read does not hold the run, nor its end
ended() { ! kill -0 "$run"; }
kill -INT "$run"
until_true 2 ended || fail "its end waits for a reader"
wait "$run" || fail "the run ended with $?"
kill -9 "$reader"

run_teleop() { # WHAT ARGUMENTS...
    start run "$doppel" run teleop --bind teleop/sim --set Teleop.ApiName=mock --ros2 --quiet --out "$1" --duration 60 "${@:2}"
    run=$last
}
run_teleop driven --allow-control
start peer "$peer" drive 60 0.2 0
until_true 10 grep -q "publishes to it" run.log || fail "nobody drives"
sleep 1
kill -9 "$last"
until_true 3 grep -q "has published nothing for 0.5 s: stopped" run.log || fail "it drives on"
"$peer" drive 2 0.1 0 stamped
"$peer" garbage 1.5 # the bytes are no message, or no packet
grep -q "DDS says (.* lines): " run.log || fail "nothing is said of garbage"
"$peer" drive 2 nan 0
grep -q "is refused, .*no finite number" run.log || fail "what is no number is not refused"
"$peer" drive 2 1e300 0 # within the limits of the component
sleep 1
kill -INT "$run" && wait "$run" || fail "the run ended with $?"
number "0.2 < $(last driven WheelController.x) < 1.6 and $(last driven WheelController.command_v) == 0" || fail "it drove in another way: $(last driven WheelController.x)"
for i in $(seq 5); do # the run is killed: its reader waits, and the next run drives
    run_teleop "killed$i" --allow-control
    start peer "$peer" drive 60 0.1 0
    until_true 10 grep -q "publishes to it" run.log || fail "nobody drives run $i"
    kill -9 "$run" "$last"
done
run_teleop refused
"$peer" drive 2 0.2 0
"$peer" watch 2.5 >watch.log 2>&1
grep -q "is refused, .*the run has no --allow-control" run.log || fail "it is not refused"
grep -q "^/odom odom->base_link today stands" watch.log || fail "its times are not those of the calendar"
grep -Eq "commands taken 0, commands refused [1-9]" watch.log || fail "it is not counted"
kill -INT "$run" && wait "$run" || fail "the run ended with $?"
number "$(last refused WheelController.x) == 0" || fail "it was driven"
ROS_DOMAIN_ID=mars "$doppel" run patrol --bind sim --ros2 --quiet --duration 1 >bad.log 2>&1 && fail "that is no domain"
grep -q "ROS_DOMAIN_ID is 'mars'" bad.log || fail "the domain is not named"
