#!/usr/bin/env bash
# Each path of this repository that a document names in backquotes exists (document_paths.py).
source "$(dirname "$0")/../lib.sh"
python3 "$source_dir/tests/integration/quick/document_paths.py" "$source_dir" >"$work/paths.log" || fail "paths that are not there"
cat "$work/paths.log"
