# After the commands of docs/guides/look-ahead.md: what it says of the patrol that touches benches below its laser, in simulated time.
source "$source_dir/tests/integration/benches.sh"
benches_made without
benches_made with
[ "$(of without world.contacts)" -gt 0 ] || fail "the patrol without a look-ahead touched nothing: the test tells nothing"
[ "$(of with world.contacts)" = 0 ] || fail "contacts with a look-ahead"
[ "$(of with look.predicted)" -gt 0 ] || fail "no contact was predicted"
number "$(of with WheelController.distance_m) > $(of without WheelController.distance_m)" || fail "it does not drive farther"
"$doppel" report "$build/made/benches_with" --output "$work/with.html" >"$work/report.log" 2>&1 || fail "report"
grep -q "looks ahead that end in a contact" "$work/with.html" || fail "the report does not show contacts to come"
grep -q "look.vetoes" "$work/with.html" || fail "the report does not tell the vetoes"
