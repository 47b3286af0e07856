#!/usr/bin/env bash
# What docs/guides/python.md shows is so, line by line.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/python_client.sh"
cd "$source_dir/docs/guides" || fail "docs/guides"
timeout 300 "$python" -m doctest python.md >"$work/doctest" || fail "docs/guides/python.md: $(head -40 "$work/doctest")"
timeout 100 "$python" python/wander.py >"$work/wander" || fail "wander.py"
awk '/^\$ python3 docs\/guides\/python\/wander.py$/ { on = 1; next } on && /^```/ { exit } on' python.md >"$work/shown"
diff "$work/shown" "$work/wander" || fail "docs/guides/python.md shows something else"
