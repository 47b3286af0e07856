#!/usr/bin/env bash
# A disk that the trace fills: what is left is told, and summary.json has its room. A small file system of a namespace of its own stands for the disk.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
mkdir "$work/disk"
if ! unshare -rm mount -t tmpfs -o size=1m none "$work/disk" 2>"$work/why"; then
    echo "1..0 # SKIP no file system of one's own: $(cat "$work/why")"
    exit 0
fi
filled() {
    mkdir "$work/disk"
    unshare -rm bash -c 'mount -t tmpfs -o size=1m none "$1" && mkdir "$1/out" && "$2" run patrol --bind sim --clock sim --quiet --duration 300 --out "$1/out"
        echo "code $?"; ls -A "$1/out"; cat "$1/out/summary.json"' - "$work/disk" "$doppel" >"$work/log" 2>&1
    grep -q "^code 3" "$work/log" || fail "exit code: $(grep '^code' "$work/log")"
    grep -q "trace.csv cannot be written from here on: No space left" "$work/log" || fail "it is not told at once"
    grep -q "^summary.json$" "$work/log" || fail "there is no summary.json: $(cat "$work/log")"
    grep -q '"exit": 3' "$work/log" || fail "the summary does not tell it"
    ! grep -q "doppel-room" "$work/log" || fail "the room was not given back"
}
check "a trace that fills the disk" filled
rows_end
