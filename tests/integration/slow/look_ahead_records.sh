#!/usr/bin/env bash
# A look-ahead that only records changes nothing, and its predictions are judged: some were right, none was missed.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../benches.sh"
benches_made without
patrolled "$work/record" "${ahead[@]}" --set LookAhead.Mode=record >"$work/record.log" 2>&1 || fail "run"
recorded() { json "$work/record/summary.json" "$1"; }
[ "$(of without world.contacts)" -gt 0 ] || fail "nothing was touched: the test tells nothing"
[ "$(recorded world.contacts)" = "$(of without world.contacts)" ] || fail "record mode has changed the run"
[ "$(recorded WheelController.distance_m)" = "$(of without WheelController.distance_m)" ] || fail "record mode has changed the way"
[ "$(recorded look.vetoes)" = 0 ] || fail "record mode has vetoed"
[ "$(recorded look.right)" -gt 0 ] || fail "no prediction was right"
[ "$(recorded look.missed)" = 0 ] || fail "a contact was missed"
