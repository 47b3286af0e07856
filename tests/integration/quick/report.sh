#!/usr/bin/env bash
# Runs that did not come to their end are reported as far as they came, and refuse no other; a chart is never empty; a failed
# run's summary says what ran, for how long, and why it failed.
source "$(dirname "$0")/../lib.sh"
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
drive_with_trouble "$work/drive.xml" "<property name=\"ApiName\">mock</property>"
report() { # CODE ARGS...: output in $out, errors in $err
    local code=$1 got
    shift
    "$doppel" report "$@" >"$work/out.log" 2>"$work/err.log"
    got=$?
    out=$(<"$work/out.log")
    err=$(<"$work/err.log")
    [ $got -eq "$code" ] || fail "exit $got, expected $code: report $* ($err)"
}
says() { # TEXT PATTERN
    grep -qE -- "$2" <<<"$1" || fail "no '$2' in: $1"
}

"$doppel" run "$work/drive.xml" --clock sim --quiet --duration 2 --out "$work/whole" >"$work/whole.log" 2>&1 || fail "a whole run"
"$doppel" run "$work/drive.xml" --clock sim --quiet --duration 4 --out "$work/ended" --set Trouble.What=end_process --set Trouble.At=1.5 \
    >"$work/ended.log" 2>&1
[ $? -eq 3 ] || fail "a component ended the process"
grep -q "error: error:" "$work/ended.log" && fail "an error twice: $(<"$work/ended.log")"
[ ! -e "$work/ended/trace.csv" ] || fail "it did not end, and its trace has its final name"
python3 - "$work/ended/summary.json" <<'PY' || fail "the summary of a run that a component ended"
import json, sys
s = json.load(open(sys.argv[1]))
assert s["application"] == "Drive" and s["exit"] == 3, s
assert 1.4 < s["duration_s"] < 1.6 and s["faults"] >= 1, s
assert s["error"].startswith("Trouble in execute has ended the process"), s
PY
# in the middle of real time, and killed: no summary at all
"$doppel" run "$work/drive.xml" --quiet --duration 4 --out "$work/crashed" --set Trouble.What=end_process --set Trouble.At=1 \
    >"$work/crashed.log" 2>&1
start killed "$doppel" run "$work/drive.xml" --quiet --out "$work/killed"
until_true 10 grep -q "^0.5" "$work/killed/trace.csv.part" || fail "a run on the real clock"
kill -9 "$last"
wait "$last" 2>/dev/null
[ ! -e "$work/killed/summary.json" ] || fail "who is killed writes nothing"

# one row a run, and what is wrong with it
report 0 --table "$work/whole" "$work/ended" "$work/crashed" "$work/killed"
says "$out" "^\\| whole \\|"
for name in ended crashed killed; do
    says "$out" "^\\| $name \\(cut short\\) \\|"
    says "$err" "report: $work/$name: the run did not end properly(: Trouble in execute has ended the process.*)?; shown are the [1-9][0-9]* complete rows of trace.csv.part"
done
rows=$(sed -n "s/.*ended: the run .* the \([0-9]*\) complete rows.*/\1/p" <<<"$err")
[ "$rows" -ge 29 ] || fail "of 1.5 s in steps of 50 ms there are $rows rows"
# one that cannot be read at all is told; the others are there
report 1 --table "$work/nothing" "$work/whole"
says "$out" "^\\| whole \\|"
says "$err" "nothing.*summary.json"

# a run without a Synchronizer: the robot's way, and nothing empty
report 0 "$work/whole" --chart "$work/way.svg"
says "$(<"$work/way.svg")" "x, m"
says "$(<"$work/way.svg")" "<polyline"
report 0 "$work/whole" "$work/killed" --chart "$work/ways.svg"
says "$(<"$work/ways.svg")" ">killed<"
"$doppel" run hexafloat --bind sim --clock sim --quiet --duration 0.2 --out "$work/machine" >"$work/machine.log" 2>&1
[ -s "$work/machine/trace.csv" ] || fail "a machine has a trace"
report 1 "$work/machine" --chart "$work/none.svg"
says "$err" "there is nothing to draw"
[ ! -e "$work/none.svg" ] || fail "an empty picture"

# no output is a result that is read, or another output
report 2 "$work/whole" --chart "$work/whole/trace.csv"
says "$err" "would overwrite the run"
report 2 "$work/whole" --chart "$work/both" --output "$work/both"
[ ! -e "$work/both" ] && [ -s "$work/whole/trace.csv" ] || fail "a refused report has written"

# without an option, the page goes into the folder of the run; several runs need to be told what
report 0 "$work/whole"
says "$err" "page: $work/whole/report.html"
says "$(<"$work/whole/report.html")" "<title>Drive: whole</title>"
grep -q "The user ended this run" "$work/whole/report.html" && fail "nobody ended the whole run"
report 2 "$work/whole" "$work/ended"
says "$err" "several runs: expected --chart FILE or --table"
report 1 "$work/nothing"

# ended by Ctrl-C: summary and page say so
start interrupted "$doppel" run "$work/drive.xml" --quiet --duration 60 --out "$work/interrupted"
until_true 10 grep -q "^0.5" "$work/interrupted/trace.csv.part" || fail "a run on the real clock"
kill -INT "$last"
wait "$last" || fail "an interrupted run: exit code $?"
says "$(<"$work/interrupted.log")" "interrupted after .* s of 60"
says "$(<"$work/interrupted/summary.json")" '"interrupted": true'
report 0 "$work/interrupted"
says "$(<"$work/interrupted/report.html")" "The user ended this run before its end"

# titles name the application and the runs
report 0 "$work/whole" --output "$work/page.html" --compare "$work/ended" --compare "slow=$work/killed"
says "$(<"$work/page.html")" "<title>Drive: whole, ended, slow</title>|<title>whole \\(Drive\\), ended \\(Drive\\), slow</title>"
says "$(<"$work/page.html")" "<h2>ended, slow</h2>"
says "$(<"$work/page.html")" "slow: the run did not end properly"

# refused before it begins: the summary says of what, and why
"$doppel" run "$work/drive.xml" --clock sim --quiet --out "$work/refused" --set WheelController.ApiName=none >"$work/refused.log" 2>&1
[ $? -eq 1 ] || fail "an unknown driver"
python3 - "$work/refused/summary.json" <<'PY' || fail "the summary of a run that never began"
import json, sys
s = json.load(open(sys.argv[1]))
assert "drive" in s["application"] and s["exit"] == 1 and s["duration_s"] == 0 and s["faults"] >= 1, s
assert "none" in s["error"] and not s["error"].startswith("error"), s
PY
echo "what there is of a run is reported"
