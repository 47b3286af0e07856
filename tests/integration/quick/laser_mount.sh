#!/usr/bin/env bash
# A laser scanner that is tilted is refused where its property stands; one that hangs upside down is not.
source "$(dirname "$0")/../lib.sh"
sed 's;^  </properties>;    <property component="LaserScanner" name="Roll" unit="deg">30</property>\n&;' "$profiles/bindings/sim.xml" >"$work/tilted.xml"
line=$(grep -n '"Roll"' "$work/tilted.xml" | cut -d: -f1)
[ -n "$line" ] || fail "the binding has no LaserScanner"
"$doppel" run patrol --bind "$work/tilted.xml" --clock sim --duration 1 --quiet 2>"$work/log" && fail "a tilted scanner runs"
grep -q "tilted.xml:$line:[0-9]*: error: Roll: 30 deg would tilt the scan, expected 0 or 180 (upside down)" "$work/log" || fail "$(cat "$work/log")"
for property in Roll=-1 Pitch=90; do
    "$doppel" run patrol --bind sim --clock sim --duration 1 --quiet --set "LaserScanner.$property" 2>"$work/log" && fail "$property runs"
    grep -q -- "--set LaserScanner.$property: error: ${property%=*}: .* deg would tilt the scan" "$work/log" || fail "$(cat "$work/log")"
done
"$doppel" run patrol --bind sim --clock sim --duration 1 --quiet --set LaserScanner.Roll=180 || fail "a scanner upside down does not run"
