#!/usr/bin/env bash
# A world that runs alone does what is put into it, records it in rows of the asked times, beginning with the start, and repeats byte for byte.
source "$(dirname "$0")/../lib.sh"
# both wheels at 4 rad/s: 4 * 0.035 m/s as the robot's model has it
run=(sim office --run 2 --every 0.5 --record 'avatar/[xy]' --record 'avatar/enc_*/angle' --put avatar/LeftWheel/speed=4 --put avatar/RightWheel/speed=4)
"$doppel" "${run[@]}" --out "$work/a" 2>"$work/said" || fail "run: $(<"$work/said")"
grep -q "results: $work/a/channels.csv" "$work/said" || fail "says: $(<"$work/said")"
[ "$(head -1 "$work/a/channels.csv")" = time,avatar/x,avatar/y,avatar/enc_left/angle,avatar/enc_right/angle ] || fail "$(head -1 "$work/a/channels.csv")"
[ "$(cut -d, -f1 "$work/a/channels.csv" | tr '\n' ' ')" = "time 0 0.5 1 1.5 2 " ] || fail "times: $(cut -d, -f1 "$work/a/channels.csv")"
python3 - "$work/a/channels.csv" <<'PY' || fail "the robot did not drive as its wheels turned"
import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
way = math.hypot(*(float(rows[-1][k]) - float(rows[0][k]) for k in ("avatar/x", "avatar/y")))
turned = float(rows[-1]["avatar/enc_left/angle"])
sys.exit(not (7.5 < turned < 8.0 and abs(way / turned - 0.035) < 0.001))
PY
python3 -c 'import json, sys; s = json.load(open(sys.argv[1])); sys.exit(not (s["duration_s"] == s["asked_s"] == 2 and s["rows"] == 5 and s["channels"] == 4))' \
    "$work/a/summary.json" || fail "summary: $(<"$work/a/summary.json")"
"$doppel" "${run[@]}" --out "$work/b" 2>/dev/null || fail "second run"
cmp "$work/a/channels.csv" "$work/b/channels.csv" || fail "two runs differ"
cmp "$work/a/summary.json" "$work/b/summary.json" || fail "two summaries differ"

# --set changes the robot and the steps
"$doppel" "${run[@]}" --set office.step_ms=2 --set avatar.wheel_scale_left=1.1 --out "$work/set" 2>"$work/said" || fail "run --set: $(<"$work/said")"
python3 - "$work/set" "$work/a" <<'PY' || fail "--set had no effect on a run"
import csv, json, sys
last = lambda folder: list(csv.DictReader(open(folder + "/channels.csv")))[-1]
steps = [json.load(open(folder + "/summary.json"))["steps"] for folder in sys.argv[1:]]
sys.exit(not (steps == [1000, 2000] and abs(float(last(sys.argv[1])["avatar/y"]) - float(last(sys.argv[2])["avatar/y"])) > 0.01))
PY
