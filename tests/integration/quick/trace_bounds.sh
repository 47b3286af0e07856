#!/usr/bin/env bash
# A trace has the rows and the size that were asked for; that it ends is told at once, and the run goes on. So is that ScanRecorder has no more room.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
run() { "$doppel" run patrol --bind sim --clock sim --quiet --out "$work/out" "$@" >"$work/log" 2>&1 || fail "the run: $(cat "$work/log")"; }
rare() {
    run --duration 30 --trace-every 1
    [ "$(tail -n +2 "$work/out/trace.csv" | wc -l)" -eq 30 ] || fail "rows: $(wc -l <"$work/out/trace.csv")"
    [ "$(tail -n +2 "$work/out/trace.csv" | cut -d, -f1 | head -3 | tr '\n' ' ')" = "0.000000 1.000000 2.000000 " ] || fail "times"
}
small() {
    run --duration 120 --trace-size 0.2
    local size=$(stat -c %s "$work/out/trace.csv")
    [ "$size" -ge 209715 ] && [ "$size" -lt 500000 ] || fail "$size bytes"
    grep -q "trace.csv gets no more rows: it has 0.2" "$work/log" || fail "it is not told"
    [ "$(tail -c 1 "$work/out/trace.csv" | od -An -c | tr -d ' ')" = '\n' ] || fail "half a row"
}
scans() {
    run --duration 5 --set ScanRecorder.Interval=0 --set ScanRecorder.MaximumScans=3
    grep -q "^\[ *0\.[0-9]*\] warn ScanRecorder: no room for more scans: scans.csv ends with the first 3" "$work/log" || fail "$(cat "$work/log")"
}
check "a row a second" rare
check "a size" small
check "scans without room" scans
rows_end
