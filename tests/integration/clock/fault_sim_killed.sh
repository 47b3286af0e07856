#!/usr/bin/env bash
# kill -9 of `doppel sim` under the avatar: the real robot goes on untouched; when the world returns the avatar is put where the robot has got to, as the
# truth of its world says, and the state never says OK while it is elsewhere. The real clock: no cycle may wait for the simulator.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../witness.sh"
start_robot
port=$(free_port)
serve_avatar sim
beside_avatar --set LaserScanner.hardware.SilenceTimeout=1000 --duration 11
placed() { grep -q "the avatar was placed" "$work/run.log"; }
sleep 1.5
kill -9 "$sim"
sleep 2.5
serve_avatar sim2
until_true 5 placed || fail "the avatar was not placed"
sleep 1
kill -9 "$sim" # and once more, back at once: too quick for a silence to be noticed by all
serve_avatar sim3
wait "$run" || fail "exit code"
python3 - "$work/out" <<'PY' || fail "see above"
import csv, json, math, sys
summary = json.load(open(sys.argv[1] + "/summary.json"))
avatar = summary["devices"]["WheelController.simulation"]
told = [avatar["losses"], avatar["restarts"], summary["sync.rejoins"], summary["faults"]]
assert told == [2, 2, 2, 0], f"losses and restarts of the avatar, times it was put on the robot, faults: {told}"
assert summary["RobotControl.stale_cycles"] <= 6, "scans went on"
# The way to the robot in a new world is lost time, no error of following, and is said.
assert summary["sync.measured_max_mm"] < 300 and summary["sync.placing_ticks"] >= 2, summary["sync.measured_max_mm"]
true = ["WheelController.simulation.true_x", "WheelController.simulation.true_y"]
names = ["t", "sync.avatar_age_s", "sync.distance_mm", "sync.fidelity", "loc.x", "loc.y", "WheelController.x", "WheelController.y", *true]
rows = [{n: float(r[n]) for n in names} | {"state": r["sync.state"]} for r in csv.DictReader(open(sys.argv[1] + "/trace.csv"))]
longest = max(b["t"] - a["t"] for a, b in zip(rows, rows[1:]))
assert longest < 0.2, f"a cycle took {longest:.3f} s"
dark = [r for r in rows if r["state"] in ("DEGRADED", "LOST") and r["sync.avatar_age_s"] > 1.1]
assert len(dark) >= 20 and all(math.isnan(r["sync.distance_mm"]) for r in dark), f"{len(dark)} rows without a pose: a distance of nothing"
assert all(math.isnan(r["sync.fidelity"]) for r in rows if math.isnan(r["sync.distance_mm"])), "a fidelity of no distance"
# The robot's place is the localized one; the avatar's is the truth of its world, not what its driver believes.
away = [(r["t"], math.dist((r["loc.x"], r["loc.y"]), [r[n] for n in true]), r["state"]) for r in rows]
assert math.hypot(rows[-1]["WheelController.x"], rows[-1]["WheelController.y"]) > 0.5, "the avatar's start is no other place"
assert max(d for t, d, _ in away if t > 10 and d == d) < 0.15, "the avatar is off at the end"
assert not [(t, d) for t, d, state in away if state == "OK" and d > 0.3], "OK while it is elsewhere"
PY
