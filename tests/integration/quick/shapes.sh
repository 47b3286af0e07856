#!/usr/bin/env bash
# Shapes from files, wrenches and backlash through `doppel sim`: what lies on a height field, meshes that move, pictures, and what is said of files that
# are not there.
source "$(dirname "$0")/../lib.sh"

cp "$source_dir"/docs/mechanisms/{terrain.xml,terrain_world.xml,clamp.obj,hills.pgm} "$work/"
cp "$source_dir"/tests/unit/avatar_sim/fixtures/shapes/pair.obj "$work/"
run() { # OUT WORLD ARGUMENT...
    local out=$1 world=$2
    shift 2
    "$doppel" sim "$work/$world" --out "$work/$out" "$@" 2>"$work/said" || fail "$out: $(<"$work/said")"
}

# a drone hovers 1.5 m over the middle of a hollow; a ball and a clamp fall into it, whose cheeks leave a gap
fly=(terrain_world.xml --run 5 --every 0.02 --put terrain/thrust/force_z=19.6133 --record 'terrain/*/pose' --record terrain/height/distance)
run a "${fly[@]}"
run b "${fly[@]}"
cmp "$work/a/channels.csv" "$work/b/channels.csv" || fail "two runs differ"
python3 - "$work/a/channels.csv" <<'PY' || fail "the bodies are not where they should be: $(tail -1 "$work/a/channels.csv")"
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

# a picture of a body is drawn; without its file its shapes are, with a warning that has a place
"$doppel" sim "$work/terrain_world.xml" --snapshot "$work/with.svg" 2>/dev/null >&2 || fail "snapshot"
sed -i 's/visual file="clamp.obj"/visual file="none.obj"/' "$work/terrain.xml"
"$doppel" sim "$work/terrain_world.xml" --snapshot "$work/without.svg" 2>"$work/said" >&2 || fail "snapshot without the picture"
grep -q 'terrain.xml:18:19: warning: the mesh .*none.obj. is not there; the shapes of its body are drawn' "$work/said" || fail "says: $(<"$work/said")"
cmp -s "$work/with.svg" "$work/without.svg" && fail "the picture of the drone is not drawn"
[ "$(grep -c '<path\|<polygon' "$work/with.svg")" -gt 0 ] || fail "an empty picture"

# what is wrong with a file is an error with a place, and exit code 1
refuses() { # PATTERN
    "$doppel" sim "$work/terrain_world.xml" --run 0.1 --out "$work/no" 2>"$work/said" >&2
    [ $? -eq 1 ] || fail "exit code of: $1"
    grep -q "$1" "$work/said" || fail "no '$1' in: $(<"$work/said")"
}
cp "$source_dir/docs/mechanisms/terrain.xml" "$work/"
sed -i '7s/30 20/30 41/' "$work/hills.pgm"
refuses "hills.pgm:7:4: error: height field .*: a value is out of range, expected 0 to 40"
cp "$source_dir/docs/mechanisms/hills.pgm" "$work/"
printf 'v 0 0 0\n' >"$work/clamp.obj"
refuses "terrain.xml:12:22: error: mesh .*clamp.obj"
rm "$work/clamp.obj"
refuses "terrain.xml:12:22: error: the file .*clamp.obj. is not there"

# a URDF whose collision is a mesh: it moves, as one hull or as the hulls of its parts, which straddle a post
cat >"$work/pair.urdf" <<'XML'
<robot name="pair">
  <link name="pair">
    <inertial><mass value="16"/><inertia ixx="0.1067" iyy="1.5467" izz="1.5467" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><mesh filename="pair.obj" scale="0.001 0.001 0.001"/></geometry></collision>
  </link>
</robot>
XML
for meshes in hull parts; do
    printf '<world name="w" step_ms="1"><robot name="r" urdf="pair.urdf" z="0.6" meshes="%s"/><box x="0" y="0" z="0.2" size_x="0.1" size_y="0.1" size_z="0.4"/></world>' \
        $meshes >"$work/$meshes.xml"
    run $meshes $meshes.xml --run 1 --every 1 --record 'r/pair/pose'
done
python3 - "$work"/{hull,parts}/channels.csv <<'PY' || fail "hulls: $(tail -qn 1 "$work"/{hull,parts}/channels.csv)"
import csv, sys
whole, parts = (float(list(csv.DictReader(open(file)))[-1]["r/pair/pose[2]"]) for file in sys.argv[1:])
sys.exit(not (abs(whole - 0.5) < 3e-3 and abs(parts - 0.1) < 3e-3))
PY

# a motor whose gear has play: the joint follows only when the rotor has crossed it
for play in 0.0001 0.05; do
    cat >"$work/motor.xml" <<XML
<mechanism>
  <RigidObject name="wheel" mass="1"><inertia xx="0.02" yy="0.02" zz="0.02"/></RigidObject>
  <Joint name="axle" type="hinge" child="wheel" friction="0.1"/>
  <Motor joint="axle" type="dc" R="1.5" L="0.5 mH" k="0.02" backlash="$play" backlash_stiffness="400" backlash_damping="0.5">
    <gear ratio="50"/><rotor inertia="2e-6"/>
  </Motor>
</mechanism>
XML
    printf '<world name="w" step_ms="1"><robot name="r" model="motor.xml"/></world>' >"$work/motor_world.xml"
    run play$play motor_world.xml --run 0.2 --every 0.001 --put r/axle/voltage=1 --record r/axle/position --record r/axle/shaft
done
python3 - "$work"/play{0.0001,0.05}/channels.csv <<'PY' || fail "backlash"
import csv, sys
stiff, loose = ([[float(row[f"r/axle/{k}"]) for k in ("position", "shaft")] for row in csv.DictReader(open(file))] for file in sys.argv[1:])
assert all(abs(shaft / 50 - at) < 0.01 for at, shaft in stiff) and stiff[-1][0] > 0.1
starts = next(i for i, (at, _) in enumerate(loose) if at > 0)
assert abs(loose[starts - 1][1] / 50 - 0.025) < 0.015, loose[starts - 1]
assert abs(loose[-1][1] / 50 - loose[-1][0] - 0.025) < 0.005, loose[-1]
PY

# the schema knows what the files have
if command -v xmllint >/dev/null && [ -f "$build/profiles/schema/mechanism.xsd" ]; then
    xmllint --noout --schema "$build/profiles/schema/mechanism.xsd" "$work/terrain.xml" "$work/motor.xml" 2>"$work/said" || fail "schema: $(<"$work/said")"
fi
