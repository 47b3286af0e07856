#!/usr/bin/env bash
# doppel map: a recording becomes a world that agrees with the true one, the same input gives the same bytes, and an avatar drives in it beside a robot
# in the true world.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../office_recording.sh"
office_recorded
"$doppel" map "$made" --output "$work/map.xml" --picture "$work/map.svg" >"$work/said" || fail "map"
grep -q "walls" "$work/said" || fail "map says: $(<"$work/said")"
"$doppel" check --strict "$work/map.xml" >"$work/out" 2>&1 || fail "the map is no good world: $(<"$work/out")"
grep -q 'name="wall 1"' "$work/map.xml" || fail "walls have no names"
[ "$(grep -c '<wall' "$work/map.xml")" -lt 400 ] || fail "too many walls"
grep -q '</svg>' "$work/map.svg" || fail "no picture"
python3 "$source_dir/tests/integration/slow/compare_map.py" "$work/map.xml" "$made/office_rooms.xml" "$made/scans.csv" >"$work/shares" || fail "the map is not the office: $(<"$work/shares")"
grep -qF "$(<"$work/shares")" "$source_dir/docs/guides/map.md" || fail "docs/guides/map.md has other figures than: $(<"$work/shares")"
"$doppel" map "$made" --output "$work/again.xml" >/dev/null || fail "map again"
cmp "$work/map.xml" "$work/again.xml" || fail "two maps of one recording differ"

"$doppel" run patrol --bind twin --clock sim --duration 20 --quiet --set WheelController.simulation.World="$work/map.xml" \
    --set LaserScanner.simulation.World="$work/map.xml" --out "$work/twin" 2>"$work/run.log" || fail "twin: $(<"$work/run.log")"
grep -q '"sync.state": "OK"' "$work/twin/summary.json" || fail "the avatar does not follow in the map"
