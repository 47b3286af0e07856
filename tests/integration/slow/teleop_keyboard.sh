#!/usr/bin/env bash
# A person at a keyboard (keys on a pty) drives the simulated robot: a key counts as held for as long as docs/guides/teleop.md says.
source "$(dirname "$0")/../lib.sh"
timeout 120 python3 "$(dirname "$0")/teleop.py" "$doppel" "$work" keyboard || fail "a keyboard"
