#!/usr/bin/env bash
# `doppel play` shows a recording on the wire as if it ran now: all its messages come, at the rate that is asked for; viewers pause and seek it, and
# it says what it does. A recording that is none, or is cut off, is told.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
counts() { "$doppel" bag info "$1" --json | python3 -S -c 'import json, sys; print(*sorted((t["topic"], t["messages"]) for t in json.load(sys.stdin)["topics"] if t["messages"] and t["topic"] != "/run/state"), sep="\n")'; }
state() { "$doppel" topic echo /run/state --once --json | python3 -S -c 'import json, sys; s = json.load(sys.stdin); s = s.get("message", s); print(*(s[k] for k in sys.argv[1:]))' "$@"; }
ask() { "$doppel" service call "$@" >answer 2>&1; }
"$doppel" run patrol --bind sim --clock sim --quiet --duration 3 --record run.mcap >log 2>&1 || fail "the run: $(<log)"
start play "$doppel" play run.mcap --view 0 --rate 1.5
play=$last
until_true 10 grep -q "topics; it begins when a viewer listens" play.log || fail "it does not play"
"$doppel" ps | piped " run.mcap " || fail "ps: $("$doppel" ps)"
[ "$(state state clock rate)" = "paused recording 1.5" ] || fail "before a viewer listens: $(state state clock rate)"
"$doppel" record --output again.mcap --for 4 >log 2>&1 || fail "record: $(<log)"
diff <(counts run.mcap) <(counts again.mcap) >difference || fail "other messages: $(head -n 5 difference)"
[ "$(state state)" = ended ] || fail "its end: $(state state)"
ask /run/seek '{"time_s": 1}' && ask /run/pause || fail "seek and pause: $(<answer)"
read -r now < <(state time_s)
[ "$(state state)" = paused ] && [ "$(state time_s)" = "$now" ] || fail "it goes on"
python3 -S -c "import sys; sys.exit(not 1 <= $now <= 3)" || fail "at $now s"
"$doppel" topic echo /scene --once >scene || fail "what holds since the beginning is not told to who joins late"
ask /run/rate '{"rate": 0}' && fail "no rate"
grep -q 'the request is {"rate": from 0.001 to 1000}' answer || fail "not told: $(<answer)"
ask /run/seek '{"to": 1}' && fail "seek to nothing"
"$doppel" service list >services && grep -qx '/run/seek  *{"time_s": number}' services && grep -qx '/run/pause  *{}' services || fail "requests: $(<services)"
ask /run/loop '{"on": true}' && ask /run/rate '{"rate": 100}' && ask /run/resume && [ "$(state state rate loop)" = "running 100 True" ] || fail "loop: $(<answer)"
"$doppel" topic hz /tf --for 1 >hz 2>&1 || fail "nothing comes in a loop: $(<hz)"
ask /run/stop && fail "a recording has no robot to stop"
kill -INT "$play" && wait "$play" || fail "it ended with $?"
cat >terminal.py <<'PY'
import os, pty, subprocess, sys
leader, terminal = pty.openpty()
with subprocess.Popen(sys.argv[1:], stderr=terminal, stdout=terminal, env={**os.environ, "TERM": "xterm"}) as child:
    said = b""
    while not any(word in said for word in (b"it begins when", b"view: http")):
        said += os.read(leader, 4096)
    child.terminate()
assert b" 0 %" in said and b"reading the recording" in said, said
PY
for verb in "play --view 0" view; do
    python3 terminal.py "$doppel" $verb run.mcap || fail "$verb shows no row while it reads"
done
grep -q reading play.log && fail "a row in a pipe"
head -c $(($(stat -c %s run.mcap) / 2)) run.mcap >half.mcap
start half "$doppel" play half.mcap --view 0 --start 0.25
until_true 10 grep -q "half.mcap: warning: it is cut off" half.log || fail "not told that it is cut off"
[ "$(state time_s)" = 0.25 ] || fail "its start: $(state time_s)"
"$doppel" play run.mcap --start 9 >log 2>&1
[ $? -eq 1 ] && grep -q "run.mcap: error: --start 9: it is from 0.000 s to 3.0" log || fail "a start behind its end: $(<log)"
"$doppel" play log >error 2>&1
[ $? -eq 1 ] && grep -q "log: error: it does not begin as an MCAP file does" error || fail "no recording: $(<error)"
start log "$doppel" emulate urg --pty "$work/urg" --log half.mcap
until_true 10 grep -q "half.mcap: warning: it is cut off" log.log || fail "the emulator does not tell that its log is cut off: $(<log.log)"
