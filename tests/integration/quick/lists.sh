#!/usr/bin/env bash
# Every script, table and guide is a test of the build, and every test has a layer: none is forgotten.
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
# and each test has a layer, which tools/test runs
python3 -S - "$build/meson-info/intro-tests.json" <<'PY' || fail "tests that no layer runs"
import json, sys
bare = [test["name"] for test in json.load(open(sys.argv[1])) if not {"quick", "slow", "alone", "race", "fuzz"} & {suite.split(":")[-1] for suite in test["suite"]}]
sys.exit("\n".join(bare) if bare else 0)
PY
