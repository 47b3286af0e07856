#!/usr/bin/env bash
# doppel map: a recording becomes a world that agrees with the true one, and an avatar stands in it; what it refuses.
source "$(dirname "$0")/../lib.sh"
log=/work/shared/data/mines_urg04lx_exp1.dat

refuses() { # CODE PATTERN ARGUMENT...: and leaves no file
    local code=$1 pattern=$2 got
    shift 2
    "$doppel" map "$@" --output "$work/refused.xml" >"$work/out" 2>"$work/said"
    got=$?
    [ $got -eq "$code" ] || fail "exit $got, expected $code: doppel map $* ($(<"$work/said"))"
    grep -q -- "$pattern" "$work/said" || fail "no '$pattern' in: $(<"$work/said")"
    [ ! -e "$work/refused.xml" ] || fail "a refused map left a file: $*"
}

# record: an office whose every object is known (no scattered ones)
grep -v '<scatter' "$profiles/worlds/office_rooms.xml" >"$work/office_rooms.xml"
cp "$profiles/worlds/office.xml" "$work/office.xml"
"$doppel" run patrol --bind sim --clock sim --duration 60 --quiet --set WheelController.World="$work/office.xml" \
    --set LaserScanner.World="$work/office.xml" --set ScanRecorder.Interval=0.2 --set ScanRecorder.MaximumScans=4096 \
    --out "$work/recorded" 2>"$work/run.log" || fail "recording: $(<"$work/run.log")"

# map, check, compare with the truth; the same input gives the same bytes
"$doppel" map "$work/recorded" --output "$work/map.xml" --picture "$work/map.svg" >"$work/said" || fail "map"
grep -q "walls" "$work/said" || fail "map says: $(<"$work/said")"
"$doppel" check --strict "$work/map.xml" >"$work/out" 2>&1 || fail "the map is no good world: $(<"$work/out")"
grep -q 'name="wall 1"' "$work/map.xml" || fail "walls have no names"
[ "$(grep -c '<wall' "$work/map.xml")" -lt 400 ] || fail "too many walls"
grep -q '</svg>' "$work/map.svg" || fail "no picture"
python3 "$source_dir/tests/integration/slow/compare_map.py" "$work/map.xml" "$work/office_rooms.xml" "$work/recorded/scans.csv" || fail "the map is not the office"
"$doppel" map "$work/recorded" --output "$work/again.xml" >/dev/null || fail "map again"
cmp "$work/map.xml" "$work/again.xml" || fail "two maps of one recording differ"
# a picture that cannot be written is said before there is a world; a map that nothing fits is said to be none
"$doppel" map "$work/recorded" --output "$work/pictured.xml" --picture "$work/nowhere/map.svg" >"$work/out" 2>"$work/said"
[ $? -eq 1 ] && grep -q "cannot write .*nowhere/map.svg" "$work/said" || fail "a picture in no folder: $(<"$work/said")"
[ ! -e "$work/pictured.xml" ] && [ ! -e "$work/pictured.xml.part" ] || fail "a world without its picture"
awk 'NR == 1 || NR % 15 == 0' "$work/recorded/scans.csv" >"$work/few.csv"
{
    head -1 "$work/few.csv"
    paste -d, <(tail -n +2 "$work/few.csv" | cut -d, -f1-9) <(tail -n +2 "$work/few.csv" | shuf --random-source="$work/few.csv" | cut -d, -f10-)
} >"$work/mixed.csv"
"$doppel" map "$work/mixed.csv" --output "$work/mixed.xml" --hold-out 2 --scan-time 5 >"$work/out" 2>"$work/said" || fail "mixed scans"
grep -q "warning: half of the beams' ends are more than 50 mm from a wall" "$work/said" || fail "no warning: $(<"$work/out")"

# use: the avatar drives in the map beside the robot in the true world
"$doppel" run patrol --bind twin --clock sim --duration 20 --quiet --set WheelController.simulation.World="$work/map.xml" \
    --set LaserScanner.simulation.World="$work/map.xml" --out "$work/twin" 2>"$work/run.log" || fail "twin: $(<"$work/run.log")"
grep -q '"sync.state": "OK"' "$work/twin/summary.json" || fail "the avatar does not follow in the map"

# what is refused: the file, the line, the byte
head -1 "$work/recorded/scans.csv" >"$work/none.csv"
refuses 1 "none.csv:2: error: found no scan" "$work/none.csv"
head -c 3000 "$work/recorded/scans.csv" >"$work/cut.csv"
refuses 1 "cut.csv:2:.*cut short" "$work/cut.csv"
sed '3s/^[^,]*,[^,]*/0.4,nan/' "$work/recorded/scans.csv" >"$work/nan.csv"
refuses 1 "nan.csv:3:5: error: .*finite" "$work/nan.csv"
mkdir "$work/empty"
refuses 1 "no scans.csv is there" "$work/empty"
refuses 1 "cannot open" "$work/absent"
refuses 1 "neither a file nor a profile" "$work/recorded" --robot kobuky_urg
refuses 1 "expected \"X Y YAW\"" "$work/recorded" --mount "1 2"
refuses 2 "hold-out 1" "$work/recorded" --hold-out 1
"$doppel" map "$work/recorded" 2>"$work/said"
[ $? -eq 2 ] || fail "without --output"
grep -q -- "--output" "$work/said" || fail "says: $(<"$work/said")"
cp "$work/recorded/scans.csv" "$work/kept.csv"
for outputs in "--output $work/recorded/scans.csv" "--output $work/m.xml --picture $work/m.xml"; do
    "$doppel" map "$work/recorded" $outputs >"$work/out" 2>"$work/said"
    [ $? -eq 2 ] || fail "overwrites: $outputs"
    grep -q "would overwrite" "$work/said" || fail "says: $(<"$work/said")"
done
cmp "$work/kept.csv" "$work/recorded/scans.csv" && [ ! -e "$work/m.xml" ] || fail "the recording is lost"
head -2 "$work/recorded/scans.csv" >"$work/one.csv"
"$doppel" map "$work/one.csv" --output "$work/one.xml" --delay -0.0001 | grep "stamped 0 ms behind" >"$work/out" || fail "minus nothing"
"$doppel" map "$work/one.csv" --output "$work/one.xml" --delay -0.02 | grep "stamped 20 ms before" >"$work/out" || fail "a delay below 0"
"$doppel" map "$work/one.csv" --output "$work/one.xml" >/dev/null || fail "one scan"
"$doppel" check --strict "$work/one.xml" >"$work/out" 2>&1 || fail "the map of one scan: $(<"$work/out")"
echo old >"$work/full.xml"
(ulimit -f 1 && "$doppel" map "$work/recorded" --output "$work/full.xml" >/dev/null 2>"$work/said")
[ $? -eq 3 ] || fail "a full disk: $(<"$work/said")"
[ "$(<"$work/full.xml")" = old ] || fail "half a world has the final name"

# a real robot's log: the walls explain the scans that are not in the map
if [ -e "$log" ]; then
    "$doppel" map "$log" --output "$work/real.xml" --hold-out 2 >"$work/said" || fail "the log: $(<"$work/said")"
    "$doppel" check --strict "$work/real.xml" >"$work/out" 2>&1 || fail "the log's map: $(<"$work/out")"
    cat "$work/said"
    python3 - "$work/said" <<'PY' || fail "the log's map does not explain the scans held out"
import re, sys
median, _, odometry = map(float, re.search(r"median ([\d.]+) mm, 90 % below ([\d.]+) mm; by odometry alone median ([\d.]+)", open(sys.argv[1]).read()).groups())
sys.exit(not (median <= 15 and odometry > 5 * median))
PY
    # the recorded robot, played by the emulators, and its avatar in that map
    start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --log "$log"
    start urg "$doppel" emulate urg --pty "$work/urg" --log "$log"
    until_true 5 test -e "$work/kobuki" -a -e "$work/urg" || fail "no emulators"
    "$doppel" run follow --bind replay --duration 6 --quiet --set WheelController.hardware.Address="$work/kobuki" \
        --set LaserScanner.hardware.Address="$work/urg" --set WheelController.simulation.World="$work/real.xml" \
        --set LaserScanner.simulation.World="$work/real.xml" --out "$work/replay" >"$work/replay.log" 2>&1 || fail "replay in the map"
    number "$(json "$work/replay/summary.json" faults) == 0" || fail "replay: faults"
else
    echo "without $log: no map of a real robot was made"
fi
echo "map: ok"
