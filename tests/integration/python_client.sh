# shellcheck shell=bash
# A Python that can load the package of clients/python, in $python. Sourced after lib.sh, not run.
python=
for candidate in python3 /usr/bin/python3; do # the package is Debian's: it belongs to Debian's Python
    "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip "python3-numpy is not installed"
if [ "$(nm -D --undefined-only "$build/avatar_sim/libdoppel_avatar.so" | grep -c __asan_init)" != 0 ]; then
    skip "a Python without sanitizers cannot load a library with them"
fi
export PYTHONPATH=$source_dir/clients/python DOPPEL_LIBRARY=$build/avatar_sim/libdoppel_avatar.so PYTHONDONTWRITEBYTECODE=1
