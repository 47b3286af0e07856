#!/usr/bin/env bash
# A recording serves wherever the folder of its run does: the same trace, scans, report and map. A part of it is a recording, too.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
same_files() { # ARGUMENT...: of the run
    rm -rf out made
    "$doppel" run "$@" --clock sim --quiet --log-level error --out out --record run.mcap >log 2>&1 || fail "$*: $(<log)"
    "$doppel" bag convert run.mcap --output made >log 2>&1 || fail "$*: $(<log)"
    cmp out/trace.csv made/trace.csv || fail "$*: another trace"
    [ ! -e out/scans.csv ] || cmp out/scans.csv made/scans.csv || fail "$*: other scans"
    python3 -S - <<'PY' || fail "$*: another summary"
import json
a, b = (json.load(open(f"{name}/summary.json")) for name in ("out", "made"))
for values in (a, b):
    for name in ("wall_s", "cpu_s", "executors"):
        values.pop(name, None)
assert a == b and a["exit"] == 0
PY
}
# The other way: a recording from the folder, from which the same files come again.
same_of_folder() {
    rm -rf again
    "$doppel" bag convert out --output folder.mcap >log 2>&1 || fail "a folder: $(<log)"
    "$doppel" bag convert folder.mcap --output again >log 2>&1 || fail "its recording: $(<log)"
    cmp out/trace.csv again/trace.csv || fail "another trace of the folder"
    [ ! -e out/scans.csv ] || cmp out/scans.csv again/scans.csv || fail "other scans of the folder"
}
# What was killed, what is older than run.json, and what is no folder of a run.
other_folders() {
    mkdir part old none && head -c 30000 out/trace.csv >part/trace.csv.part && cp out/run.json part && cp out/trace.csv old
    "$doppel" bag convert part --output part.mcap && "$doppel" bag convert part.mcap --output part.again || fail "a run that was killed"
    local rows=$(wc -l <part/trace.csv.part)
    cmp part.again/trace.csv <(head -n "$rows" out/trace.csv) || fail "$rows whole rows"
    "$doppel" bag convert old --output old.mcap && "$doppel" bag convert old.mcap --output old.again || fail "without run.json"
    cmp old.again/trace.csv out/trace.csv || fail "another trace without run.json"
    "$doppel" bag info folder.mcap >info
    for topic in /tf /LaserScanner/scan/LaserScan /RobotControl/values; do
        grep -q " $topic " info || fail "no $topic of the folder: $(<info)"
    done
    "$doppel" bag convert none --output none.mcap 2>log
    [ $? -eq 1 ] && grep -q "none: error: it has no trace.csv with rows and no scans.csv" log && [ ! -e none.mcap ] || fail "an empty folder: $(<log)"
    "$doppel" bag convert old --output no/old.mcap 2>log
    [ $? -eq 1 ] && grep -q "cannot write 'no/[a-z]*.mcap': No such file or directory" log || fail "a folder that is not there: $(<log)"
    "$doppel" bag convert old --output /dev/full 2>log
    [ $? -eq 3 ] || fail "a full disk: $(<log)"
}
# figures and page; only the name of the run and the time that the computer needed until then are others
same_report() {
    for of in out run.mcap; do
        "$doppel" report "run=$of" --table --output "$of.page" >"$of.table" 2>log || fail "report of $of: $(<log)"
        sed -i -E "s|>$of</td>|>-</td>|; s|<b>[0-9.]+ s</b><span>processor time||" "$of.page"
    done
    cmp out.table run.mcap.table || fail "another table"
    cmp out.page run.mcap.page || fail "another page"
}
same_map() {
    for of in out run.mcap; do
        "$doppel" map "$of" --output "$of.xml" >"$of.map" 2>log || fail "map of $of: $(<log)"
        sed -i "s/A map of $of/A map/" "$of.xml"
    done
    cmp out.map run.mcap.map && cmp out.xml run.mcap.xml || fail "another map"
}
# what `bag info` says of a recording: messages, and the first and last time
info() { "$doppel" bag info "$1" --json | python3 -S -c 'import json, sys; b = json.load(sys.stdin); print(b["messages"], b["start_s"], b["start_s"] + b["duration_s"], len(b["topics"]), len(b["attachments"]))'; }
parts() {
    "$doppel" bag cut run.mcap --output part.mcap --from 2 --to 4 --topic '/WheelController/odometry' --topic '/RobotControl/*' || fail "cut"
    [ "$(info part.mcap)" = "82 2.0 4.0 2 $(($(info run.mcap | cut -d' ' -f5) - 1))" ] || fail "the part: $(info part.mcap)" # no summary.json
    "$doppel" bag cut run.mcap --output scene.mcap --from 2 --to 2.5 --topic '/scene' || fail "what holds"
    [ "$(info scene.mcap | cut -d' ' -f1-3)" = "1 2.0 2.0" ] || fail "what holds at the beginning: $(info scene.mcap)"
    "$doppel" bag cut run.mcap --output middle.mcap --from 2 --to 4 && "$doppel" report middle.mcap --table >part.table 2>part.log
    grep -q "middle.mcap: the recording has no end of the run" part.log || fail "a part is shown as the whole: $(<part.log)"
    "$doppel" bag cut run.mcap --output whole.mcap || fail "cut nothing"
    [ "$(info whole.mcap)" = "$(info run.mcap)" ] || fail "the whole: $(info whole.mcap)"
    "$doppel" bag convert whole.mcap --output again && cmp again/trace.csv out/trace.csv || fail "its trace"
}
# a topic as a table: what trace.csv has of it, and lists by their paths
tables() {
    local topic=$(python3 -S -c 'import json; r = json.load(open("out/run.json")); print(next(c["topic"] for c in r["columns"] if c["executor"] == r["executor"]))')
    "$doppel" bag convert run.mcap --topic "${topic#/}" --output values.csv && "$doppel" bag convert run.mcap --topic /LaserScanner/scan --output scan.csv || fail "a table"
    python3 -S - "$topic" <<'PY' || fail "another table of $topic: $(head -n 2 values.csv)"
import csv, json, sys
trace, values, scan = (list(csv.DictReader(open(name))) for name in ("out/trace.csv", "values.csv", "scan.csv"))
scans = [line.split(",") for line in open("out/scans.csv").read().splitlines()[1:]]
columns = [c for c in json.load(open("out/run.json"))["columns"] if c["topic"] == sys.argv[1]]
assert len(columns) > 2 and len(trace) == len(values) > 300
for a, b in zip(trace, values):
    assert abs(float(a["t"]) - float(b["t"])) < 1e-6, (a["t"], b["t"])
    assert all(a[c["name"]] == b[c["field"]] for c in columns), a["t"]
rows = {round(float(row["t"]), 6): row for row in scan}
assert len(scans) > 5
for row in scans:
    assert [f"{float(rows[float(row[0])][f'ranges[{i}]']):.3f}" for i in range(600)] == row[9:609], row[0]
PY
    "$doppel" bag convert run.mcap --topic /nix --output nix.csv 2>log
    [ $? -eq 1 ] && grep -q "run.mcap: error: it has no topic '/nix'" log && [ ! -e nix.csv ] || fail "no topic: $(<log)"
}
# of a run that was killed: what is there
cut_off() {
    head -c $(($(stat -c %s run.mcap) / 2)) run.mcap >half.mcap
    "$doppel" report half.mcap --table >half.table 2>half.log || fail "half of it: $(<half.log)"
    grep -q "half.mcap: the recording has no end of the run; shown are the [0-9]* rows of the recording" half.log || fail "not told: $(<half.log)"
    "$doppel" bag convert half.mcap --output half 2>half.log || fail "half of it"
    grep -q "half.mcap: warning: it is cut off" half.log || fail "not told by convert: $(<half.log)"
    local rows=$(wc -l <half/trace.csv)
    [ "$rows" -gt 100 ] && cmp half/trace.csv <(head -n "$rows" out/trace.csv) || fail "$rows rows of another run"
}
# a file or folder that another process writes is left to it; what is damaged is told
refused() {
    exec 8>live.mcap && flock -x 8
    "$doppel" bag cut run.mcap --output live.mcap 2>log && fail "cut into a recording"
    grep -q "live.mcap: it is being recorded" log || fail "not told: $(<log)"
    exec 8>&-
    mkdir live && exec 9<live && flock -x 9
    "$doppel" bag convert run.mcap --output live 2>log && fail "convert into the folder of a run"
    grep -q "another run writes its results there" log || fail "not told: $(<log)"
    exec 9>&-
    cp run.mcap damaged.mcap
    printf x | dd of=damaged.mcap bs=1 seek=$(($(stat -c %s run.mcap) / 2)) conv=notrunc status=none
    "$doppel" bag convert damaged.mcap --output damaged 2>log && grep -q "damaged.mcap: warning: it is damaged" log || fail "convert: $(<log)"
    "$doppel" report damaged.mcap --table >damaged.table 2>log
    grep -q "damaged.mcap: the recording is damaged; shown are the [0-9]* rows" log || fail "report: $(<log)"
    cp run.mcap record.mcap
    printf x | dd of=record.mcap bs=1 seek=$(grep -abo '"application"' run.mcap | head -n 1 | cut -d: -f1) conv=notrunc status=none
    "$doppel" bag convert record.mcap --output record 2>log
    [ $? -eq 1 ] && grep -q "record.mcap: error: run.json: it is damaged" log || fail "a damaged run.json: $(<log)"
    cp run.mcap summary.mcap
    printf x | dd of=summary.mcap bs=1 seek=$(($(grep -abo 'summary.json' run.mcap | head -n 1 | cut -d: -f1) + 80)) conv=notrunc status=none
    "$doppel" bag info summary.mcap | piped -x "file summary.json is damaged" || fail "a damaged summary.json: $("$doppel" bag info summary.mcap)"
    "$doppel" bag convert summary.mcap --output summary 2>log && grep -q "summary.mcap: warning: it is damaged: summary.json in it cannot be read$" log || fail "a damaged summary.json: $(<log)"
    "$doppel" report summary.mcap --table >summary.table 2>log && grep -q "summary.mcap: the recording is damaged: summary.json in it cannot be read; shown are the [0-9]* rows" log || fail "report: $(<log)"
    mkdir mine && echo mine >mine/trace.csv
    "$doppel" bag convert run.mcap --output mine 2>log
    [ $? -eq 1 ] && grep -q "bag convert: --output mine: no run has left the files that are there: a new or empty folder is needed" log && [ "$(<mine/trace.csv)" = mine ] || fail "somebody's file: $(<log)"
    "$doppel" bag cut run.mcap --output late.mcap --from 30 2>log && fail "a cut of nothing"
    grep -q "no message of these topics from 30 s" log || fail "not told: $(<log)"
    "$doppel" bag cut run.mcap --output tf.mcap --topic /tf || fail "cut /tf"
    "$doppel" bag convert tf.mcap --output tf 2>log && fail "a trace without values"
    [ ! -e tf/run.json ] && [ ! -e tf/trace.csv ] || fail "files of a run that is not there"
    "$doppel" bag cut run.mcap --output no/part.mcap 2>log
    [ $? -eq 1 ] && grep -q "cannot write 'no/[a-z]*.mcap': No such file or directory" log || fail "a folder that is not there: $(<log)"
    "$doppel" bag cut run.mcap --output /dev/full 2>log
    [ $? -eq 3 ] || fail "a full disk: $(<log)"
}
same_files race/chicane --duration 5
same_files hexafloat --bind sim --duration 2
same_of_folder
same_files patrol --bind sim --bind twin --duration 20
same_of_folder
other_folders
same_report
same_map
parts
tables
cut_off
refused
