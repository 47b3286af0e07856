#!/usr/bin/env bash
# The emulated WitMotion sensor on a robot that turns at 0.5 rad/s in a world, read by the driver `witmotion`.
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
