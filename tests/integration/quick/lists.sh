#!/usr/bin/env bash
# Every script, table and guide is a test of the build: none is forgotten in a list.
source "$(dirname "$0")/../lib.sh"
here=$source_dir/tests/integration
tests=$(python3 -S -c 'import json, sys; print("\n".join(test["name"] for test in json.load(open(sys.argv[1]))))' "$build/meson-info/intro-tests.json")
for file in "$here"/{quick,slow,clock}/*.sh; do
    grep -qx "$(basename "$file" .sh)" <<<"$tests" || fail "tests/integration/meson.build lacks $file"
done
for file in "$here"/messages/*.txt; do
    grep -qx "messages $(basename "$file" .txt)" <<<"$tests" || fail "tests/integration/meson.build lacks $file"
done
for file in "$here"/guides/*.sh; do
    grep -qx "guide $(basename "$file" .sh)" <<<"$tests" || fail "documents.txt lacks the guide of $file"
done
