#!/usr/bin/env bash
# A robot with range finders drives against a wall: the range falls, the bumper is touched, one at its back is not. The run repeats byte for byte.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
cat >drive.xml <<'XML'
<package_profile>
  <name>Drive</name>
  <world file="ranges.xml"/>
  <subcomponents>
    <subcomponent><name>RangeFinders</name><properties><property name="ApiName">avatar</property></properties></subcomponent>
    <subcomponent><name>WheelController</name>
      <properties>
        <property name="ApiName">avatar</property>
        <property name="L_Motor_Name">LeftWheel</property>
      </properties>
    </subcomponent>
    <subcomponent><name>VelocityScript</name><properties><property name="Script">0 0.2 0; 15 0 0</property></properties></subcomponent>
  </subcomponents>
  <port_connections>
    <port_connection port_type="service">
      <source component_name="VelocityScript" port_name="WheelControllerService"/>
      <target component_name="WheelController" port_name="WheelControllerService"/>
    </port_connection>
  </port_connections>
</package_profile>
XML
drive() { "$doppel" run drive.xml --clock sim --quiet --out "$@" >run.log 2>&1 || fail "the run"; }
touches() { sed -n 's/.*"RangeFinders.touches": \([0-9]*\).*/\1/p' "$1/summary.json"; }
drive once
drive again
cmp once/trace.csv again/trace.csv || fail "the run does not repeat"
[ "$(touches once)" -ge 1 ] || fail "no touch"
python3 - <<'PY' || fail "the range is not that to the wall"
import csv
rows = list(csv.DictReader(open("once/trace.csv")))
for row in rows:
    late = float(row["t"]) - float(row["WheelController.stamp_s"] or 0)
    ahead = 2.45 - 0.09 - float(row["WheelController.x"]) - 0.2 * late
    value = row["RangeFinders.range_1"]
    if value and 0.2 < ahead < 1.9:
        assert abs(float(value) - ahead) < 0.03, (row["t"], value, ahead)
first = next(float(row["t"]) for row in rows if row["RangeFinders.touched"] in ("1", "true"))
print("touched at", first)
assert 11.5 < first < 13.5, first
PY
sed 's/<contact name="bumper"/& yaw="180 deg"/' "$profiles/robots/two_wheels_ranges.xml" >back.xml
sed "s#two_wheels_ranges.xml#$work/back.xml#" "$profiles/worlds/ranges.xml" >back_world.xml
drive back --set "WheelController.World=$work/back_world.xml" --set "RangeFinders.World=$work/back_world.xml"
[ "$(touches back)" -eq 0 ] || fail "the bumper at the back was touched"
