# shellcheck shell=bash
# Tables of energies, windows around triggers and balances, of a ball that rebounds on a plate.
cat >"$work/balls.xml" <<'XML'
<mechanism name="balls">
  <Material name="rubber" restitution="0.9" friction="0.5"/>
  <RigidObject name="plate" static="true"><position z="0.05"/><BoxShape x="4" y="4" z="0.1"/></RigidObject>
  <RigidObject name="ball" mass="2"><position z="1.2"/><SphereShape radius="0.1"/></RigidObject>
</mechanism>
XML
echo '<world name="yard" step_ms="1"><robot name="b" model="balls.xml"/></world>' >"$work/yard.xml"
yard=$work/yard.xml

# a table has energies and accelerations when they are asked for
"$doppel" sim "$yard" --run 0.1 --out "$work/all" 2>/dev/null || fail "all channels"
head -1 "$work/all/channels.csv" | grep -q 'b/ball/velocity' || fail "no velocity: $(head -1 "$work/all/channels.csv")"
! head -1 "$work/all/channels.csv" | grep -qE 'energy|acceleration' || fail "derived channels are in each table"
"$doppel" sim "$yard" --run 3 --record 'b/ball/*' --out "$work/full" 2>/dev/null || fail "full"
python3 - "$work/full/channels.csv" <<'PY' || fail "energies do not belong to the motion"
import csv, sys
g, rows = 9.80665, [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
for row in rows:
    v2 = sum(row[f"b/ball/velocity[{i}]"] ** 2 for i in range(3))
    w2 = sum(row[f"b/ball/velocity[{i}]"] ** 2 for i in range(3, 6))
    assert abs(row["b/ball/kinetic_energy"] - (0.5 * 2 * v2 + 0.5 * 0.4 * 2 * 0.01 * w2)) < 1e-9, row
    assert abs(row["b/ball/potential_energy"] - 2 * g * row["b/ball/pose[2]"]) < 1e-9, row
for before, row in zip(rows, rows[1:]):
    a = (row["b/ball/velocity[2]"] - before["b/ball/velocity[2]"]) / 1e-3
    assert abs(row["b/ball/acceleration[2]"] - a) < 1e-6, row
assert max(row["b/ball/acceleration[2]"] for row in rows) > 1000, "it rebounds"
PY

# windows: the rows of the full table around each trigger, and no others, at any rate of rows
trigger='[touch(b/ball, b/plate)]'
for every in 0.001 0.003 0.05; do
    for again in a b; do
        timeout 60 "$doppel" sim "$yard" --run 3 --record 'b/ball/*' --every $every --trigger "$trigger" --before 0.03 --after 0.02 --out "$work/w$again" 2>/dev/null ||
            fail "windows, every $every"
    done
    cmp "$work/wa/channels.csv" "$work/wb/channels.csv" && cmp "$work/wa/summary.json" "$work/wb/summary.json" || fail "two runs differ"
    python3 - $every "$work/full/channels.csv" "$work/wa" <<'PY' || fail "windows with rows every $every s"
import csv, json, sys
every, full, folder = round(float(sys.argv[1]) * 1000), sys.argv[2], sys.argv[3]
lines = {round(float(line.split(",")[0]) * 1000): line for line in open(full).read().split()[1:]}
summary = json.load(open(folder + "/summary.json"))
times = [round(w["time_s"] * 1000) for w in summary["triggers"]]
assert len(times) >= 3 and summary["n_triggers"] == len(times), times
assert abs(times[0] - 452) <= 3, f"1 m of fall: {times}"
expected, end = [], -1
for number, window in enumerate(summary["triggers"], 1):
    t = round(window["time_s"] * 1000)
    last = t + 20 if window["again"] == 0 else None
    if last is None:  # a window that was made longer: the rows say how long
        last = max(round(float(r["time"]) * 1000) for r in csv.DictReader(open(folder + "/channels.csv")) if int(r["trigger"]) == number)
    expected += [f"{number},{lines[ms]}" for ms in range(max(t - 30, end + 1, 0), last + 1) if ms % every == 0 and ms in lines]
    end = last
found = open(folder + "/channels.csv").read().split()[1:]
assert found == expected, f"{len(found)} rows, expected {len(expected)}"
assert summary["rows"] == len(found) and len(found) < len(lines)
PY
done

# balances
"$doppel" sim "$yard" --run 3 --audit --out "$work/audit" >"$work/table" 2>"$work/said" || fail "--audit: $(<"$work/said")"
! grep -q "from nowhere, more" "$work/said" || fail "a ball that rebounds is called wrong: $(<"$work/said")"
grep -q '^  lost ' "$work/table" || fail "$(<"$work/table")"
python3 - "$work/audit/summary.json" "$work/full/channels.csv" <<'PY' || fail "the balance: $(<"$work/table")"
import csv, json, sys
audit = json.load(open(sys.argv[1]))["audit"]
rows = list(csv.DictReader(open(sys.argv[2])))
(one,) = audit["balances"]
energy = lambda row: float(row["b/ball/kinetic_energy"]) + float(row["b/ball/potential_energy"])
assert not audit["fails"] and one["robot"] == "b" and one["work_J"] == 0, one
assert abs(one["lost_J"] - (energy(rows[0]) - energy(rows[-1]))) < 1e-9, one
assert one["lost_J"] > 1, "it rebounds lower each time"
PY
cmp <(cut -d, -f1-8 "$work/all/channels.csv") <(head -102 "$work/audit/channels.csv" | cut -d, -f1-8) || fail "an audit changes the run"

# a spring that the step is too long for
cat >"$work/spring.xml" <<'XML'
<mechanism name="spring">
  <RigidObject name="a" mass="1"><position z="1"/><inertia xx="1" yy="1" zz="1"/></RigidObject>
  <Joint name="rail" type="slider" child="a"><frame><position z="1"/></frame><axis x="1" z="0"/><spring stiffness="1e5" rest="1 mm"/></Joint>
</mechanism>
XML
echo '<world name="w" step_ms="0.1"><robot name="s" model="spring.xml"/></world>' >"$work/w.xml"
"$doppel" sim "$work/w.xml" --run 1 --audit >"$work/table" 2>"$work/said" || fail "a good spring: $(<"$work/said")"
! grep -q "energy comes from nowhere" "$work/said" || fail "a good spring is called wrong: $(<"$work/table")"
"$doppel" sim "$work/w.xml" --run 0.2 --step 0.0065 --audit >"$work/table" 2>"$work/said" || fail "a spring: $(<"$work/said")"
grep -q "energy comes from nowhere" "$work/said" || fail "a spring that diverges is not found: $(<"$work/table")"
