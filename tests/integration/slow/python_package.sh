#!/usr/bin/env bash
# The Python package does what the commands do, and refuses what is wrong (python_package.py).
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/python_client.sh"
"$doppel" run patrol --bind sim --clock sim --duration 5 --quiet --out "$work/c" --record "$work/c.mcap" 2>/dev/null || fail "run"
timeout 300 "$python" "$source_dir/tests/integration/slow/python_package.py" "$doppel" "$source_dir" "$work" || fail "the package"
cmp "$work/c/trace.csv" "$work/python/trace.csv" || fail "Python runs something else"
