#!/usr/bin/env bash
# A full disk, folders that cannot be written, a process killed while it writes: the cause and the file are told, and no
# half of a file has a final name. A limit of a file's size stands for the disk (a write then fails in the same way).
source "$(dirname "$0")/../lib.sh"
run=(run patrol --bind sim --clock sim --quiet)
limited() { # KIB CODE COMMAND...: the output goes to $text
    local kib=$1 code=$2 got
    shift 2
    text=$(ulimit -f "$kib" && "$doppel" "$@" 2>&1)
    got=$?
    [ $got -eq "$code" ] || fail "exit $got, expected $code: $* ($text)"
}
says() {
    grep -qE -- "$1" <<<"$text" || fail "no '$1' in: $text"
}

# a trace that does not fit: told when it happens and at the end, in the summary too; the old results are gone, and no half is final
"$doppel" "${run[@]}" --duration 2 --out "$work/out" >"$work/run.log" 2>&1 || fail "a first run"
limited 48 3 "${run[@]}" --duration 60 --out "$work/out"
says "error recorder: trace.csv cannot be written from here on: File too large"
says "cannot write '.*/out/trace.csv': File too large"
[ ! -e "$work/out/trace.csv" ] || fail "half a trace has the final name"
[ "$(stat -c %s "$work/out/trace.csv.part")" -eq $((48 * 1024)) ] || fail "what there was of the trace is kept"
grep -qE '"error": ".*(ScanRecorder|trace.csv).*File too large' "$work/out/summary.json" || fail "the summary tells the cause"
grep -q '"exit": 3' "$work/out/summary.json" || fail "the summary tells the exit code"
"$doppel" "${run[@]}" --duration 2 --out "$work/out" >"$work/run.log" 2>&1 || fail "the run after it"
[ -z "$(find "$work/out" -name '*.part')" ] || fail "parts are left: $(ls "$work/out")"

# killed in the middle: its part stays, and nothing takes it for a trace
start killed "$doppel" run patrol --bind sim --clock real --quiet --out "$work/killed"
until [ -s "$work/killed/trace.csv.part" ]; do
    kill -0 "$last" 2>/dev/null || fail "the run ended"
    sleep 0.1
done
kill -9 "$last"
wait "$last" 2>/dev/null
[ ! -e "$work/killed/trace.csv" ] || fail "the trace of a killed run has the final name"

# everything else that is written: an older file stays as it was
echo old >"$work/old.html"
cp "$work/old.html" "$work/old.svg"
limited 1 3 report "$work/out" --output "$work/old.html"
says "cannot write '.*/old.html': File too large"
"$doppel" run sync_experiment --bind bullet_twin --clock sim --quiet --duration 2 --out "$work/twin" >"$work/run.log" 2>&1 || fail "a twin"
limited 1 3 report "$work/twin" --chart "$work/old.svg"
says "cannot write '.*/old.svg': File too large"
cmp -s "$work/old.html" <(echo old) && cmp -s "$work/old.svg" <(echo old) || fail "an older file was overwritten"
limited 1 3 bench race/left_turn --repeat 20 --junit "$work/junit.xml"
says "junit.xml': File too large"
[ ! -e "$work/junit.xml" ] || fail "half a JUnit file"
limited 4 3 bench race/left_turn --out "$work/bench"
says "log.csv': File too large"
for file in log.csv track.svg trace.csv; do
    [ ! -e "$work/bench/$file" ] || fail "half of $file"
done
limited 4 3 schema "$work/schema"
says "cannot write '.*/schema/.*.xsd': File too large"
limited 4 3 sim office --run 5 --out "$work/sim"
says "cannot write '.*/channels.csv': File too large"
[ ! -e "$work/sim/channels.csv" ] || fail "half of channels.csv has the final name"
echo '<world name="odd" odd="1"><ground/></world>' >"$work/odd.xml" # has a warning
for command in list "info RobotControl" "report --table $work/out" "graph patrol --bind sim" "bench race/left_turn" version "check patrol" \
    "check --format gcc $work/odd.xml" "check --format json patrol" "check --format sarif patrol"; do
    text=$("$doppel" $command 2>&1 >/dev/full)
    got=$?
    [ $got -eq 3 ] || fail "$command on a full standard output: exit $got, expected 3"
    says "cannot write to standard output: No space left on device"
    [ "$(grep -c "^doppel" <<<"$text")" -eq 1 ] || fail "$command on a full standard output: not one message: $text"
done
# a page in the folder of the run is announced when it is whole
limited 1 3 report "$work/out"
says "cannot write '.*/out/report.html': File too large"
grep -q "^page: " <<<"$text" && fail "a page that could not be written is announced: $text"
limited unlimited 0 report "$work/out"
says "^page: $work/out/report.html"
# a trace that is a link to a full device is no result
mkdir "$work/linked"
ln -s /dev/full "$work/linked/trace.csv"
limited unlimited 3 "${run[@]}" --duration 2 --out "$work/linked"
says "cannot write '/dev/full': No space left on device"
says "^results: $work/linked/summary.json$"

# a folder in which nothing can be written (root may write in all others) is bad input, whoever is told of it
echo >"$work/file"
for folder in /proc "$work/file" "$work/file/below"; do
    limited unlimited 1 "${run[@]}" --duration 1 --out "$folder"
    says "doppel run: --out $folder: "
    limited unlimited 1 bench race/left_turn --out "$folder"
    says "doppel bench: --out $folder: "
    limited unlimited 1 bench race/left_turn --junit "$folder/junit.xml"
    says "cannot write '$folder/junit.xml'"
    limited unlimited 1 report "$work/out" --output "$folder/page.html"
    says "cannot write '$folder/page.html'"
    limited unlimited 1 report "$work/out" --chart "$folder/chart.svg"
    limited unlimited 1 schema "$folder"
    limited unlimited 1 graph patrol --bind sim --output "$folder/graph.dot"
    limited unlimited 1 graph patrol --bind sim --format svg --output "$folder/graph.svg"
done
echo "nothing half-written has a final name"
