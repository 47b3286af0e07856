#!/usr/bin/env bash
# Reports know any application: robots whatever their components are called, several of them, races, machines with axes, arms, worlds
# alone, test plans. Pages are well-formed and need nothing from outside; charts as files have the numbers of the trace; the record of a
# run says where it comes from, and all else repeats byte for byte.
source "$(dirname "$0")/../lib.sh"
run() { # NAME ARGS...: results in NAME
    "$doppel" run "${@:2}" --clock sim --quiet --log-level error --out "$work/$1" >"$work/$1.log" 2>&1 || fail "run ${*:2}"
}
page() { # NAME ARGS...: NAME.html of the results in NAME
    "$doppel" report "$work/$1" --output "$work/$1.html" "${@:2}" >"$work/report.log" 2>&1 || fail "report $1"
    xmllint --noout --nonet "$work/$1.html" || fail "$1.html is not well-formed"
    grep -oE '(src|href)=|url\(|<script|https?://[^"]*' "$work/$1.html" | grep -v '^http://www.w3.org/' && fail "$1.html asks for something outside"
    return 0
}
has() { # NAME TEXT...
    local text
    for text in "${@:2}"; do
        grep -qF -- "$text" "$work/$1.html" || fail "$1.html lacks: $text"
    done
}

# the same robot under another name: its map, its world, its figures
sed 's/WheelController</Chassis</g; s/"WheelController"/"Chassis"/g; s/>Chassis<\/reference>/>WheelController<\/reference>/' \
    "$profiles/apps/patrol.xml" >"$work/patrol.xml"
sed 's/"WheelController"/"Chassis"/g' "$profiles/bindings/twin.xml" >"$work/twin.xml"
grep -q 'component_name="WheelController"' "$work/patrol.xml" && fail "the component has its old name"
run named "$work/patrol.xml" --bind "$work/twin.xml" --duration 5 --seed 3
page named
has named '<figure id="map">' '>walls and objects of the world<' '>avatar<' '>robot<' '>laser<' 'error of the avatar' \
    '<figure id="distance">' 'distance driven' '>OdometryScaleLeft<' "office.xml"
has named "<td>$("$doppel" version | sed 's/doppel \([^,]*\),.*/\1/')</td>" "<td>$(uname -n)</td>" "--duration 5 --seed 3" "<th>date</th>"
python3 - "$work/named/run.json" <<'PY' || fail "the record of a run"
import datetime, json, sys
r = json.load(open(sys.argv[1]))
made = datetime.datetime.strptime(r["date"], "%Y-%m-%dT%H:%M:%SZ")
assert abs((datetime.datetime.utcnow() - made).total_seconds()) < 600, r["date"]
assert r["seed"] == 3 and r["clock"] == "simulated" and r["application"] == "Patrol", r
chassis = [c for c in r["components"] if c["name"] == "Chassis"][0]
assert chassis["class"] == "WheelController" and chassis["device_class"] == "wheel_controller"
assert [s["side"] for s in chassis["device"]["sides"]] == ["hardware", "simulation"]
assert {"name": "Chassis.x", "unit": "m", "summary": "odometry"} in r["columns"]
assert any(c["source"]["component"] == "Synchronizer" and c["target"]["component"] == "Chassis" for c in r["connections"])
PY
# nothing else has a date in it
run again "$work/patrol.xml" --bind "$work/twin.xml" --duration 5 --seed 3
for file in trace.csv scans.csv; do
    cmp "$work/named/$file" "$work/again/$file" || fail "$file does not repeat"
done
# a world that is gone: the rest is drawn; another one can be named
sed -i 's/office\.xml/gone.xml/' "$work/again/run.json"
page again
grep -q "without walls; --world FILE" "$work/report.log" || fail "nobody says that the walls are missing: $(<"$work/report.log")"
grep -q "walls and objects" "$work/again.html" && fail "walls of a world that is gone"
page again --world office
has again '>walls and objects of the world<'
"$doppel" report "$work/again" --output "$work/none.html" --world nowhere >"$work/report.log" 2>&1
[ $? -eq 1 ] && [ ! -e "$work/none.html" ] || fail "--world of no world"

# every scan
run scans patrol --bind sim --duration 6 --set ScanRecorder.Interval=0 --set ScanRecorder.MaximumScans=0
[ "$(($(wc -l <"$work/scans/scans.csv") - 1))" -ge "$(($(json "$work/scans/summary.json" LaserScanner.scans) - 2))" ] ||
    fail "$(wc -l <"$work/scans/scans.csv") rows of $(json "$work/scans/summary.json" LaserScanner.scans) scans"

# charts as files: the numbers of the trace
"$doppel" report "$work/named" --charts "$work/charts" >"$work/report.log" 2>&1 || fail "--charts"
for file in map.svg map.csv distance.svg distance.csv Chassis-1.csv; do
    [ -s "$work/charts/$file" ] || fail "no $file"
done
xmllint --noout "$work"/charts/*.svg || fail "a chart is not well-formed"
if command -v rsvg-convert >/dev/null; then
    [ "$(head -c 4 "$work/charts/map.png" | tail -c 3)" = PNG ] || fail "no PNG"
else
    grep -q "install rsvg-convert" "$work/report.log" || fail "nobody says how to get PNG"
fi
python3 - "$work" <<'PY' || fail "the numbers of charts are not those of the trace"
import csv, glob, os, sys
work = sys.argv[1]
trace = list(csv.DictReader(open(work + "/named/trace.csv")))
def number(text):
    return None if text in ("", "nan", "inf", "-inf") else float(text)
checked = 0
for name in glob.glob(work + "/charts/*-*.csv"):
    rows = list(csv.DictReader(open(name)))
    owners = {os.path.basename(name).rsplit("-", 1)[0].replace("-", "."), os.path.basename(name).rsplit("-", 1)[0]}
    for column in rows[0]:
        keys = [o + "." + column for o in owners if o + "." + column in trace[0]]
        if column == "time, s":
            keys = ["t"]
        for key in keys[:1]:
            assert len(rows) == len(trace), name
            for r, t in zip(rows, trace):
                try:
                    same = number(r[column]) == number(t[key])
                except ValueError:
                    same = r[column] == t[key].strip('"')
                assert same, (name, key, r[column], t[key])
            checked += 1
assert checked > 40, checked
distance = list(csv.DictReader(open(work + "/charts/distance.csv")))
assert [number(r["true"]) for r in distance] == [number(t["sync.true_mm"]) for t in trace]
avatar = [r for r in csv.reader(open(work + "/charts/map.csv")) if r and r[0] == "avatar"]
known = [t for t in trace if number(t["sync.avatar_x"]) is not None]
assert abs(len(avatar) - len(known)) <= 1, (len(avatar), len(known))
assert float(avatar[-1][1]) == float(known[-1]["sync.avatar_x"]), avatar[-1]
PY

# two robots in one world, each with an avatar and a Synchronizer
cat >"$work/two.xml" <<'XML'
<world name="yard" step_ms="1">
  <wall x1="-1" y1="2" x2="4" y2="2"/>
  <cylinder x="2" y="0" radius="0.2" height="1"/>
  <robot name="left" model="kobuki_urg.xml" y="0.8"/>
  <robot name="right" model="kobuki_urg.xml" y="-0.8"/>
</world>
XML
python3 - "$work/pair.xml" <<'PY'
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
run pair "$work/pair.xml" --duration 5
page pair
has pair '>leftWheelController: avatar<' '>rightWheelController: avatar<' '>leftWheelController: robot by odometry<' 'with 2 objects' \
    '<span>rightWheelController: tracking at the end' '<figure id="distance-2">'
[ "$(grep -c '<figure id="map">' "$work/pair.html")" -eq 1 ] || fail "two maps"

# applications without robots: values by component and unit, states over time, the verdict, the track
run machine hexafloat --bind sim --duration 3
page machine
has machine '<summary>ForceSensor</summary>' '<summary>Servo</summary>' '<h3>MachineControl: phase</h3>' '>N</text>' '>filtered_x<' 'what it is'
grep -q '<figure id="map">' "$work/machine.html" && fail "the map of a machine"
run arm joint_arm --bind sim --duration 4
page arm
has arm '<h3>JointController: position, reference</h3>' '>reference_1<'
"$doppel" bench race/straight --out "$work/race" >"$work/race.log" 2>&1 || fail "a race"
page race
has race '<figure id="track">' '>finish<' 'Verdict: finished</b>, as expected' '>Bench.Referee.path<' '>m<'
"$doppel" sim imu --run 1 --every 0.01 --out "$work/alone" >"$work/alone.log" 2>&1 || fail "a world alone"
page alone
has alone 'from channels.csv' '<summary>avatar'
"$doppel" test elevator --step '01 power on' --out "$work/plan" >"$work/plan.log" 2>&1 || fail "a step of a test plan"
page plan
has plan 'Steps, seed 1' '01 power on' '<td>passed</td>' 'level</td>'
echo "reports know any application"
