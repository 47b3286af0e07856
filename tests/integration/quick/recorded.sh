#!/usr/bin/env bash
# A recording of a simulated run has each message that was published, and the run is the same without it. A full disk ends the recording, not the
# run, and is told; who neither records nor is viewed loads no library for it, opens no socket and starts no thread more.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
run() { "$doppel" run patrol --bind sim --clock sim --quiet --duration 20 "$@" >log 2>&1; }
whole() {
    run --out plain || fail "the run: $(<log)"
    run --out recorded --record run.mcap || fail "the recorded run: $(<log)"
    cmp plain/trace.csv recorded/trace.csv || fail "another trace"
    "$doppel" bag info run.mcap --json >bag.json || fail "no recording"
    python3 -S - <<'PY' || fail "not what was published"
import json
summary, bag = (json.load(open(name)) for name in ("recorded/summary.json", "bag.json"))
counts = {topic["topic"]: topic["messages"] for topic in bag["topics"]}
published = {"/" + name.replace(".", "/"): port["published"] for name, port in summary["ports"].items() if "published" in port}
print({name: (n, counts.get(name)) for name, n in published.items()})
rows = sum(1 for _ in open("recorded/trace.csv")) - 1
assert sum(published.values()) > 500 and all(counts[name] == n for name, n in published.items())
assert counts["/RobotControl/values"] == rows and counts["/LaserScanner/scan/LaserScan"] == published["/LaserScanner/scan"]
assert bag["complete"] and {"run.json"} < {attachment["name"] for attachment in bag["attachments"]}
PY
}
cut_off() {
    local size=$(stat -c %s run.mcap) n before=0
    for part in 1 2 3 4; do
        head -c $((size * part / 5)) run.mcap >cut.mcap
        n=$("$doppel" bag info cut.mcap --json | python3 -S -c 'import json, sys; b = json.load(sys.stdin); print(-1 if b["complete"] else b["messages"])')
        [ "$n" -ge "$before" ] || fail "$part of 5 parts have $n messages, less have $before"
        before=$n
    done
    [ "$before" -gt 1500 ] || fail "$before messages of four fifths"
}
full() {
    run --out full --record /dev/full
    [ $? -eq 3 ] || fail "exit code: $(<log)"
    cmp plain/trace.csv full/trace.csv || fail "a full disk changes the run"
    grep -q "error mcap: /dev/full is not written from here on: No space left on device" log || fail "not told when it happened: $(<log)"
    grep -q "^error: /dev/full is incomplete: No space left on device" log || fail "not told at the end: $(<log)"
}
taken() {
    "$doppel" run patrol --bind sim --clock sim --rate 4 --quiet --record both.mcap >log1 2>&1 &
    pids+=($!)
    until_true 10 eval '[ -s both.mcap ]' || fail "nothing is recorded"
    run --record both.mcap
    [ $? -eq 1 ] && grep -q "both.mcap is being recorded by another run" log || fail "two runs record to one file: $(<log)"
    kill -INT "${pids[-1]}"
    wait "${pids[-1]}" || fail "the first run: $(<log1)"
    "$doppel" bag info both.mcap --json | piped '"complete": true' || fail "the recording of the first run"
}
killed() {
    "$doppel" run patrol --bind sim --clock sim --rate 4 --quiet --record killed.mcap >log 2>&1 &
    pids+=($!)
    until_true 10 eval '[ "$(stat -c %s killed.mcap)" -gt 300000 ]' || fail "nothing is recorded"
    kill -9 "${pids[-1]}"
    "$doppel" bag info killed.mcap >info || fail "it cannot be read"
    grep -q "cut off before its end" info || fail "$(<info)"
    grep -qE "^ +[0-9]{2,} .* /LaserScanner/scan " info || fail "no scans: $(<info)"
}
alone() {
    command -v strace >/dev/null || return 0
    strace -f -e trace=socket,clone,clone3,openat -o trace "$doppel" run patrol --bind sim --clock sim --quiet --duration 1 >log 2>&1
    ! grep -E 'socket\(|libzstd|libwebsockets|/(mcap|foxglove|standard|ros2)\.so|libddsc' trace || fail "a run that nobody looks at"
}
whole
cut_off
full
taken
killed
alone
