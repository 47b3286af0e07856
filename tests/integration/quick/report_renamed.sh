#!/usr/bin/env bash
# A report knows a robot whatever its component is called: its map, its world, its figures. The record of a run says where it comes from, and all else
# repeats byte for byte.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
sed 's/WheelController</Chassis</g; s/"WheelController"/"Chassis"/g; s/>Chassis<\/reference>/>WheelController<\/reference>/' \
    "$profiles/apps/patrol.xml" >patrol.xml
sed 's/"WheelController"/"Chassis"/g' "$profiles/bindings/twin.xml" >twin.xml
grep -q 'component_name="WheelController"' patrol.xml && fail "the component has its old name"
for name in named again; do
    "$doppel" run patrol.xml --bind twin.xml --duration 5 --seed 3 --clock sim --quiet --log-level error --out $name >run.log 2>&1 || fail "run"
done
for file in trace.csv scans.csv; do
    cmp named/$file again/$file || fail "$file does not repeat"
done
page() { # NAME ARGUMENT...
    "$doppel" report "$1" --output "$1.html" "${@:2}" >report.log 2>&1 || fail "report $1"
    xmllint --noout --nonet "$1.html" || fail "$1.html is not well-formed"
}
has() { # NAME TEXT...
    local text
    for text in "${@:2}"; do
        grep -qF -- "$text" "$1.html" || fail "$1.html lacks: $text"
    done
}
page named
has named '<figure id="map">' '>walls and objects of the world<' '>avatar<' '>robot<' '>laser<' 'error of the avatar' \
    '<figure id="distance">' 'distance driven' '>OdometryScaleLeft<' "office.xml"
has named "<td>$("$doppel" version | sed 's/doppel \([^,]*\),.*/\1/')</td>" "<td>$(uname -n)</td>" "--duration 5 --seed 3" "<th>date</th>"
python3 - named/run.json <<'PY' || fail "the record of a run"
import datetime, json, sys
r = json.load(open(sys.argv[1]))
made = datetime.datetime.strptime(r["date"], "%Y-%m-%dT%H:%M:%SZ")
assert abs((datetime.datetime.utcnow() - made).total_seconds()) < 600, r["date"]
assert r["seed"] == 3 and r["clock"] == "simulated" and r["application"] == "Patrol", r
chassis = [c for c in r["components"] if c["name"] == "Chassis"][0]
assert chassis["class"] == "WheelController" and chassis["device_class"] == "wheel_controller"
assert [s["side"] for s in chassis["device"]["sides"]] == ["hardware", "simulation"]
assert any({"name": "Chassis.x", "unit": "m", "summary": "odometry"}.items() <= c.items() for c in r["columns"])
assert any(c["source"]["component"] == "Synchronizer" and c["target"]["component"] == "Chassis" for c in r["connections"])
PY
# a world that is gone: the rest is drawn; another one can be named
sed -i 's/office\.xml/gone.xml/' again/run.json
page again
grep -q "without walls; --world FILE" report.log || fail "nobody says that the walls are missing: $(<report.log)"
grep -q "walls and objects" again.html && fail "walls of a world that is gone"
page again --world office
has again '>walls and objects of the world<'
"$doppel" report again --output none.html --world nowhere >report.log 2>&1
[ $? -eq 1 ] && [ ! -e none.html ] || fail "--world of no world"
