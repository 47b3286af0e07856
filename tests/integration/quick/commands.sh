#!/usr/bin/env bash
# Each command on a small input, on the simulated clock where there is one: what it prints, its exit code, its files.
source "$(dirname "$0")/../lib.sh"
does() { # CODE COMMAND...: standard output goes to $out, errors to $err
    local code=$1 got
    shift
    out=$("$doppel" "$@" 2>"$work/stderr")
    got=$?
    err=$(<"$work/stderr")
    [ $got -eq "$code" ] || fail "exit $got, expected $code: doppel $* ($out $err)"
}
has() { # TEXT PATTERN...: each is in the text
    local text=$1 pattern
    shift
    for pattern in "$@"; do
        grep -qE -- "$pattern" <<<"$text" || fail "no '$pattern' in: $text"
    done
}
value() { # FILE KEY: of a flat JSON file
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2"
}
column() { # FILE NAME: the last value of a column
    python3 -c 'import csv, sys; print(list(csv.DictReader(open(sys.argv[1])))[-1][sys.argv[2]])' "$1" "$2"
}

# ---- run: a script drives 0.2 m/s for 2 s, 0.4 m are on the trace; the same seed gives the same bytes ----
experiment=(run sync_experiment --bind bullet_twin --clock sim --quiet --duration 3 --set "VelocityScript.Script=0 0.2 0; 2 0 0")
does 0 "${experiment[@]}" --out "$work/a" --seed 5
has "$err" "results: $work/a/summary.json, $work/a/trace.csv"
[ "$(value "$work/a/summary.json" interrupted)" = False ] || fail "the summary of a whole run says that it was interrupted"
x=$(column "$work/a/trace.csv" WheelController.x)
python3 -c "import sys; sys.exit(not 0.3 < float('$x') < 0.45)" || fail "the base is at $x m, expected about 0.4"
[ "$(value "$work/a/summary.json" exit)" = 0 ] && [ "$(value "$work/a/summary.json" seed)" = 5 ] || fail "the summary"
[ "$(value "$work/a/summary.json" duration_s)" = 3.0 ] || fail "it ran for $(value "$work/a/summary.json" duration_s) s"
does 0 "${experiment[@]}" --out "$work/b" --seed 5
cmp "$work/a/trace.csv" "$work/b/trace.csv" || fail "the same seed gives another trace"
does 0 "${experiment[@]}" --out "$work/b" --seed 6
cmp -s "$work/a/trace.csv" "$work/b/trace.csv" && fail "another seed gives the same trace"
# the refused: nothing of an earlier run stays, and the summary says why
does 1 run sync_experiment --bind bullet_twin --clock sim --out "$work/b" --set VelocityScript.Script=nonsense
[ ! -e "$work/b/trace.csv" ] && [ "$(value "$work/b/summary.json" exit)" = 1 ] || fail "a refused run leaves results"
has "$(value "$work/b/summary.json" error)" "Script"
does 2 run patrol --policy sloppy
has "$err" "found 'sloppy', expected other, fifo, rr"
does 2 run patrol --log-level loud
does 0 run patrol --bind sim --clock sim --rate 20 --duration 1 --log-level error # a tenth of a second and no warning
has "$err" " 0\.0 s .* load "
grep -q warn <<<"$err" && fail "--log-level error shows warnings: $err"

# ---- sim: serves until its time is over or it is stopped, and a run drives the robot in it ----
does 1 sim no_such_world
has "$err" "no_such_world"
does 2 sim office --rate 2
does 0 sim office --port 0 --duration 0.2 --seed 3
has "$out" "serving world 'office' at tcp://127.0.0.1:[1-9][0-9]*, in real time" "robot 'avatar': motor 'LeftWheel'"
start world "$doppel" sim office --port 0 --lockstep
world=$last
for _ in $(seq 100); do
    grep -q serving "$work/world.log" && break
    sleep 0.1
done
port=$(sed -n "s/^serving world 'office' at tcp:.*:\([0-9]*\),.*/\1/p" "$work/world.log")
[ -n "$port" ] || fail "no world is served"
does 1 sim office --port "$port"
has "$err" "the port is in use"
does 0 run patrol --bind sim --clock sim --quiet --duration 3 --out "$work/served" --set WheelController.ip=127.0.0.1 \
    --set WheelController.port="$port" --set LaserScanner.ip=127.0.0.1 --set LaserScanner.port="$port"
x=$(column "$work/served/trace.csv" WheelController.x)
python3 -c "import sys; sys.exit(not abs(float('$x')) > 0.05)" || fail "in the served world the base is at $x m"
kill -TERM "$world"
wait "$world" || fail "a served world that is stopped ends with $?"

# ---- bench: one verdict, many, JUnit, one that is not as expected, one that does not load ----
does 0 bench race/left_turn --out "$work/bench" --log-level error
has "$out$err" "^ok +left_turn: finished: FINISH at "
for file in log.csv track.svg scene.json summary.json trace.csv; do
    [ -s "$work/bench/$file" ] || fail "no $file"
done
[ "$(value "$work/bench/summary.json" verdict)" = finished ] || fail "the verdict in the summary"
does 0 bench race/left_turn race/straight --repeat 2 --jobs 2 --vary --seed 7 --junit "$work/junit.xml" --out "$work/many"
has "$out" "left_turn seed 8" "left_turn: 2 of 2 runs as expected" "straight: 2 of 2"
[ -s "$work/many/straight/8/log.csv" ] || fail "no folder of a seed"
python3 - "$work/junit.xml" <<'PY' || fail "the JUnit file"
import sys, xml.etree.ElementTree as tree
suites = list(tree.parse(sys.argv[1]).getroot())
assert [s.get("name") for s in suites] == ["left_turn", "straight"], suites
assert all(s.get("tests") == "2" and s.get("failures") == "0" for s in suites)
assert [c.get("name") for c in suites[1]] == ["seed 7", "seed 8"]
PY
does 4 bench race/left_turn --set Bench.Referee.Expect=hit --junit "$work/junit.xml" --quiet
has "$out$err" "^FAIL left_turn: finished"
has "$(<"$work/junit.xml")" 'failures="1"' '<failure type="finished"'
does 4 bench race/left_turn --duration 1 --quiet
does 1 bench race/left_turn race/no_such
has "$err" "no_such"
does 2 bench race/left_turn --clock moon

# ---- list, info: what there is, with its properties; a name that is near ----
does 0 list drivers
has "$out" "wheel_controller" "avatar" "scip"
for kind in classes bindings apps benches components worlds plans robots services types sensors actuators signals subsystems; do
    does 0 list $kind
    [ "$(wc -l <<<"$out")" -gt 1 ] || fail "list $kind is empty: $out"
done
# types and services come from .proto files, with units and OPRoS's names
does 0 list types services
has "$out" '^WheelController +.*types/WheelController.xml$' '^PinsService '
folder=$(awk '$1 == "WheelControllerService" { print $2 }' <<<"$out")
does 0 check "$folder" "$(dirname "$folder")/../types/Geometry.xml"
has "$(<"$folder")" 'method name="GetOdometery"' '<name>angular_velocity</name>'
has "$(<"$(dirname "$folder")/../types/Geometry.xml")" 'struct name="ObjectLocation"' 'type="double" unit="rad">theta<'
does 2 list drivrs
has "$err" "did you mean 'drivers'"
does 0 info WallFollower
has "$out" "^component class WallFollower: " "requires +doppel.PinsService" "TopDuty +double .* 700 +1\.\.1000"
does 0 info laser_scanner/scip
has "$out" "^driver laser_scanner/scip: "
does 0 info avatar
has "$out" "wheel_controller/avatar" "laser_scanner/avatar" "axes/avatar"
# what worlds are made of: each class has its page
for kind in sensors actuators signals subsystems; do
    does 0 list $kind
    for name in $(awk '{ print $1 }' <<<"$out"); do
        does 0 info "$name"
        [ "$(wc -l <<<"$out")" -gt 1 ] || fail "info $name says little: $out"
    done
done
does 0 info sensor/laser
has "$out" '^sensor laser: a laser scanner' 'in a <robot_model>: <laser>' 'in a mechanism: <Sensor type="laser">, at a body' '^  rate_hz +double +Hz +10 ' '^  laser_dx +double +m +-1\.\.1 ' '^  ranges +block +out +m '
does 0 info actuator/dc_motor subsystem/planar
has "$out" '<Motor type="dc">, at a joint' 'moves robots of the subsystem mobile, where solver="planar" says so'
does 1 info wheel_controller/avatr
has "$err" "did you mean 'wheel_controller/avatar'"

# ---- check: all kinds, many files, one count ----
does 0 check --quiet "$profiles"/worlds/*.xml "$profiles"/robots/*.xml
[ -z "$out$err" ] || fail "--quiet says: $out$err"
does 0 check --resolve --bind sim patrol follow
has "$out" "^2 files: 0 errors, 0 warnings$"
does 1 check patrol no_such_profile --bind sim
has "$err" "no_such_profile"
has "$out" "2 files: 1 error"
sed 's/<name>/<nmae>/; s#</name>#</nmae>#' "$profiles/apps/patrol.xml" >"$work/misspelled.xml"
does 1 check --strict "$work/misspelled.xml"
has "$err" "misspelled.xml:[0-9]+:[0-9]+: (error|warning): .*did you mean"

# ---- graph, report, completion, version ----
does 0 graph patrol --bind hil --output "$work/graph.dot"
has "$(<"$work/graph.dot")" "digraph" "kobuki" "avatar"
does 2 graph patrol --bind sim --format jpeg
for app in patrol teleop; do # without a binding, any driver fits
    does 0 graph $app --output "$work/graph.dot"
    has "$(<"$work/graph.dot")" "digraph" "any driver of wheel_controller"
done
does 1 graph patrol --set WheelController.CommandTimeot=1
does 0 report --table "$work/a" "again=$work/served"
has "$out" "^\| run \|" "^\| again \|"
does 0 report "$work/a" --output "$work/page.html" --chart "$work/chart.svg" --title "Three seconds"
has "$(<"$work/page.html")" "<title>Three seconds" "<svg"
has "$(<"$work/chart.svg")" "<svg" "</svg>"
does 0 report "$work/a"
[ -s "$work/a/report.html" ] || fail "no page in the folder of the run"
does 2 report "$work/a" "$work/served"
does 1 report --table "$work/none"
does 0 completion
has "$out" "complete -o filenames"
does 0 version
has "$out" "^doppel [0-9]+\.[0-9]+\.[0-9]+, plugin ABI [0-9]+"
does 0 --version
does 2
does 2 frobnicate
echo "every command does what it says"
