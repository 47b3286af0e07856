#!/usr/bin/env bash
# A motor whose gear has play: the joint follows only when the rotor has crossed it.
source "$(dirname "$0")/../lib.sh"
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
    "$doppel" sim "$work/motor_world.xml" --run 0.2 --every 0.001 --put r/axle/voltage=1 --record r/axle/position --record r/axle/shaft \
        --out "$work/play$play" 2>"$work/said.log" || fail "backlash $play"
done
python3 - "$work"/play{0.0001,0.05}/channels.csv <<'PY' || fail "backlash"
import csv, sys
stiff, loose = ([[float(row[f"r/axle/{k}"]) for k in ("position", "shaft")] for row in csv.DictReader(open(file))] for file in sys.argv[1:])
assert all(abs(shaft / 50 - at) < 0.01 for at, shaft in stiff) and stiff[-1][0] > 0.1
starts = next(i for i, (at, _) in enumerate(loose) if at > 0)
assert abs(loose[starts - 1][1] / 50 - 0.025) < 0.015, loose[starts - 1]
assert abs(loose[-1][1] / 50 - loose[-1][0] - 0.025) < 0.005, loose[-1]
PY
schema=$build/profiles/schema/mechanism.xsd
[ ! -f "$schema" ] || xmllint --noout --schema "$schema" "$work/motor.xml" 2>"$work/said.log" || fail "the schema does not know the file"
