#!/usr/bin/env bash
# kill -9 of `doppel run`: the base stops by its own watchdog within 0.6 s.
source "$(dirname "$0")/../lib.sh"
start_robot
start run "$doppel" run patrol --bind hw "${robot[@]}" --quiet --duration 60
run=$last
sleep 4
kill -9 "$run"
wait "$run" 2>/dev/null
sleep 0.6
kill -0 "$base" 2>/dev/null || fail "the base's emulator ended"
# an independent witness: the truth of the base's world, asked over its link
start witness "$build/tests/integration/watch_robot" "$world" robot
sleep 1.5
kill "$last"
python3 - "$work/witness.log" <<'PY' || fail "the base still moved 0.6 s after its host was killed"
import sys
rows = [[float(word) for word in line.split()] for line in open(sys.argv[1]) if len(line.split()) == 5]
x, y = [row[3] for row in rows], [row[4] for row in rows]
spread = max(max(x) - min(x), max(y) - min(y))
print(f"the base moved {1000 * spread:.2f} mm while watched", file=sys.stderr)
sys.exit(0 if len(rows) > 20 and spread < 0.003 else 1)
PY
