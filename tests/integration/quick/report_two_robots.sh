#!/usr/bin/env bash
# A report of two robots in one world, each with an avatar and a Synchronizer: one map with both, the distances of both.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
cat >two.xml <<'XML'
<world name="yard" step_ms="1">
  <wall x1="-1" y1="2" x2="4" y2="2"/>
  <cylinder x="2" y="0" radius="0.2" height="1"/>
  <robot name="left" model="kobuki_urg.xml" y="0.8"/>
  <robot name="right" model="kobuki_urg.xml" y="-0.8"/>
</world>
XML
python3 - pair.xml <<'PY'
import sys
parts, wires = "", ""
for robot, turn in (("left", 0.1), ("right", -0.1)):
    properties = {
        "VelocityScript": {"Script": f"0 0.2 {turn}; 4 0 0"},
        "WheelController": {
            "ApiName": "hil", "HardwareDriver": "mock", "SimulationDriver": "avatar", "simulation.RobotName": robot, "CommandTimeout": 0,
            "R_Motor_Name": "RightWheel", "L_Motor_Name": "LeftWheel", "simulation.WheelDiameter": 0.07, "simulation.AxleDistance": 0.23},
        "Synchronizer": {}}
    for kind, values in properties.items():
        texts = "".join(f'<property name="{n}">{v}</property>' for n, v in values.items())
        parts += (f"<subcomponent><name>{robot}{kind}</name><type>original</type><reference>{kind}.xml</reference><execution_semantics>"
                  f"<type>periodic-shared</type><period>10</period></execution_semantics><properties>{texts}</properties></subcomponent>\n")
    for kind, source, port, target, at in (
            ("service", "VelocityScript", "WheelControllerService", "WheelController", "WheelControllerService"),
            ("service", "Synchronizer", "Real", "WheelController", "HardwareService"),
            ("service", "Synchronizer", "Avatar", "WheelController", "SimulationService"),
            ("data", "WheelController", "command", "Synchronizer", "command")):
        wires += (f'<port_connection port_type="{kind}"><source component_name="{robot}{source}" port_name="{port}"/>'
                  f'<target component_name="{robot}{target}" port_name="{at}"/></port_connection>\n')
open(sys.argv[1], "w").write(f'<package_profile><name>Pair</name><version>1.0</version><world file="two.xml"/><subcomponents>{parts}'
                             f"</subcomponents><port_connections>{wires}</port_connections></package_profile>\n")
PY
"$doppel" run pair.xml --duration 5 --clock sim --quiet --log-level error --out pair >run.log 2>&1 || fail "run"
"$doppel" report pair --output pair.html >report.log 2>&1 || fail "report"
xmllint --noout --nonet pair.html || fail "the page is not well-formed"
for text in '>leftWheelController: avatar<' '>rightWheelController: avatar<' '>leftWheelController: robot by odometry<' 'with 2 objects' \
    '<span>rightWheelController: tracking at the end' '<figure id="distance-2">'; do
    grep -qF -- "$text" pair.html || fail "the page lacks: $text"
done
[ "$(grep -c '<figure id="map">' pair.html)" -eq 1 ] || fail "two maps"
