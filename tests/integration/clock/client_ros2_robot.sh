#!/usr/bin/env bash
# A robot that lives in ROS 2, on another vendor's DDS, is hardware under `hil`: nodes made of the emulated base and scanner. Its avatar is as near as
# that of the same robot on its own wires; whoever is killed, the robot stands; nonsense is refused and named. Joints and an inertial sensor, too.
# Without Fast DDS, or a gateway, this test is skipped. By hand with KILLS=100: each side is killed as often.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
[ -x "$build/tests/clients/ros2_echo" ] || skip "this build has no gateway to ROS 2: Cyclone DDS is not installed"
"$source_dir/tests/clients/build_fast_peer.sh" "$work" >build.log 2>&1
case $? in
    0) ;;
    77) skip "Fast DDS is not installed (fastddsgen, libfastrtps-dev)" ;;
    *) fail "the peer cannot be built" ;;
esac
unset ROS_DISTRO ROS_LOCALHOST_ONLY ROS_AUTOMATIC_DISCOVERY_RANGE
export ROS_DOMAIN_ID=$((100 + $$ % 100))
start_robot
start_nodes() { # [stamped]
    start nodes ./fast_peer robot 600 "$work/kobuki" "$work/urg" "$@"
    nodes=$last
}
patrol=("$doppel" run patrol --bind hil --bind hil_ros2 --quiet)
count() { grep -c -- "$1" "$2"; }
more() { [ "$(count "$1" "$2")" -gt "$3" ]; } # than there were

start_nodes stamped
"${patrol[@]}" --ros2 --bind hil_truth --set "Truth.port=${world##*:}" --duration 8 --out out >first.log 2>&1 || fail "the run ended with $?"
python3 - <<'PY' || fail "the avatar is not where the robot is"
import json
s = json.load(open("out/summary.json"))
base, laser = (s["devices"][name + ".hardware"] for name in ("WheelController", "LaserScanner"))
print(s["sync.true_rms_mm"], s["loc.true_rms_mm"], base, laser)
assert s["sync.true_rms_mm"] < 15 and s["loc.true_rms_mm"] < 10, "too far"
assert s["WheelController.distance_m"] > 0.5 and base["messages"] > 200 and laser["messages"] > 50, "too little"
assert base["losses"] + laser["losses"] + base["refused"] + laser["refused"] + base["strangers"] == 0, "trouble"
PY
grep -q "^velocity 0" nodes.log || fail "no 0 at the end of the run"
until_true 2 grep -q "no velocity comes" nodes.log || fail "the run has ended, and commands come"

kill -9 "$nodes"
start_nodes # which take Twist
start run "${patrol[@]}" --duration 600
run=$last
for i in $(seq ${KILLS:-10}); do # the robot is killed: the run says so, stands, and drives on with the next one
    until_true 10 grep -q "velocity other" nodes.log || fail "kill $i: it does not drive"
    n=$(count "hardware: lost: /odom: its odometry is silent" run.log)
    kill -9 "$nodes"
    wait "$nodes" 2>/dev/null
    until_true 2 more "hardware: lost: /odom: its odometry is silent" run.log "$n" || fail "kill $i: its loss is not told"
    start_nodes
    until_true 10 more "WheelController.hardware: answers again" run.log "$n" || fail "kill $i: it does not go on"
done
"./fast_peer" nonsense 2 & # beside a robot that drives
"./fast_peer" litter 2
wait $!
until_true 3 grep -q "odom: another node publishes it, too: its messages are refused" run.log || fail "another robot is not refused"
grep -q "DDS says (.* lines): " run.log || fail "garbage is not told"
kill -INT "$run"
wait "$run"
grep -q "^velocity 0" nodes.log || fail "the end of the run sends no 0"
for i in $(seq ${KILLS:-3}); do # the run is killed: no more commands come, and the robot's time-out stops it
    n=$(count "no velocity comes: stopped" nodes.log)
    m=$(count "velocity other" nodes.log)
    start run "${patrol[@]}" --duration 600
    until_true 10 more "velocity other" nodes.log "$m" || fail "run $i does not drive"
    kill -9 "$last"
    wait "$last" 2>/dev/null
    until_true 2 more "no velocity comes: stopped" nodes.log "$n" || fail "run $i: commands go on"
done
kill -9 "$nodes"

./fast_peer mistype 20 &
"${patrol[@]}" --set WheelController.hardware.DiscoveryTimeout=4 --duration 1 >absent.log 2>&1 && fail "there is no robot"
grep -q "nobody publishes /odom (nav_msgs::msg::dds_::Odometry_) in domain $ROS_DOMAIN_ID; a node has type std_msgs::msg::dds_::String_ there" absent.log ||
    fail "the other type is not named"
kill $!
cat >turn.xml <<XML
<package_profile>
  <name>Turn</name>
  <subcomponents>
    <subcomponent><name>Imu</name>
      <execution_semantics><type>periodic-shared</type><period>20</period></execution_semantics>
      <properties><property name="ApiName">ros2</property></properties>
    </subcomponent>
  </subcomponents>
</package_profile>
XML
start imu ./fast_peer imu 600
"$doppel" run turn.xml --duration 1.5 --out turn --quiet >turn.log 2>&1 || fail "the run ended with $?"
number "$(last turn Imu.rate_z) == 0.5 and $(last turn Imu.acceleration_z) == 9.81 and $(last turn Imu.yaw) > 0.3" || fail "not what was measured"
grep -q "/imu: a sensor_msgs::msg::dds_::Imu_ is refused: its rates or accelerations are no numbers" turn.log || fail "NaN is not refused"
cat >arm.xml <<'XML'
<binding_profile>
  <name>arm</name>
  <properties>
    <property component="JointController" name="ApiName">hil</property>
    <property component="JointController" name="HardwareDriver">ros2</property>
    <property component="JointController" name="SimulationDriver">avatar</property>
    <property component="JointController" name="simulation.Device">cell/arm</property>
  </properties>
</binding_profile>
XML
for controller in "" "Controller=position CommandTopic=/forward_position_controller/commands"; do
    options=()
    for option in $controller; do
        options+=(--set "JointController.hardware.$option")
    done
    start arm ./fast_peer arm 600 ${controller:+forward}
    "$doppel" run joint_arm --bind arm.xml "${options[@]}" --duration 2 --out arm --quiet >joints.log 2>&1 || fail "the run ended with $?"
    number "$(last arm JointController.position_1) > 0.1" || fail "the arm stands"
    [ "$(tail -n 1 arm.log)" = "arm holds" ] || fail "the arm goes on"
    kill -9 "$last"
done
