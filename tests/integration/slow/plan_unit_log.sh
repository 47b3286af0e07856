#!/usr/bin/env bash
# What a unit prints without end does not fill the disk, and a log that cannot be written is an error in the results.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/plans/plans.sh"
source "$source_dir/tests/integration/rows.sh"
talks=($cart --unit "sh -c 'yes; : {modbus_port}'" --step "half a metre")

bounded() {
    does 4 "${talks[@]}" --param READY=2 --out "$work/a"
    [ "$(wc -c <"$work/a/unit.log")" -lt 17000000 ] || fail "unit.log has $(wc -c <"$work/a/unit.log") bytes"
    grep -qa "bytes were left out here" "$work/a/unit.log" || fail "unit.log does not say what was left out"
}
row "a log is bounded, and says what was left out" bounded
too_large() {
    ulimit -f 1000
    does 3 "${talks[@]}" --out "$work/a"
    says "$work/a/unit.log: error: cannot be written: File too large"
    judge "$work/a" 'steps[0]["verdict"] == "error" and "unit.log cannot be written" in steps[0]["failures"][0] and summary["exit"] == 3'
}
row "a log that cannot be written is told" too_large
rows_end
