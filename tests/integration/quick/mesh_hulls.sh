#!/usr/bin/env bash
# A URDF whose collision is a mesh moves as one hull, or as the hulls of its parts, which straddle a post.
source "$(dirname "$0")/../lib.sh"
cp "$source_dir"/tests/unit/avatar_sim/fixtures/shapes/pair.obj "$work/"
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
    "$doppel" sim "$work/$meshes.xml" --run 1 --every 1 --record 'r/pair/pose' --out "$work/$meshes" 2>"$work/said.log" || fail "$meshes"
done
python3 - "$work"/{hull,parts}/channels.csv <<'PY' || fail "hulls: $(tail -qn 1 "$work"/{hull,parts}/channels.csv)"
import csv, sys
whole, parts = (float(list(csv.DictReader(open(file)))[-1]["r/pair/pose[2]"]) for file in sys.argv[1:])
sys.exit(not (abs(whole - 0.5) < 3e-3 and abs(parts - 0.1) < 3e-3))
PY
