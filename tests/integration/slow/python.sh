#!/usr/bin/env bash
# The Python package (docs/python.md): its structs are those of the headers, it does what the commands do, and refuses what is wrong.
source "$(dirname "$0")/../lib.sh"
python=
for candidate in python3 /usr/bin/python3; do # the package is Debian's: it belongs to Debian's Python
    "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip "python3-numpy is not installed"
if [ "$(nm -D --undefined-only "$build/avatar_sim/libdoppel_avatar.so" | grep -c __asan_init)" != 0 ]; then
    skip "a Python without sanitizers cannot load a library with them"
fi
export PYTHONPATH=$source_dir/clients/python DOPPEL_LIBRARY=$build/avatar_sim/libdoppel_avatar.so PYTHONDONTWRITEBYTECODE=1

# ---- structs ----
"$python" "$source_dir/tests/integration/slow/python_layout.py" >"$work/layout.c" || fail "layout"
${CC:-cc} -I"$source_dir/runtime/include" -I"$source_dir/math/include" -I"$source_dir/avatar_sim/include" -o "$work/layout" "$work/layout.c" ||
    fail "the structs of the package name other members than the headers"
"$work/layout" || fail "the structs of the package are not those of the headers"

# ---- the same as the command ----
"$doppel" run patrol --bind sim --clock sim --duration 5 --quiet --out "$work/c" 2>/dev/null || fail "run"
timeout 300 "$python" "$source_dir/tests/integration/slow/python_package.py" "$doppel" "$source_dir" "$work" || fail "the package"
cmp "$work/c/trace.csv" "$work/python/trace.csv" || fail "Python runs something else"

# ---- documents ----
cd "$source_dir/docs" || fail "docs"
timeout 300 "$python" -m doctest python.md >"$work/doctest" || fail "docs/python.md: $(head -40 "$work/doctest")"
timeout 100 "$python" python/wander.py >"$work/wander" || fail "wander.py"
awk '/^\$ python3 docs\/python\/wander.py$/ { on = 1; next } on && /^```/ { exit } on' python.md >"$work/shown"
diff "$work/shown" "$work/wander" || fail "docs/python.md shows something else"
echo ok
