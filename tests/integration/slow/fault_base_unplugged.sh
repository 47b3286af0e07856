#!/usr/bin/env bash
# The base is unplugged for a while: ERROR, stop, reconnection, recovery, all in log and summary.
source "$(dirname "$0")/../lib.sh"
port=$(free_port)
start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world office_truth.xml --robot robot --serve $port --unplug 3,4.5
until_true 5 test -e "$work/kobuki" || fail "no base"
world=tcp://127.0.0.1:$port
start_laser
"$doppel" run patrol --bind hw_emulated --set "WheelController.Address=$work/kobuki" --set "LaserScanner.Address=$work/urg" --quiet \
    --duration 8 --out "$work/out" >"$work/run.log" 2>&1
code=$?
[ $code -eq 0 ] || fail "exit code $code"
grep -qi "WheelController.*lost\|lost.*WheelController" "$work/run.log" || fail "the loss is not in the log"
number "$(json "$work/out/summary.json" faults) >= 1" || fail "the loss is not in the summary"
python3 - "$work/out/summary.json" "$work/out/trace.csv" <<'PY' || fail "no recovery"
import csv, json, sys
summary = json.load(open(sys.argv[1]))
assert summary["devices"]["WheelController"]["losses"] >= 1, "losses are counted"
rows = list(csv.DictReader(open(sys.argv[2])))
late = [r for r in rows if float(r["t"]) > 6]
moved = abs(float(late[-1]["WheelController.x"]) - float(late[0]["WheelController.x"])) + abs(
    float(late[-1]["WheelController.theta"]) - float(late[0]["WheelController.theta"]))
print(f"moved by {moved:.3f} after the recovery", file=sys.stderr)
assert moved > 0.05, "the robot goes on"
PY
