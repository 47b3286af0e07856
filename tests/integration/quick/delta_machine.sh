#!/usr/bin/env bash
# The delta robot in its world, against closed forms: the errors of the loops, of the path, of the energy; other deltas too.
source "$(dirname "$0")/../lib.sh"

machine=$build/tests/experiments/delta/delta_machine
cell=$profiles/worlds/delta_cell.xml
"$machine" --seconds 2.4 "$cell" >"$work/table" || fail "limits are missed: $(<"$work/table")"
[ "$(grep -c ' ok$' "$work/table")" -eq 9 ] || fail "not 9 rows: $(<"$work/table")"
"$machine" --seconds 0.6 --param PAYLOAD=0.25 "$cell" >"$work/table" || fail "with a payload: $(<"$work/table")"
"$machine" --seconds 0.6 --param RB=0.25 --param L1=0.3 --param L2=0.7 --param MA=0.6 --param MP=0.3 --param Z0=-0.55 "$cell" >"$work/table" ||
    fail "a larger delta: $(<"$work/table")"

# a controller that believes in other masses than those of the world is found out
sed 's/name="MP" value="0.200"/name="MP" value="0.300"/' "$cell" >"$work/heavy.xml"
cp "$profiles/robots/delta.xml" "$work/"
! "$machine" --seconds 0.6 "$work/heavy.xml" >"$work/table" || fail "100 g more are not seen: $(<"$work/table")"
grep -q 'feedback adds.*MISSED' "$work/table" || fail "no torque of the feedback: $(<"$work/table")"
