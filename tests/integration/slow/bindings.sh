#!/usr/bin/env bash
# patrol.xml runs under hw, sim and hil with the same component plugins, byte for byte: a binding changes no code.
source "$(dirname "$0")/../lib.sh"
plugins() { sha256sum "$build"/plugins/component-*.so | sha256sum; }
before=$(plugins)
"$doppel" run patrol --bind sim --clock sim --duration 5 --quiet --out "$work/sim" >"$work/sim.log" 2>&1 || fail sim
start_robot
"$doppel" run patrol --bind hw "${robot[@]}" --duration 5 --quiet --out "$work/hw" >"$work/hw.log" 2>&1 || fail hw
"$doppel" run patrol --bind hil "${robot_hil[@]}" --duration 5 --quiet --out "$work/hil" >"$work/hil.log" 2>&1 || fail hil
[ "$before" = "$(plugins)" ] || fail "a run changed a plugin"
for binding in sim hw hil; do
    number "$(json "$work/$binding/summary.json" WheelController.distance_m) > 0.2" || fail "$binding: the robot did not move"
    number "$(json "$work/$binding/summary.json" faults) == 0" || fail "$binding: faults"
done
# the robot has left its start with hw: the Localizer finds it
grep -q "the avatar was placed at the real robot's pose" "$work/hil.log" || fail "hil: the robot was not found"
number "$(last "$work/hil" sync.distance_mm) < 20" || fail "hil: the avatar is not on the robot"
