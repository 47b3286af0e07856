#!/usr/bin/env bash
# Runs that did not come to their end are reported as far as they came, and refuse no other. One was ended by a component on the simulated clock, one on
# the real clock, one was killed.
source "$(dirname "$0")/../lib.sh"
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
drive_with_trouble "$work/drive.xml" "<property name=\"ApiName\">mock</property>"
drive() { # NAME ARGUMENT...
    "$doppel" run "$work/drive.xml" --quiet --out "$work/$1" "${@:2}" >"$work/$1.log" 2>&1
}
drive whole --clock sim --duration 2 || fail "a whole run"
drive ended --clock sim --duration 4 --set Trouble.What=end_process --set Trouble.At=1.5
[ $? -eq 3 ] || fail "a component ended the process"
grep -q "error: error:" "$work/ended.log" && fail "an error twice: $(<"$work/ended.log")"
python3 - "$work/ended/summary.json" <<'PY' || fail "the summary of a run that a component ended"
import json, sys
s = json.load(open(sys.argv[1]))
assert s["application"] == "Drive" and s["exit"] == 3, s
assert 1.4 < s["duration_s"] < 1.6 and s["faults"] >= 1, s
assert s["error"].startswith("Trouble in execute has ended the process"), s
PY
drive crashed --duration 4 --set Trouble.What=end_process --set Trouble.At=1
start killed "$doppel" run "$work/drive.xml" --quiet --out "$work/killed"
until_true 10 grep -qE "^(0\.[5-9]|[1-9])" "$work/killed/trace.csv.part" || fail "a run on the real clock"
kill -9 "$last"
wait "$last" 2>/dev/null
[ ! -e "$work/killed/summary.json" ] || fail "who is killed writes nothing"
[ ! -e "$work/ended/trace.csv" ] && [ ! -e "$work/killed/trace.csv" ] || fail "a run did not end, and its trace has its final name"

cd "$work" || exit 1
"$doppel" report --table whole ended crashed killed >table.log 2>said.log || fail "a table of all"
grep -q "^| whole |" table.log || fail "the whole run"
for name in ended crashed killed; do
    grep -q "^| $name (cut short) |" table.log || fail "$name has no row"
    grep -qE "report: $name: the run did not end properly(: Trouble in execute has ended the process.*)?; shown are the [1-9][0-9]* complete rows of trace.csv.part" \
        said.log || fail "what is wrong with $name is not told"
done
rows=$(sed -n "s/.*ended: the run .* the \([0-9]*\) complete rows.*/\1/p" said.log)
[ "$rows" -ge 29 ] || fail "of 1.5 s in steps of 50 ms there are $rows rows"
"$doppel" report whole --output page.html --compare ended --compare slow=killed 2>said.log || fail "a page of three runs"
for text in "<title>Drive: whole, ended, slow</title>|<title>whole \\(Drive\\), ended \\(Drive\\), slow</title>" "<h2>ended, slow</h2>" "slow: the run did not end properly"; do
    grep -qE "$text" page.html || fail "the page lacks: $text"
done
"$doppel" report whole killed --chart ways.svg 2>said.log || fail "a chart of two runs"
grep -q ">killed<" ways.svg || fail "the chart lacks the run that was killed"
