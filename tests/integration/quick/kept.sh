#!/usr/bin/env bash
# What a person keeps of a run: the last time as a recording, the run as a bench that repeats it with what was put by hand. What cannot be is said.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
ask() { "$doppel" service call --run "$run" "$@" >said.txt 2>&1; }
refused() { # WORDS REQUEST...
    words=$1
    shift
    ! ask "$@" && grep -qF "$words" said.txt || fail "$*: $(<said.txt)"
}
start kept "$doppel" run patrol --bind sim --clock sim --seed 3 --rate 20 --quiet --out kept --view 0
kept=$last run=$last
until_true 20 ask /run/save '{"seconds":1,"name":"first"}' || fail "not saved: $(<said.txt)"
refused "there is such a file" /run/save '{"name":"first.mcap"}'
refused "name: found '../x'" /run/save '{"name":"../x"}'
refused "seconds: a number above 0, 60 at most" /run/save '{"seconds":61}'
refused "pause it first" /run/bench '{}'
ask /run/pause '{}'
ask /world/put '{"channel":"avatar/place","value":[-7.09,-2.75,0]}' || fail "not put: $(<said.txt)"
"$doppel" param set --run "$run" WheelController.SafeRadius 0.31 >/dev/null || fail "not set"
ask /run/run_for '{"seconds":3}'
ask /run/save '{"seconds":2,"name":"two"}' && grep -q "to_s" said.txt || fail "not saved: $(<said.txt)"
ask /run/bench '{"name":"mine"}' || fail "no bench: $(<said.txt)"
ask /component/stop '{"component":"ScanRecorder"}' || fail "not stopped: $(<said.txt)"
refused "a bench cannot repeat what was asked for by hand at" /run/bench '{}'
kill -INT "$kept" && wait "$kept" || fail "the run ended with $?"
"$doppel" bag info kept/two.mcap | piped "messages in 2.0" || fail "the last 2 s: $("$doppel" bag info kept/two.mcap | head -1)"
"$doppel" bag info kept/two.mcap | piped " 1 .* /scene " || fail "what holds is not in it"
[ "$(grep -c '_at at=' kept/mine.xml)" = 2 ] || fail "what was put: $(<kept/mine.xml)"
"$doppel" check --quiet kept/mine.xml || fail "the bench is wrong"
"$doppel" bench kept/mine.xml >bench.txt 2>&1 && grep -q "^ok   mine: repeated: all" bench.txt || fail "not repeated: $(tail -n 3 bench.txt)"
[ -z "$(compgen -G "${TMPDIR:-/tmp}/doppel-bench.*")" ] || fail "a folder is left"
grep -v '<put_at' kept/mine.xml >other.xml
"$doppel" bench other.xml --quiet >bench.txt 2>/dev/null
[ $? -eq 4 ] && grep -q "FAIL other: differs: " bench.txt || fail "without what was put it is the same: $(<bench.txt)"
sed 's/<bind>/<bimd>/; s/bind>/bimd>/' kept/mine.xml >wrong.xml
! "$doppel" check wrong.xml 2>wrong.txt >&2 && grep -q "wrong.xml:3:3: error: unknown element <bimd> in <bench>; did you mean 'bind'?" wrong.txt || fail "a wrong element: $(<wrong.txt)"
start loose "$doppel" run patrol --bind sim --clock sim --rate 20 --quiet --view 0
loose=$last run=$last
until_true 20 ask /run/pause '{}' || fail "no second run"
refused "start it with --out" /run/save '{}'
kill -INT "$loose" && wait "$loose" || fail "the second run ended with $?"
