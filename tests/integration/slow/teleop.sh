#!/usr/bin/env bash
# A person at a keyboard (keys on a pty) and at a gamepad (its events on a pty) drives the simulated robot. Without them, errors say so.
source "$(dirname "$0")/../lib.sh"
# the commands of docs/teleop.md that need no person
sed -n 's/^    build\/doppel \(check\|info\|list\) \(.*\)$/\1 \2/p' "$source_dir/docs/teleop.md" >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 3 ] || fail "docs/teleop.md has hardly a command"
while read -r command; do
    # shellcheck disable=SC2086
    "$doppel" $command >"$work/command.log" 2>&1 || fail "docs/teleop.md: doppel $command"
done <"$work/commands"

setsid -w "$doppel" run teleop --bind teleop/sim --duration 1 </dev/null >"$work/none.log" 2>&1
code=$?
[ $code = 1 ] || fail "without a terminal: exit code $code"
grep -q "Teleop: /dev/tty: no terminal" "$work/none.log" || fail "nobody said that there is no terminal"
"$doppel" run teleop --bind teleop/sim --bind teleop/gamepad --set "Teleop.Port=$work/absent" --duration 0.3 --quiet \
    >"$work/absent.log" 2>&1
code=$?
[ $code != 0 ] || fail "a gamepad that is not there: exit code 0"
grep -q "$work/absent" "$work/absent.log" || fail "nobody named the gamepad that is not there"
if "$doppel" check teleop --bind teleop/sim --bind teleop/gamepad --set Teleop.TurnAxis=ABS_NONE >"$work/axis.log" 2>&1; then
    fail "an axis that evdev does not have is accepted"
fi
grep -q "expected an axis of evdev" "$work/axis.log" || fail "nobody said what is wrong with the axis"

timeout 120 python3 "$(dirname "$0")/teleop.py" "$doppel" "$work" || fail "teleop.py"

# the real base and both, driven by an operator of the table
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
