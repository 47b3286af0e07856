# The guide's runs of joint_arm, in simulated time: over each driver the arm goes through its waypoints, twice the same; names that are wrong.
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

# the trace has a column for each joint that there is, be they three or eight
"$doppel" run joint_arm --bind mock --clock sim --duration 1 --out eight --quiet --set "JointController.Joints=a b c d e f g h" \
    --set JointController.Waypoints="0.8 0 0 0 0 0 0 0.1 0.2" >eight.log 2>&1 || fail "eight joints: ends with $?"
for run in sim:3 hil:3 eight:8; do
    for column in position reference; do
        n=$(head -1 "${run%:*}/trace.csv" | tr ',' '\n' | grep -c "^JointController\.${column}_")
        [ "$n" = "${run#*:}" ] || fail "${run%:*}: $n columns of $column"
    done
done
number "abs($(last eight JointController.position_8) - 0.2) < 0.02" || fail "the eighth joint: $(last eight JointController.position_8)"

sed 's#cell/arm#cell/arn#' "$profiles/bindings/joint_arm/sim.xml" >bad.xml
"$doppel" run joint_arm --bind bad.xml --clock sim --duration 1 --quiet >said 2>&1
[ $? -eq 1 ] || fail "a wrong device: $(<said)"
grep -qE "bad.xml:[0-9]+:[0-9]+: error: .*did you mean 'cell/arm/waist" said || fail "no place or no suggestion: $(<said)"
