#!/usr/bin/env bash
# A component hangs in a callback, on the real and on the simulated clock: the first request does not end the run, and it says where it hangs; the
# second one ends it within a second, and the folder of results says why.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
source "$(dirname "$0")/../hung.sh"
hangs_in() { # WHERE CLOCK
    hung "$1" mock --set Trouble.What=loop --clock "$2" --duration 0.2 --out "$work/out"
    left "$1"
    grep -q "Trouble in $1 did not return" "$work/out/summary.json" || fail "the summary does not tell it"
}
# three requests, before the run has given its executor up or afterwards
three_requests() { # WHERE
    hung "$1" mock --set Trouble.What=loop --set Trouble.At=0.3 --duration 3
    for _ in 1 2 3; do
        kill "$last"
        sleep 0.1
    done
    wait "$last"
    [ $? -eq 3 ] || fail "exit code"
    [ "$(grep -c "error: Trouble in $1 did not return" "$work/run.log")" -eq 1 ] || fail "who hangs is not told once"
}
for where in initialize start stop destroy; do
    for clock in real sim; do
        beside "hung in $where on the $clock clock" hangs_in $where $clock
    done
    rows_told
done
beside "three requests to one that hangs in stop" three_requests stop
beside "three requests to one that hangs in its executor" three_requests execute
rows_end
