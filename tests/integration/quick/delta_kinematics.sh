#!/usr/bin/env bash
# delta_kinematics prints one JSON object with numbers of full precision, and takes every parameter (delta_kinematics.py).
source "$(dirname "$0")/../lib.sh"
python3 "$source_dir/tests/integration/quick/delta_kinematics.py" "$build/tests/experiments/delta/delta_kinematics" || fail "numbers"
