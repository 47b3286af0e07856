# shellcheck shell=bash
# What lies on a height field stays there, what is above it is measured.
# a drone hovers 1.5 m over the middle of a hollow; a ball and a clamp fall into it, whose cheeks leave a gap
fly=(docs/reference/mechanisms/terrain_world.xml --run 5 --every 0.02 --put terrain/thrust/force_z=19.6133 --record 'terrain/*/pose' --record terrain/height/distance)
for name in a b; do
    "$doppel" sim "${fly[@]}" --out out/$name 2>"$work/said.log" || fail "a world with shapes from files"
done
cmp out/a/channels.csv out/b/channels.csv || fail "two runs differ"
python3 - out/a/channels.csv <<'PY' || fail "the bodies are not where they should be: $(tail -1 out/a/channels.csv)"
import csv, sys
rows = [{k: float(v or "nan") for k, v in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
last = rows[-1]
assert all(abs(r["terrain/drone/pose[2]"] - 1.5) < 1e-6 for r in rows), "the drone hovers"
assert abs(rows[2]["terrain/height/distance"] - 1.5) < 1e-9, "the height field is 0 in its middle"
assert min(r["terrain/height/distance"] for r in rows[1:]) < 1.3, "the ball passes below"
assert all(r["terrain/ball/pose[2]"] > 0.09 for r in rows), "the ball stays on top"
assert all(abs(last[f"terrain/{b}/pose[{i}]"]) < 1.5 for b in ("ball", "clamp") for i in (0, 1)), "both stay in the hollow"
assert last["terrain/clamp/pose[2]"] < 0.3, "the clamp has fallen"
PY
# the schema knows what the files have
schema=$build/profiles/schema/mechanism.xsd
[ ! -f "$schema" ] || xmllint --noout --schema "$schema" docs/reference/mechanisms/terrain.xml 2>"$work/said.log" || fail "the schema does not know terrain.xml"
