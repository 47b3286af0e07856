#!/usr/bin/env bash
# A dozen mistakes, planted in the elevator's unit and in its machine: each is found by its own step, which the unchanged ones pass. All of them: tests/planted/elevator BUILD
source "$(dirname "$0")/../lib.sh"
"$source_dir/tests/planted/elevator" "$build" --short >"$work/planted.log" 2>&1 || fail "see the log"
[ "$(grep -c '^ok' "$work/planted.log")" -ge 12 ] || fail "not a dozen mistakes"
