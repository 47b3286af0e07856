#!/usr/bin/env bash
# The status row on a terminal, looked at by a terminal emulator (pyte): one row, cut to the width, under the log, with a share that
# grows and figures that do not move; gone at the end. In a pipe there is no control byte.
source "$(dirname "$0")/../lib.sh"
python=
for candidate in python3 /usr/bin/python3; do # the package is Debian's: it belongs to Debian's Python
    "$candidate" -c 'import pyte' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip "python3-pyte is not installed"
cd "$work" || exit 1
shows() { # COLUMNS CHECK COMMAND...
    "$python" "$source_dir/tests/integration/slow/status_row.py" "$@" >"$work/said" 2>&1 || fail "${*:3}: $(<"$work/said")"
}

# ---- run: the end is known; log lines come while the row is there
for columns in 80 40; do
    shows "$columns" row "$doppel" run patrol --bind twin --clock sim --rate 4 --duration 12 --log-level debug --out run
done
shows 80 resize "$doppel" run patrol --bind twin --clock sim --rate 4 --duration 12
shows 80 none "$doppel" run patrol --bind sim --clock sim --duration 5 --quiet
TERM=dumb "$doppel" run patrol --bind twin --clock sim --duration 12 >dumb.log 2>&1

# ---- the last three lines, and the first: a sound run begins without a warning
"$doppel" run patrol --bind twin --clock sim --duration 12 --out run >pipe.log 2>&1 || fail "the run"
grep -q "warn" pipe.log && fail "a sound run warns"
tail -n 3 pipe.log >end
grep -Eqx "ran 12.0 s: drove [0-9.]+ m, no contacts, robot and avatar [0-9]+ mm apart RMS, at most [0-9]+ mm \(true distance\)" <(sed -n 1p end) ||
    fail "what happened: $(sed -n 1p end)"
[ "$(sed -n 2p end)" = "results: run/summary.json, run/trace.csv" ] || fail "where the results are: $(sed -n 2p end)"
[ "$(sed -n 3p end)" = "next: doppel report run" ] || fail "what is next: $(sed -n 3p end)"
$doppel report run >/dev/null 2>&1 || fail "the next command"

# ---- other commands
keep="next: with --out DIR the results are kept, and .doppel report DIR. makes a page of them"
shows 80 "brief=ran 300.0 s of the world 'office'\nresults: world/channels.csv, world/summary.json\nnext: doppel report world" "$doppel" sim office.xml --run 300 --out world
mapfile -t many < <(find "$profiles/worlds" "$profiles/apps" "$profiles/bindings" -maxdepth 1 -name '*.xml')
shows 40 brief "$doppel" check --quiet "${many[@]}" "${many[@]}"
shows 40 brief "$doppel" report --charts charts run
shows 40 "brief=runs as expected.*\n$keep" "$doppel" bench race/chicane --repeat 6 --jobs 1
"$doppel" run patrol --bind twin --clock sim --duration 30 --seed 3 --quiet --out long 2>/dev/null
shows 40 "brief=median.*\nresults: map.xml\nnext: doppel check map.xml" "$doppel" map long --output map.xml
shows 40 "brief=skipped\nresults: plan/summary.json, plan/junit.xml\nnext: doppel report plan" "$doppel" test elevator --out plan

# ---- no control byte without a terminal
"$doppel" check --quiet "${many[@]}" >>pipe.log 2>&1
"$doppel" report --charts charts run >>pipe.log 2>&1
"$doppel" sim office.xml --run 60 --out world >>pipe.log 2>&1
"$doppel" map long --output map.xml >>pipe.log 2>&1
cat dumb.log >>pipe.log
[ "$(tr -d '\n\t' <pipe.log | LC_ALL=C grep -c '[[:cntrl:]]')" = 0 ] || fail "control characters in a pipe: $(LC_ALL=C grep '[[:cntrl:]]' pipe.log | cat -v | head -n 3)"
