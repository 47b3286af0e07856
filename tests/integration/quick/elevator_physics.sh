#!/usr/bin/env bash
# The elevator's physics without a unit against closed forms: each step of elevator/physics.xml.
source "$(dirname "$0")/../lib.sh"
"$doppel" test "$source_dir/tests/integration/elevator/physics.xml" || fail "exit code $?"
