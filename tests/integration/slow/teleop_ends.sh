#!/usr/bin/env bash
# However a run that reads keys ends, the terminal is restored and the robot stands. Without a terminal an error says so.
source "$(dirname "$0")/../lib.sh"
setsid -w "$doppel" run teleop --bind teleop/sim --duration 1 </dev/null >"$work/none.log" 2>&1
code=$?
[ $code = 1 ] || fail "without a terminal: exit code $code"
grep -q "Teleop: /dev/tty: no terminal" "$work/none.log" || fail "nobody said that there is no terminal"
timeout 120 python3 "$(dirname "$0")/teleop.py" "$doppel" "$work" ends hang_up || fail "the end of a run"
