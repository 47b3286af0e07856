#!/usr/bin/env bash
# The emulated WitMotion sensor on a bad line and with the cable out for a second, read by `hil` beside an avatar: errors are counted, the sensor is
# lost and found.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# a sensor without noise, on the robot of the shipped world
sed 's/ gyro_noise=.*"/ /' "$profiles/robots/two_wheels_imu.xml" >robot.xml
sed "s#two_wheels_imu.xml#$work/robot.xml#" "$profiles/worlds/imu.xml" >world.xml
grep -q "noise" robot.xml && fail "the robot has noise"
start bad "$doppel" emulate imu --pty "$work/imu" --rate 50 --garble 0.1 --unplug 1.5,2.5
until_true 5 test -e "$work/imu" || fail "no sensor on a bad line"
cat >bad.xml <<XML
<package_profile>
  <name>Bad</name>
  <world file="$work/world.xml"/>
  <subcomponents>
    <subcomponent><name>Imu</name>
      <execution_semantics><type>periodic-shared</type><period>20</period></execution_semantics>
      <properties>
        <property name="ApiName">hil</property>
        <property name="hardware.Address">$work/imu</property>
      </properties>
    </subcomponent>
  </subcomponents>
</package_profile>
XML
"$doppel" run bad.xml --duration 5 --out bad --quiet >bad_run.log 2>&1
python3 - <<'PY' || fail "the loss was counted otherwise"
import json
devices = json.load(open("bad/summary.json"))["devices"]
print(json.dumps(devices))
line = devices["Imu.hardware"]
assert devices["Imu"]["losses"] == 1, devices
assert line["reconnects"] >= 1 and line["checksum_errors"] > 0 and line["measurements"] > 100, line
PY
