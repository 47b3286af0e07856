#!/usr/bin/env bash
# doppel calibrate where the Localizer has another world than the robot: no binding is written, and the run says that the place is not known.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../calibration.sh"
calibration_recorded
nothing_written() {
    grep -q "nothing was identified: $work/other.xml is not written" "$work/said" || fail "says: $(<"$work/said")"
    [ ! -e "$work/other.xml" ] && [ ! -e "$work/other.xml.part" ] || fail "a binding with nothing in it"
}
exits 4 "did not fit the world" calibrate patrol --bind twin --recording "$made" --set Localizer.World=corridor.xml --output "$work/other.xml"
nothing_written
exits 4 "anything by the scans: they did not fit the world" calibrate patrol --bind twin --clock sim --quiet --duration 30 --seed 6 \
    --set Localizer.World=corridor.xml --out "$work/another" --output "$work/other.xml"
grep -q "warn Localizer: the plan is of the world 'corridor.xml', the avatar is in the application's world" "$work/said" || fail "no warning"
! grep -q '"loc.state": "\(TRACKING\|DEGRADED\)"' "$work/another/summary.json" || fail "it ends as if it knew where it is"
nothing_written
