#!/usr/bin/env bash
# The real base (emulated), alone and with its avatar, is driven by an operator of the mock.
source "$(dirname "$0")/../lib.sh"
start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world office_truth.xml --robot robot
until_true 5 test -e "$work/kobuki" || fail "no base"
for bind in hw hil; do
    scope=
    [ $bind = hw ] || scope=hardware.
    "$doppel" run teleop --bind $bind --set "WheelController.${scope}Address=$work/kobuki" --set Teleop.ApiName=mock \
        --set "Teleop.Script=1 1 0; 3" --duration 4 --quiet --out "$work/$bind" >"$work/$bind.log" 2>&1 || fail "run with $bind"
    way=$(json "$work/$bind/summary.json" WheelController.distance_m)
    number "0.25 < $way < 0.65" || fail "$bind: the base drove $way m"
done
