#!/usr/bin/env bash
# The map of a real robot's log explains the scans that are not in it, and an avatar drives in it beside the robot that the emulators play.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../robot_log.sh"
"$doppel" map "$log" --output "$work/real.xml" --hold-out 2 >"$work/said" || fail "the log: $(<"$work/said")"
"$doppel" check --strict "$work/real.xml" >"$work/out" 2>&1 || fail "the log's map: $(<"$work/out")"
cat "$work/said"
python3 - "$work/said" "$source_dir/docs/guides/map.md" <<'PY' || fail "the log's map does not explain the scans held out"
import re, sys
said, page = (open(path).read() for path in sys.argv[1:])
median, most, odometry = map(float, re.search(r"median ([\d.]+) mm, 90 % below ([\d.]+) mm; by odometry alone median ([\d.]+)", said).groups())
row = f"the other scans' beams end {median:.1f} mm from a wall (median; 90 %: {most:.0f} mm); by odometry alone {odometry:.0f} mm"
print("" if row in page else "docs/guides/map.md has other figures than: " + row)
sys.exit(not (median <= 15 and odometry > 5 * median and row in page))
PY
start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --log "$log"
start urg "$doppel" emulate urg --pty "$work/urg" --log "$log"
until_true 5 test -e "$work/kobuki" -a -e "$work/urg" || fail "no emulators"
"$doppel" run follow --bind replay --duration 6 --quiet --set WheelController.hardware.Address="$work/kobuki" \
    --set LaserScanner.hardware.Address="$work/urg" --set WheelController.simulation.World="$work/real.xml" \
    --set LaserScanner.simulation.World="$work/real.xml" --out "$work/replay" >"$work/replay.log" 2>&1 || fail "replay in the map"
number "$(json "$work/replay/summary.json" faults) == 0" || fail "replay: faults"
