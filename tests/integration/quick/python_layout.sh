#!/usr/bin/env bash
# The structs of the Python package are those of the headers.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/python_client.sh"
"$python" "$source_dir/tests/integration/quick/python_layout.py" >"$work/layout.c" || fail "layout"
mapfile -t rooms < <(find "$source_dir/avatar_sim" -name include)
${CC:-cc} -I"$source_dir/runtime/include" -I"$source_dir/math/include" "${rooms[@]/#/-I}" -o "$work/layout" "$work/layout.c" ||
    fail "the structs of the package name other members than the headers"
"$work/layout" || fail "the structs of the package are not those of the headers"
