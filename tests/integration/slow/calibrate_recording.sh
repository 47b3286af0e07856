#!/usr/bin/env bash
# doppel calibrate from a recording, without a robot: the same numbers within 0.3 %, twice the same; also from seldom scans, and with an unknown start.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../calibration.sh"
calibration_recorded
recorded=(calibrate patrol --bind twin --recording)
exits 0 "scale of the axle.*identified" "${recorded[@]}" "$made" --output "$work/recorded.xml" --drive "$work/recorded_drive.xml"
exits 0 "1 file: 0 errors, 0 warnings" check patrol --resolve --bind twin --bind "$work/recorded.xml" --bind "$work/recorded_drive.xml"
truthful "$work/recorded.xml" 0.003 || fail "the recording shows other numbers: $(<"$work/recorded.xml")"
python3 - "$work/recorded_drive.xml" <<'PY' || fail "the recording shows another drive: $(<"$work/recorded_drive.xml")"
import re, sys
value = lambda name: float(re.search(rf'name="{name}"[^>]*>([^<]*)<', open(sys.argv[1]).read()).group(1))
assert abs(value("latency_ms") - 60) < 4 and abs(value("lag_ms") - 50) < 5
PY
cp "$work/recorded.xml" "$work/before.xml" # its name is in the file
exits 0 "identified" "${recorded[@]}" "$made" --output "$work/recorded.xml"
cmp "$work/recorded.xml" "$work/before.xml" || fail "two calibrations of one recording differ"
# the seed scatters boxes in the world: the plan is that of the run's seed, and a robot whose start is not known is found soon
"$doppel" run patrol "${twin[@]}" --seed 5 --duration 60 --set ScanRecorder.Interval=1 --out "$work/seldom" 2>"$work/said" || fail "recording at 1 Hz"
exits 0 "scale of the left wheel.*identified" "${recorded[@]}" "$work/seldom" --set Localizer.Start=search --output "$work/seldom.xml"
# scans.csv alone: no commands, no delay; the start is searched for
exits 4 "not identified: scans are late by" "${recorded[@]}" "$made/scans.csv" --output "$work/scans.xml"
grep -q 'name="hardware.OdometryScaleLeft"' "$work/scans.xml" || fail "the identified wheels are not written"
! grep -q TimeOffset "$work/scans.xml" || fail "a delay that is not known is written"
