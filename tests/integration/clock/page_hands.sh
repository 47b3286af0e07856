#!/usr/bin/env bash
# Hands on a run, in a real browser: a person drives a robot by keys, lets go, looks away, loses the network, and his browser is killed; who may only
# look may not. Without Chromium or npm this test is skipped.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
command -v chromium >/dev/null || skip "Chromium is not installed (tools/install-deps)"
command -v npm >/dev/null || skip "npm is not installed"
cp -r "$source_dir"/clients/page/{tests,package.json,package-lock.json} .
timeout 180 npm ci --silent --ignore-scripts >npm.txt 2>&1 || skip "npm does not give the packages of clients/page/package-lock.json: $(tail -n 1 npm.txt)"

address() { until_true 20 grep -q "^view: http" "$1.log" || fail "$1: no address"; sed -n 's/^view: \(http.*\)/\1/p' "$1.log"; }
hands() { timeout 400 node tests/hands.mjs "$@" >hands.log 2>&1 || fail "$1: $(tail -n 20 hands.log)"; }

# at a fifth of real time, so that a slow browser is not too slow for it
start run "$doppel" run teleop --bind teleop/sim --clock sim --rate 0.2 --quiet --set Teleop.ApiName=mock --set Teleop.Acceleration=5 --out run --view 0
run=$last
hands drive "$(address run)" moments.json "$work"
kill -INT "$run" && wait "$run" || fail "the run ended with $?"
# who lets go stops it at once; of who falls silent no velocity counts longer than 0.5 s of the run's time. 0.2 s: cycles of 50 ms, and how old the time
# is that a page knows. What the network has held back ends with the word that the switch is open
python3 - <<'CHECK' || fail "a robot that nobody drives goes on"
import csv, json
rows = [(float(r["t"]), float(r["Teleop.v"])) for r in csv.DictReader(open("run/trace.csv"))]
moments = json.load(open("moments.json"))
assert [m["name"] for m in moments if m["moves"]] == ["stall", "killed"], moments
for moment in moments:
    time, until = moment["time"], moment.get("until", 1e9)
    stood = next(t for t, v in rows if t > time and v == 0.0) - time
    late = [t for t, v in rows if time + 0.7 < t < until and v != 0.0]
    assert moment["moves"] or stood <= 0.2, (moment, stood)
    assert not moment["moves"] or (0.3 < stood <= 0.7 and len(late) <= (4 if "until" in moment else 0)), (moment, stood, late)
CHECK
start look "$doppel" run teleop --bind teleop/sim --quiet --set Teleop.ApiName=mock --view 0
hands look "$(address look)"
kill -INT "$last" && wait "$last" || fail "the run ended with $?"
