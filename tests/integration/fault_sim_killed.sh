#!/usr/bin/env bash
# kill -9 of `doppel sim` under the avatar: the real robot goes on untouched; the avatar rejoins when the world returns.
source "$(dirname "$0")/lib.sh"
start_robot
port=$((40000 + RANDOM % 20000))
start sim "$doppel" sim office.xml --port $port
sim=$last
sleep 1
start run "$doppel" run patrol --bind hil "${robot_hil[@]}" --set WheelController.simulation.ip=127.0.0.1 \
    --set WheelController.simulation.port=$port --set LaserScanner.simulation.ip=127.0.0.1 \
    --set LaserScanner.simulation.port=$port --quiet --duration 16 --out "$work/out"
run=$last
sleep 4
kill -9 "$sim"
sleep 3
start sim2 "$doppel" sim office.xml --port $port
wait "$run"
code=$?
[ $code -eq 0 ] || fail "exit code $code"
python3 - "$work/out/summary.json" "$work/out/trace.csv" <<'PY' || fail "see above"
import csv, json, sys
summary = json.load(open(sys.argv[1]))
assert summary["faults"] == 0, f"the simulator's loss is no fault of the robot: {summary['faults']}"
assert summary["RobotControl.stale_cycles"] <= 6, "scans went on"
losses = summary["devices"]["WheelController.simulation"]["losses"]
assert losses == 1, f"losses of the avatar: {losses}"
rows = list(csv.DictReader(open(sys.argv[2])))
period = [float(b["t"]) - float(a["t"]) for a, b in zip(rows, rows[1:])]
assert max(period) < 0.2, f"a cycle took {max(period):.3f} s"
x = [(float(r["t"]), float(r["WheelController.simulation_x"]), float(r["WheelController.simulation_y"])) for r in rows]
late = [p for p in x if p[0] > 11]
moved = max(abs(p[1] - late[0][1]) + abs(p[2] - late[0][2]) for p in late)
assert moved > 0.02 or abs(float(rows[-1]["WheelController.w"])) > 0, "the avatar moves again"
last = float(rows[-1]["sync.distance_mm"])
print(f"distance at the end {last:.1f} mm, longest cycle {max(period):.3f} s", file=sys.stderr)
PY
