#!/usr/bin/env bash
# A component hangs for a second in the executor of the device components and comes back: the base stops and goes on with the next command, which is told
# and counted. A real pty.
source "$(dirname "$0")/../lib.sh"
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
drive_with_trouble "$work/drive.xml" "<property name=\"ApiName\">kobuki</property><property name=\"Address\">$work/kobuki</property>"
start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world empty_truth.xml --robot robot
until_true 10 test -e "$work/kobuki" || fail "no base"
"$doppel" run "$work/drive.xml" --set Trouble.What=sleep --set Trouble.At=1 --set Trouble.For=1 --quiet --duration 4 \
    --out "$work/back" >"$work/back.log" 2>&1 || fail "one hang of 1 s ends the run"
grep -q "WheelController: stopped: executor .* late by more than 300 ms" "$work/back.log" || fail "the stop is not told"
grep -q "WheelController: is commanded again" "$work/back.log" || fail "the return is not told"
python3 - "$work/back" <<'PY' || fail "after a hang"
import csv, json, sys
devices = json.load(open(sys.argv[1] + "/summary.json"))["devices"]
assert devices["WheelController"]["late_stops"] == 1, devices
rows = list(csv.DictReader(open(sys.argv[1] + "/trace.csv")))
x = lambda t: next(float(r["WheelController.x"]) for r in rows if float(r["t"]) >= t)
assert x(3.9) - x(2.5) > 0.2, "it goes on"
assert x(2.1) - x(1.0) < 0.15, f"it stood meanwhile: {x(2.1) - x(1.0):.3f} m"
PY
