#!/usr/bin/env bash
# kill -9 of `doppel sim` under the avatar: the real robot goes on untouched; when the world returns the avatar is put where the robot has got to, as the
# truth of its world says, and the state never says OK while it is elsewhere. The real clock: no cycle may wait for the simulator.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../witness.sh"
start_robot
port=$(free_port)
served() { # NAME
    start "$1" "$doppel" sim office.xml --port $port
    sim=$last
    until_true 10 grep -q serving "$work/$1.log" || fail "no world"
}
served sim
witness truth "${world##*:}" robot
start run "$doppel" run patrol --bind hil "${robot_hil[@]}" --set WheelController.simulation.ip=127.0.0.1 \
    --set LaserScanner.hardware.SilenceTimeout=1000 --set WheelController.simulation.port=$port --set LaserScanner.simulation.ip=127.0.0.1 \
    --set LaserScanner.simulation.port=$port --quiet --duration 11 --out "$work/out"
run=$last
placed() { [ "$(grep -c "the avatar was placed" "$work/run.log")" -ge "$1" ]; }
until_true 10 drives truth || fail "the robot does not drive"
sleep 1.5
kill -9 "$sim"
sleep 2.5
served sim2
until_true 5 placed 1
sleep 1
kill -9 "$sim" # and once more, back at once: too quick for a silence to be noticed by all
served sim3
wait "$run"
code=$?
[ $code -eq 0 ] || fail "exit code $code"
python3 - "$work/out/summary.json" "$work/out/trace.csv" <<'PY' || fail "see above"
import csv, json, math, sys
summary = json.load(open(sys.argv[1]))
assert summary["faults"] == 0, f"the simulator's loss is no fault of the robot: {summary['faults']}"
assert summary["RobotControl.stale_cycles"] <= 6, "scans went on"
avatar = summary["devices"]["WheelController.simulation"]
assert avatar["losses"] == 2 and avatar["restarts"] == 2, f"losses and restarts of the avatar: {avatar}"
assert summary["sync.rejoins"] == 2, f"times the avatar was put on the robot: {summary['sync.rejoins']}"
# The way to the robot in a new world is lost time, no error of following, and is said.
assert summary["sync.measured_max_mm"] < 300, f"measured {summary['sync.measured_max_mm']:.0f} mm at most"
assert summary["sync.placing_ticks"] >= 2, f"corrections while it was being put: {summary['sync.placing_ticks']}"
rows = list(csv.DictReader(open(sys.argv[2])))
absent = [r for r in rows if math.isnan(float(r["sync.distance_mm"]))]
assert all(math.isnan(float(r["sync.fidelity"])) for r in absent), "a fidelity of no distance"
dark = [r for r in rows if r["sync.state"] in ("DEGRADED", "LOST") and float(r["sync.avatar_age_s"]) > 1.1]
lit = [(r["t"], r["sync.state"], r["sync.avatar_age_s"], r["sync.distance_mm"]) for r in dark if math.isfinite(float(r["sync.distance_mm"]))]
assert len(dark) >= 20 and not lit, f"a distance of nothing: {len(dark)} rows without a pose, {lit[:3]}"
period = [float(b["t"]) - float(a["t"]) for a, b in zip(rows, rows[1:])]
assert max(period) < 0.2, f"a cycle took {max(period):.3f} s"


def pose(row, names):
    return [float(row[f"WheelController.{name}"]) for name in names]


# The robot's place is the localized one (its odometry is not calibrated; localization.sh compares the Localizer with the truth). The
# avatar's place is the truth of its world, not what its driver believes.
real, truth = ("x", "y", "theta"), ("simulation.true_x", "simulation.true_y", "simulation.true_theta")
rows = [r for r in rows if all(math.isfinite(v) for v in pose(r, real) + pose(r, truth)) and math.isfinite(float(r["loc.x"]))]
begin = pose(rows[0], real)
distance = [(float(r["t"]), math.dist((float(r["loc.x"]), float(r["loc.y"])), pose(r, truth)[:2]), r["sync.state"]) for r in rows]
driven = max(math.dist(pose(r, real)[:2], begin[:2]) for r in rows)
assert driven > 0.8, f"the robot drove {driven:.2f} m: the avatar's start is no other place"
last = [d for t, d, _ in distance if t > 10]
assert max(last) < 0.15, f"the avatar is {max(last):.2f} m off at the end"
lies = [(t, d) for t, d, state in distance if state == "OK" and d > 0.3]
assert not lies, f"OK at {lies[0][0]:.2f} s, {lies[0][1]:.2f} m off"
print(f"distance at the end {max(last):.3f} m, longest cycle {max(period):.3f} s", file=sys.stderr)
PY
