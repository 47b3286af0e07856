#!/usr/bin/env bash
# What looks ahead say of simple drives, against formulas: straight on to a wall, circles, past a post, braking with a ramp, drawn poses.
source "$(dirname "$0")/../lib.sh"
python3 "$source_dir/tests/integration/quick/look_ahead_formulas.py" "$doppel" "$work" >"$work/said.log" 2>&1 || fail "not as by hand"
cat "$work/said.log"
