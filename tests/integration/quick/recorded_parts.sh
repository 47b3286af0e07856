#!/usr/bin/env bash
# What is recorded for as long as a robot runs: files by time, the oldest of which go, and a file for each trigger with the time around it. Each is a
# recording of its own, after kill -9 too. A full disk ends a file, and the run is the same.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
run() { "$doppel" run patrol --bind sim --clock sim "$@" >log 2>&1; }
# start, end, whether it is whole, messages of scans and of the scene, attachments
about() { "$doppel" bag info "$1" --json | python3 -S -c '
import json, sys
b = json.load(sys.stdin)
n = {t["topic"]: t["messages"] for t in b["topics"]}
print(round(b["start_s"], 2), round(b["start_s"] + b["duration_s"], 2), b["complete"], n["/LaserScanner/scan"], n["/scene"], len(b["attachments"]))'; }
run --duration 20 --out plain --record whole.mcap --quiet || fail "the run: $(<log)"
by_time() {
    run --duration 20 --rate 5 --quiet --out split --record s.mcap --record-split 6s --record-files 3 || fail "a series: $(<log)"
    cmp plain/trace.csv split/trace.csv || fail "another trace"
    [ "$(echo s-*.mcap)" = "s-0002.mcap s-0003.mcap s-0004.mcap" ] || fail "files: $(echo s-*.mcap)"
    for file in s-*.mcap; do
        read -r from to complete scans scenes files < <(about "$file")
        [ "$complete" = True ] && [ "$scans" -gt 0 ] && [ "$scenes" = 1 ] && [ "$files" -ge 4 ] || fail "$file: $(about "$file")"
    done
    run --duration 6.5 --rate 5 --quiet --record s.mcap --record-split 5s --record-files 3 || fail "the next run: $(<log)"
    [ "$(echo s-*.mcap)" = "s-0004.mcap s-0005.mcap s-0006.mcap" ] || fail "after the next run: $(echo s-*.mcap)"
}
by_trigger() { # at its full speed, and slower
    for rate in 0 50; do
        rm -f t-*.mcap
        run --duration 20 --rate "$rate" --record t.mcap --record-before 2 --record-after 1 --record-on 'RobotControl.nearest_m < 0.75' || fail "triggers: $(<log)"
        grep -q "info mcap: RobotControl.nearest_m < 0.75 at 10.800 s: recorded to t-0002.mcap" log || fail "not told: $(<log)"
        "$doppel" bag cut whole.mcap --from 8.8 --to 11.8 --topic '/[A-Z]*' --output part.mcap
        "$doppel" bag cut t-0002.mcap --topic '/[A-Z]*' --output window.mcap
        [ "$("$doppel" bag info part.mcap | sed -n '1s/,.*//p; /^ /p')" = "$("$doppel" bag info window.mcap | sed -n '1s/,.*//p; /^ /p')" ] || fail "the window: $("$doppel" bag info window.mcap)"
        [ "$(about t-0002.mcap | cut -d' ' -f1-3)" = "8.8 11.8 True" ] || fail "the window: $(about t-0002.mcap)"
        [ ! -e t.mcap ] && [ ! -e t-0003.mcap ] || fail "more files: $(echo t*.mcap)"
    done
    run --duration 1 --record t.mcap --record-on 'RobotContrl.nearest_m < 0.75'
    [ $? -eq 1 ] && grep -q "run: --record-on: 'RobotContrl.nearest_m < 0.75': there is no topic '/RobotContrl/values.nearest_m'" log || fail "no topic: $(<log)"
}
by_signal() {
    start signalled "$doppel" run patrol --bind sim --clock sim --rate 2 --record k.mcap --record-before 1 --record-after 0.5 --record-files 1
    sleep 1
    for number in 1 2; do
        kill -USR1 "$last"
        until_true 10 grep -q "signal at .* recorded to k-000$number.mcap" signalled.log || fail "no recording of signal $number"
        sleep 1
    done
    kill -INT "$last" && wait "$last" || fail "the run: $?"
    [ "$(echo k-*.mcap)" = k-0002.mcap ] && about k-0002.mcap | piped " True " || fail "files: $(echo k-*.mcap)"
}
by_note() { # that a person writes
    start noted "$doppel" run patrol --bind sim --clock sim --rate 2 --view 0 --record n.mcap --record-on event=note --record-before 1 --record-after 0.5
    until_true 10 grep -q "^view: ws:" noted.log || fail "no address"
    "$doppel" service call /run/note '{"text":""}' >said 2>&1
    [ $? -eq 1 ] && grep -q "the text is empty" said || fail "an empty note: $(<said)"
    "$doppel" service call /run/note '{"text":"a noise\u001b[31m"}' >said || fail "a note: $(<said)"
    until_true 10 grep -q "event=note: note: a noise.* recorded to n-0001.mcap" noted.log || fail "no recording of the note: $(<noted.log)"
    kill -INT "$last" && wait "$last" || fail "the run: $?"
    grep -q 'info note: a noise.*31m' noted.log && ! grep -q $'\e' noted.log || fail "the note: $(<noted.log)"
}
killed() {
    start killed "$doppel" run patrol --bind sim --clock sim --rate 8 --quiet --record d.mcap --record-split 4s
    until_true 20 test -e d-0003.mcap || fail "no series"
    until_true 10 eval '[ "$(stat -c %s d-0003.mcap)" -gt 100000 ]' || fail "nothing in its third file"
    kill -9 "$last"
    about d-0001.mcap | piped " True " && about d-0002.mcap | piped " True " || fail "what was finished: $(about d-0002.mcap)"
    about d-0003.mcap | piped " False [1-9]" || fail "what was not: $(about d-0003.mcap)"
}
full() {
    mkdir disk
    unshare -rm mount -t tmpfs -o size=1m none disk 2>/dev/null || return 0
    unshare -rm bash -c 'mount -t tmpfs -o size=1m none disk && shift && "$@"; echo "code $?"; ls disk' - - \
        "$doppel" run patrol --bind sim --clock sim --quiet --duration 20 --rate 50 --out full --record disk/f.mcap --record-split 4s >log 2>&1
    grep -qx "code 3" log || fail "a full disk: $(<log)"
    cmp plain/trace.csv full/trace.csv || fail "a full disk changes the run"
    [ "$(grep -c "error mcap: disk/f-000[2-9].mcap is not written from here on: No space left on device" log)" = 1 ] || fail "not told once: $(<log)"
    unshare -rm bash -c 'mount -t tmpfs -o size=2m none disk && shift && "$@"; echo "code $?"; ls disk' - - \
        "$doppel" run patrol --bind sim --clock sim --quiet --duration 20 --rate 50 --out bounded --record disk/f.mcap --record-split 4s --record-files 2 >log 2>&1
    grep -qx "code 0" log && [ "$(grep -c '^f-' log)" = 2 ] || fail "the bound keeps the room: $(<log)"
}
by_time
by_trigger
by_signal
by_note
killed
full
