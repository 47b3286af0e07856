#!/usr/bin/env bash
# A person at a gamepad (its events on a pty, and by the kernel's uinput where this machine offers it) drives the simulated robot while the
# dead-man's button is held. Without a gamepad an error names it.
source "$(dirname "$0")/../lib.sh"
"$doppel" run teleop --bind teleop/sim --bind teleop/gamepad --set "Teleop.Port=$work/absent" --duration 0.3 --quiet >"$work/absent.log" 2>&1 &&
    fail "a gamepad that is not there: exit code 0"
grep -q "$work/absent" "$work/absent.log" || fail "nobody named the gamepad that is not there"
timeout 120 python3 "$(dirname "$0")/teleop.py" "$doppel" "$work" gamepad_on_pty gamepad_by_uinput || fail "a gamepad"
