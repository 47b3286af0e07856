#!/usr/bin/env bash
# The arm of a world in STAR's format under JointController: in simulation twice with the same bytes, over a mock, and both at once; the same
# arm in a world that is served, whose joints stand still when the run is killed; names that are wrong.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

for run in sim sim_again mock hil; do
    "$doppel" run joint_arm --bind "${run%_again}" --clock sim --duration 5 --seed 1 --out "$run" --quiet >"$run.log" 2>&1 || fail "$run ends with $?"
done
cmp sim/trace.csv sim_again/trace.csv || fail "two runs have different traces"

python3 - <<'PY' || fail "the arm did not go through its waypoints"
import csv, json
waypoints = [(1, 0, -0.8, 1.2), (2, 0.8, -0.8, 1.2), (3, 0.8, -0.2, 0.4), (4, 0, -0.8, 1.2)]
for name in "sim", "mock", "hil":
    rows = list(csv.DictReader(open(name + "/trace.csv")))
    summary = json.load(open(name + "/summary.json"))
    assert summary["JointController.refused"] == 0 and summary["JointController.missing"] == 0, summary
    for t, *wanted in waypoints:
        row = min(rows, key=lambda row: abs(float(row["t"]) - t - 0.02))
        got = [float(row[f"JointController.position_{i}"]) for i in (1, 2, 3)]
        assert all(abs(a - b) < 0.006 for a, b in zip(got, wanted)), (name, t, got)
    half = min(rows, key=lambda row: abs(float(row["t"]) - 1.5))
    assert 0.3 < float(half["JointController.position_1"]) < 0.45, (name, half)
hil = json.load(open("hil/summary.json"))["devices"]
print(hil)
assert hil["JointController"]["simulation_errors"] == 0
# the arm of the world is behind by damping over stiffness (0.035 s), the mock by its lag: the difference is that of the weight and inertia
assert 0.001 < hil["JointController"]["largest_difference"] < 0.03
PY

# ---- the trace has a column for each joint that there is, be they three or eight ----
"$doppel" run joint_arm --bind mock --clock sim --duration 1 --out eight --quiet --set "JointController.Joints=a b c d e f g h" \
    --set JointController.Waypoints="0.8 0 0 0 0 0 0 0.1 0.2" >eight.log 2>&1 || fail "eight joints: ends with $?"
for run in sim:3 hil:3 eight:8; do
    for column in position reference; do
        n=$(head -1 "${run%:*}/trace.csv" | tr ',' '\n' | grep -c "^JointController\.${column}_")
        [ "$n" = "${run#*:}" ] || fail "${run%:*}: $n columns of $column"
    done
done
number "abs($(last eight JointController.position_8) - 0.2) < 0.02" || fail "the eighth joint: $(last eight JointController.position_8)"

# ---- a served world: the run is killed in the middle of a way ----
start sim "$doppel" sim "$profiles/worlds/star/arm.json" --port 0
sim=$last
until_true 10 grep -q "^serving" "$work/sim.log" || fail "no world"
port=$(sed -n 's|^serving .* at tcp://[^:]*:\([0-9]*\),.*|\1|p' "$work/sim.log")
served=(run joint_arm --bind sim --set JointController.ip=127.0.0.1 --set JointController.port="$port" --set JointController.MaximumError=0)
start moves "$doppel" "${served[@]}" --set "JointController.Waypoints=20 2.5 -0.8 1.2" --duration 30 --out served
moves=$last
# get PATH: its value in the served world
get() {
    timeout 20 "$doppel" world "tcp://127.0.0.1:$port" get "$1" | awk '{print $2; exit}'
}
turns() {
    number "abs($(get cell/arm/waist/velocity)) > 0.05"
}
stands() {
    number "abs($(get cell/arm/waist/velocity)) < 0.001"
}
until_true 10 turns || fail "the served arm does not move"
kill -9 "$moves"
until_true 5 stands || fail "the arm goes on: $(get cell/arm/waist/velocity)"
# nor does it sink under its weight
shoulder=$(get cell/arm/shoulder/position)
sleep 1
number "abs($(get cell/arm/shoulder/position) - $shoulder) < 0.01" || fail "the arm sinks from $shoulder to $(get cell/arm/shoulder/position)"
number "0.01 < $(get cell/arm/waist/position) < 2" || fail "it is not on its way: $(get cell/arm/waist/position)"

# ---- the served world ends, and another one begins at its port: the run goes on with it from where its arm is ----
kill -INT "$sim"
wait "$sim"
arm() {
    start "$1" "$doppel" sim "$profiles/worlds/star/arm.json" --port "$port"
    until_true 10 grep -q "^serving" "$work/$1.log" || fail "no world at port $port"
}
arm first
first=$last
start again "$doppel" "${served[@]}" --duration 9 --out again --quiet
again=$last
until_true 10 turns || fail "the arm of the first world does not move"
kill -9 "$first"
wait "$first" 2>/dev/null # its port is free
until_true 10 grep -q "lost" "$work/again.log" || fail "nobody says that the world is lost"
arm second
wait "$again" || fail "the run ends with $?"
python3 - <<'PY' || fail "the second world"
import csv
rows = list(csv.DictReader(open("again/trace.csv")))
phases = [row["JointController.phase"] for row in rows]
starts = [i for i, (a, b) in enumerate(zip(phases, [None] + phases)) if a == "following" and b != "following"]
assert len(starts) == 2, starts
there = rows[starts[1]]
print(there)
for i in (1, 2, 3): # a new arm is at 0, not where the old one was
    assert abs(float(there[f"JointController.position_{i}"])) < 0.03, there
    assert abs(float(there[f"JointController.reference_{i}"])) < 0.03, there
assert abs(float(rows[starts[1] + 100]["JointController.reference_3"]) - 1.2) < 0.1, rows[starts[1] + 100]
PY

# ---- names ----
sed 's#cell/arm#cell/arn#' "$profiles/bindings/joint_arm/sim.xml" >bad.xml
"$doppel" run joint_arm --bind bad.xml --clock sim --duration 1 --quiet >said 2>&1
[ $? -eq 1 ] || fail "a wrong device: $(<said)"
grep -qE "bad.xml:[0-9]+:[0-9]+: error: .*did you mean 'cell/arm/waist" said || fail "no place or no suggestion: $(<said)"
