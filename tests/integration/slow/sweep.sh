#!/usr/bin/env bash
# doppel sweep: the table of a study is the same for one process and two, in another order, in chunks and after kill -9; runs that crash are rows; what was
# changed since is not mixed in; a run that is repeated is the run.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
cat >study.xml <<'XML'
<study>
  <name>small</name>
  <application file="patrol.xml" duration="0.5 s"><bind name="sim"/></application>
  <design type="lhs" runs="24" seed="7" replicates="2"/>
  <vary property="WheelController.WheelDiameter" from="69" to="71" unit="mm"/>
  <vary world="avatar.wheel_scale_left" kind="normal" mean="1" sigma="0.01"/>
  <measure name="contacts" value="world.contacts"/>
  <measure name="way" value="WheelController.distance_m" unit="m"/>
  <accept when="contacts == 0" rate="0.9"/>
  <accept measure="way" quantile="0.5" max="1"/>
</study>
XML
sweep() { "$doppel" sweep "$@" >>sweep.log 2>&1; }
table() { # without what depends on the machine's speed, and without texts of crashes
    "$doppel" sweep collect small.db --csv - 2>>sweep.log | python3 -S -c '
import csv, sys
rows = list(csv.reader(sys.stdin))
kept = [i for i, name in enumerate(rows[0]) if not name.endswith("_wall")]
print("\n".join(",".join(row[i] for i in kept) for row in rows))'
}
same() { # as the first table
    table >now.csv
    cmp -s first.csv now.csv || fail "$1: $(diff first.csv now.csv | head -4)"
    rm -rf small.db.runs
}
sweep plan study.xml -o small.db || fail "plan"
"$doppel" sweep report small.db >said 2>&1
[ $? = 4 ] && grep -q '^open: no run has a number for it yet: contacts == 0$' said || fail "a report before the first run: $(<said)"
sweep run small.db -j 1 --quiet || fail "run"
table >first.csv
[ "$(grep -c ',done,' first.csv)" = 48 ] || fail "not all runs are done"
"$doppel" sweep report small.db -o page.html >said 2>&1 || fail "report: $(<said)"
grep -q '^accepted: 48 of 48 runs: contacts == 0; rate 1.0000, 95 % sure that it is from 0.92' said || fail "acceptance: $(<said)"
python3 -S -c 'import xml.dom.minidom as m; m.parse("page.html")' || fail "the page is no XML"
grep -q "doppel sweep rerun small.db" page.html || fail "no command repeats a run"
rm -rf small.db.runs
sweep run small.db -j 2 --shuffle --quiet || fail "run"
same "two processes, shuffled"
for k in 3 1 2; do sweep run small.db -j 1 --chunk $k/3 --quiet || fail "chunk $k"; done
same "chunks"
kills=0
until [ "$kills" = 20 ]; do # each after another line or so
    before=$(cat small.db.runs/*.lines 2>/dev/null | wc -l)
    start run "$doppel" sweep run small.db -j 1 --quiet
    until [ "$(cat small.db.runs/*.lines 2>/dev/null | wc -l)" -gt "$before" ] || ! kill -0 "$last" 2>/dev/null; do sleep 0.01; done
    kill -9 "$last" 2>/dev/null
    wait "$last" 2>/dev/null
    kills=$((kills + 1))
done
sweep run small.db --quiet || fail "run"
same "20 kill -9"
# the run is the run
sweep run small.db --quiet || fail "run"
"$doppel" sweep rerun small.db 5 --out again >said 2>&1 || fail "rerun: $(<said)"
way=$(python3 -S -c 'import json; print(repr(json.load(open("again/summary.json"))["WheelController.distance_m"]))')
table | sed -n 6p | grep -q ",$way," || fail "run 5 drove $way, not: $(table | sed -n 6p)"
# what was changed is told, and not mixed in
sed -i 's/0.5 s/0.55 s/' study.xml
sweep plan study.xml -o small.db || fail "plan"
"$doppel" sweep status small.db | grep -q "^stale *48" || fail "results of another plan count: $("$doppel" sweep status small.db)"
"$doppel" sweep report small.db >said
[ $? = 4 ] || fail "a study without results is accepted"
# a world alone
cat >world.xml <<'XML'
<study><name>world</name>
  <world file="office.xml" duration="20 ms"/>
  <design type="grid"/>
  <vary world="avatar.wheel_scale_left" from="0.9" to="1.1" levels="3"/>
  <measure name="x" value="avatar/pose[0]"/>
</study>
XML
sweep plan world.xml -o small.db || fail "world"
rm -rf small.db.runs
sweep run small.db --quiet || fail "world"
"$doppel" sweep collect small.db --csv - | grep -q "^3,2,0,.*,1.1,done," || fail "world: $("$doppel" sweep collect small.db --csv -)"
# a run that a condition ends, measures over time; the run that is repeated goes as far
sed -e 's/0.55 s"/20 s" every="50 ms"/' -e 's/runs="24"/runs="1"/' -e 's/replicates="2"//' \
    -e 's|<accept when.*|<measure name="mean" value="WheelController.distance_m" reduce="mean" after="0.2 s"/><stop when="way \&gt; 0.05"/>|' -e '/<accept measure/d' study.xml >stopped.xml
sweep plan stopped.xml -o small.db || fail "stopped"
rm -rf small.db.runs again
sweep run small.db --quiet || fail "stopped"
"$doppel" sweep collect small.db --csv stopped.csv >>sweep.log 2>&1 && "$doppel" sweep rerun small.db 1 --out again >>sweep.log 2>&1 || fail "stopped"
python3 -S -c '
import csv, json
row, again = next(csv.DictReader(open("stopped.csv"))), json.load(open("again/summary.json"))
assert row["verdict"] == "stopped" and row["text"] == "way > 0.05" and float(row["duration_s"]) < 10, row
assert 0.05 < float(row["way"]) < 0.07 and 0 < float(row["mean"]) < float(row["way"]), row
assert float(row["way"]) == again["WheelController.distance_m"], (row, again["WheelController.distance_m"])' || fail "a run that is stopped"
