#!/usr/bin/env bash
# Channels of the worlds of a run are topics: their values at their stamps are those of trace.csv, live and recorded. Of several worlds of a run the
# one of the application has its paths, another one its name before them.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
viewed() { # ARGUMENTS...: starts a run with viewers, and waits for it
    start run "$doppel" "$@" --quiet --view 0
    until_true 10 grep -q "^view: ws:" run.log || fail "no address: $(<run.log)"
}
viewed run race/chicane --clock sim --rate 2 --out car
"$doppel" topic info /world/car/x >info.txt || fail "no topic of the channel"
grep -q "\[m\] of its frame" info.txt || fail "no unit: $(<info.txt)"
for heading in "/Bench.Car/values heading  \[deg\] " "/world/car/heading value  \[rad\] "; do
    "$doppel" topic info "${heading%% *}" >info.txt && grep -q " ${heading#* }" info.txt || fail "no unit of the heading: $(<info.txt)"
done
"$doppel" topic echo /world/car/start --json --once >start.json || fail "a constant does not come to who joins late"
"$doppel" topic echo /world/car/x --json --count 50 >seen.json || fail "no values"
kill -INT "$last" && wait "$last" || fail "the run: $(<run.log)"
python3 -S - <<'PY' || fail "the channels are not what the trace has"
import csv, json
rows = {round(float(row["t"]) * 1e6): float(row["Bench.Car.x"]) for row in csv.DictReader(open("car/trace.csv"))}
seen = [json.loads(line) for line in open("seen.json")]
assert len(seen) == 50 and len({one["message"]["value"] for one in seen}) > 10, seen[:2]
for one in seen:
    assert one["message"]["value"] == rows[round(one["time_s"] * 1e6)], one
PY
"$doppel" run patrol --bind twin --clock sim --quiet --duration 3 --record twin.mcap >log 2>&1 || fail "$(<log)"
"$doppel" bag info twin.mcap >info.txt || fail "the recording"
for topic in /world/avatar/x /world/office_truth/robot/x /world/avatar/laser/ranges; do
    grep -q "^ *[1-9][0-9]* .* $topic " info.txt || fail "no $topic: $(grep world info.txt)"
done
