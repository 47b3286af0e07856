#!/usr/bin/env bash
# A plan with a unit that the world waits for repeats exactly: results are the same but for the time that they took.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/plans/plans.sh"
source "$source_dir/tests/integration/rows.sh"

same() { # PLAN: twice the same, but for the time that it took
    for run in first second; do
        does 0 "$1" --out "$work/$run"
        grep -v real_s "$work/$run/summary.json" >"$work/$run.json"
    done
    cmp "$work/first.json" "$work/second.json" || fail "two runs of $1 differ"
}
row "a unit in lock-step" same tests/integration/plans/spin.xml
row "the delta robot's unit at 2 kHz, found where it was built" same tests/integration/plans/delta.xml
paced() {
    same $cart
    judge "$work/second" 'summary["runs"][0]["real_s"] < 5'
}
row "a Modbus master, which paces the world" paced
rows_end
