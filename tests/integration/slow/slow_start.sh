#!/usr/bin/env bash
# An initialize and a start that take 1.5 s and command nothing disturb nothing: no stop, no fault.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
drive_with_trouble "$work/mock.xml" '<property name="ApiName">mock</property>'
slow() { # WHERE
    "$doppel" run "$top/mock.xml" --set Trouble.What=sleep --set Trouble.For=1.5 --set Trouble.Where="$1" --duration 0.5 --quiet --out "$work/slow" \
        >"$work/run.log" 2>&1 || fail "it ends the run"
    ! grep -q "stopped\|has not returned" "$work/run.log" || fail "it is taken for a hang"
    [ "$(json "$work/slow/summary.json" faults)" = 0 ] || fail "it is a fault"
}
beside "a slow initialize" slow initialize
beside "a slow start" slow start
rows_end
