#!/usr/bin/env bash
# A component that ends the process or its thread, in whatever callback: no success, who did it is told, and what was logged before is not lost. A child
# that a component forks ends nothing. Simulated time.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
drive_with_trouble "$work/drive.xml" '<property name="ApiName">mock</property>'
troubled() { # ARGUMENT...
    "$doppel" run "$top/drive.xml" --set Trouble.At=1 --clock sim --quiet --duration 2 --out "$work/out" "$@" >"$work/run.log" 2>&1
}
ended() { # WHAT WHERE
    troubled --set Trouble.What="$1" --set Trouble.Where="$2"
    [ $? -eq 3 ] || fail "exit code"
    grep -q '"exit": 3' "$work/out/summary.json" || fail "the summary does not tell it"
    grep -q "Trouble in $2 has ended the" "$work/run.log" || fail "who ended it is not told"
    grep -q "Trouble: this is my last line" "$work/run.log" || fail "what was logged before is lost"
}
forked() {
    troubled --set Trouble.What=fork "$@" || fail "a child that ends ends the run"
    ! grep -q "has ended the process" "$work/run.log" || fail "the end of a child is taken for that of the run"
    [ "$(wc -l <"$work/out/trace.csv")" -gt 30 ] || fail "there is no trace"
    [ "$(cut -d, -f1 "$work/out/trace.csv" | sort | uniq -d | wc -l)" -eq 0 ] || fail "a child has written rows of the trace"
}
for where in execute initialize start stop destroy; do
    for what in end_process end_thread leave; do
        check "$what in $where" ended $what $where
    done
done
check "a child that a component forks" forked
check "a child that a component forks, on the real clock" forked --clock real
rows_end
