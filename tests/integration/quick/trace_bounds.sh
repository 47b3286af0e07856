#!/usr/bin/env bash
# A trace has the rows and the size that were asked for: the newest rows, the older half of them in a file of its own, which reports read too. That
# ScanRecorder has no more room is told at once.
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
    local size=$(cat "$work/out/trace.csv" "$work/out/trace_before.csv" | wc -c)
    [ "$size" -ge 104857 ] && [ "$size" -lt 800000 ] || fail "$size bytes"
    cmp <(head -n 1 "$work/out/trace.csv") <(head -n 1 "$work/out/trace_before.csv") || fail "the headers differ"
    python3 -S - "$work/out" <<'PY' || fail "not the newest rows"
import csv, sys
times = [float(row["t"]) for name in ("trace_before.csv", "trace.csv") for row in csv.DictReader(open(f"{sys.argv[1]}/{name}"))]
print(times[0], times[-1], len(times))
sys.exit(not (times[0] > 20 and times[-1] > 119.9 and all(0 < b - a < 0.06 for a, b in zip(times, times[1:]))))
PY
    "$doppel" report "$work/out" --table >"$work/table" 2>&1 || fail "no report: $(<"$work/table")"
    run --duration 1
    [ ! -e "$work/out/trace_before.csv" ] || fail "the next run leaves it"
}
scans() {
    run --duration 5 --set ScanRecorder.Interval=0 --set ScanRecorder.MaximumScans=3
    grep -q "^\[ *0\.[0-9]*\] info ScanRecorder: from now on scans.csv has the newest 3 scans" "$work/log" || fail "$(cat "$work/log")"
    run --duration 5 --set ScanRecorder.Interval=0 --set ScanRecorder.MaximumScans=3 --set ScanRecorder.Keep=first
    grep -q "^\[ *0\.[0-9]*\] warn ScanRecorder: no room for more scans: scans.csv ends with the first 3" "$work/log" || fail "$(cat "$work/log")"
}
check "a row a second" rare
check "the newest rows" small
check "scans without room" scans
rows_end
