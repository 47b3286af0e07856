#!/usr/bin/env bash
# The emulated WitMotion sensor on a robot in a world. At rest: read by a host written from the data sheet alone. While the robot
# turns: read by the driver `witmotion`. On a bad line and with the cable out for a while: read by `hil` beside an avatar.
source "$(dirname "$0")/../lib.sh"
port=$(free_port)
cd "$work" || exit 1

# a sensor without noise, on the robot of the shipped world
sed 's/ gyro_noise=.*"/ /' "$profiles/robots/two_wheels_imu.xml" >robot.xml
sed "s#two_wheels_imu.xml#$work/robot.xml#" "$profiles/worlds/imu.xml" >world.xml
grep -q "noise" robot.xml && fail "the robot has noise"
start sensor "$doppel" emulate imu --pty "$work/imu" --world world.xml --robot avatar --rate 50 --serve $port
sensor=$last
until_true 5 test -e "$work/imu" || fail "no sensor"

# at rest, to a host written from the data sheet
python3 "$source_dir/tests/clients/witmotion.py" "$work/imu" 2 >rest.log 2>&1 || fail "the client heard nothing"
cat rest.log
value() { # FILE NAME N: a number that the client printed
    awk -v name="$2" -v n="$3" '$1 == name { print $(n + 1) }' "$1"
}
number "abs($(value rest.log acceleration_g 3) - 1) < 0.01" || fail "no gravity"
number "abs($(value rest.log acceleration_g 1)) < 0.01 and abs($(value rest.log rate_deg_s 3)) < 0.2" || fail "it does not rest"
number "abs($(value rest.log period_s 1) - 0.02) < 0.002" || fail "not 50 a second"
number "$(value rest.log lost_bytes 1) == 0 and $(value rest.log other_types 1) == 0" || fail "bytes of no packet"
grep -q "in_order True" rest.log || fail "the packets are not in order"

# the robot turns at 0.5 rad/s
cat >turn.xml <<XML
<package_profile>
  <name>Turn</name>
  <subcomponents>
    <subcomponent><name>Imu</name>
      <execution_semantics><type>periodic-shared</type><period>20</period></execution_semantics>
      <properties>
        <property name="ApiName">witmotion</property>
        <property name="Address">$work/imu</property>
      </properties>
    </subcomponent>
    <subcomponent><name>WheelController</name>
      <execution_semantics><type>periodic-shared</type><period>20</period></execution_semantics>
      <properties>
        <property name="ApiName">avatar</property>
        <property name="ip">127.0.0.1</property>
        <property name="port">$port</property>
        <property name="WheelDiameter">0.08</property>
        <property name="AxleDistance">0.24</property>
        <property name="L_Motor_Name">LeftWheel</property>
      </properties>
    </subcomponent>
    <subcomponent><name>VelocityScript</name>
      <execution_semantics><type>periodic-shared</type><period>20</period></execution_semantics>
      <properties>
        <property name="Script">0 0 0.5</property>
        <property name="EndAfter">60</property>
      </properties>
    </subcomponent>
  </subcomponents>
  <port_connections>
    <port_connection port_type="service">
      <source component_name="VelocityScript" port_name="WheelControllerService"/>
      <target component_name="WheelController" port_name="WheelControllerService"/>
    </port_connection>
  </port_connections>
</package_profile>
XML
"$doppel" run turn.xml --duration 4 --out turn --quiet >turn.log 2>&1 || fail "the run ended with $?"
python3 - <<'PY' || fail "the driver measured something else"
import csv, json
summary = json.load(open("turn/summary.json"))
device = summary["devices"]["Imu"]
print(device)
assert device["losses"] == 0 and device["checksum_errors"] == 0 and device["dropped_bytes"] < 11, device
assert 180 <= device["measurements"] <= 220 and device["temperature_c"] == 25.0, device
rows = [row for row in csv.DictReader(open("turn/trace.csv")) if float(row["t"]) > 2]
mean = lambda name: sum(float(row[name]) for row in rows) / len(rows)
print(mean("Imu.rate_z"), mean("Imu.acceleration_z"))
assert abs(mean("Imu.rate_z") - 0.5) < 0.01
assert abs(mean("Imu.acceleration_z") - 9.80665) < 0.05
turned = float(rows[-1]["Imu.yaw"]) - float(rows[0]["Imu.yaw"])
took = float(rows[-1]["t"]) - float(rows[0]["t"])
assert abs(turned / took - 0.5) < 0.02, (turned, took)
PY
kill -INT "$sensor"
wait "$sensor" || fail "the emulator ended with $?"
grep -q "measurements sent, 0 bytes of the host" sensor.log || fail "the emulator did not say what it did"

# a bad line and a cable that is out for a second: errors are counted, the sensor is lost and found
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
