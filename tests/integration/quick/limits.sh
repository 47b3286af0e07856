#!/usr/bin/env bash
# Few descriptors or little memory: a program that cannot go on says what it lacks and ends with an exit code of its own.
# No signal ends it: an abort of a library would take the run's devices with it.
source "$(dirname "$0")/../lib.sh"
if nm "$doppel" 2>/dev/null | grep __asan_init >/dev/null; then
    skip "a sanitizer needs files of its own, and more memory than any such limit"
fi
commands=(
    "run patrol --bind sim --clock sim --duration 0.5 --quiet"
    "run patrol --bind sim --clock real --duration 0.2 --quiet --out $work/out"
    "run patrol --bind sim --clock real --duration 0.2 --quiet --set WheelController.ip=127.0.0.1 --set LaserScanner.ip=127.0.0.1"
    "run hexafloat --bind sim --clock sim --duration 0.1 --quiet"
    "sim office --duration 0.2 --port 0"
    "bench race/left_turn --out $work/bench"
    "emulate urg --tcp 0"
    "check --resolve --bind sim patrol"
    "list"
    "report --table $work/whole"
)
"$doppel" run patrol --bind sim --clock sim --duration 0.5 --quiet --out "$work/whole" 2>/dev/null || fail "a run without limits"
n_refused=0
try() { # ULIMIT-OPTION VALUE: every command under the limit
    local command got
    for command in "${commands[@]}"; do
        (ulimit "$1" "$2" && ulimit -c 0 && timeout 1 "$doppel" $command >"$work/limit.log" 2>&1)
        got=$?
        [ $got -eq 124 ] && continue # an emulator that serves
        [ $got -eq 127 ] && continue # the loader had no room, and said so
        [ $got -lt 126 ] || fail "exit $got with ulimit $1 $2: doppel $command"
        [ $got -eq 0 ] || [ -s "$work/limit.log" ] || fail "exit $got without a word with ulimit $1 $2: doppel $command"
        [ $got -eq 0 ] || n_refused=$((n_refused + 1))
    done
}
for n in 4 6 8 12 16 24; do
    try -n $n
done
for kib in 16000 20000 25000 30000 40000; do
    try -v $kib
done
[ $n_refused -gt 20 ] || fail "only $n_refused refusals: the limits do not bite"
text=$(ulimit -n 16 && "$doppel" run patrol --bind sim --duration 0.2 --quiet --set WheelController.ip=127.0.0.1 2>&1)
grep -q "more files must be open, and there is room for .*ulimit -n" <<<"$text" || fail "what is lacking is not told: $text"
echo "$n_refused commands under limits were refused in words, none was ended by a signal"
