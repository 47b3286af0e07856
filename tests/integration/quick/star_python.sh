#!/usr/bin/env bash
# Worlds in STAR's format from Python: the same bits as the C program, and what is refused.
source "$(dirname "$0")/../lib.sh"
# Python cannot load a library that was built with sanitizers
[ "$(nm -D "$build/avatar_sim/libdoppel_avatar.so" | grep -c __asan_)" = 0 ] || skip "a library with sanitizers"
DOPPEL_LIBRARY=$build/avatar_sim/libdoppel_avatar.so python3 "$source_dir/tests/integration/quick/star_python.py" "$doppel" "$profiles" \
    "$source_dir/clients/python" || fail "Python"
