#!/usr/bin/env bash
# Few descriptors or little memory: a bench is refused as its run is, with the same exit code and the same words.
source "$(dirname "$0")/../lib.sh"
if nm "$doppel" 2>/dev/null | grep __asan_init >/dev/null; then
    skip "a sanitizer needs files of its own, and more memory than any such limit"
fi
alike() { # ULIMIT-OPTION VALUE PROFILE
    local words of_run of_bench
    words=$(ulimit "$1" "$2" && "$doppel" run "$3" --clock sim --quiet --duration 0.5 2>&1)
    of_run=$?
    text=$(ulimit "$1" "$2" && "$doppel" bench "$3" --quiet --duration 0.5 2>&1)
    of_bench=$?
    [ $of_run -eq 1 ] || fail "run $3 with ulimit $1 $2: exit $of_run: $words"
    [ $of_bench -eq 1 ] || fail "bench $3 with ulimit $1 $2: exit $of_bench, expected 1 as of run: $text"
    words=${words##*error: }
    words=${words%%, and there is room for*} # one file more is open: the pipe to the run's process
    [[ $text == *"$words"* ]] || fail "bench $3 with ulimit $1 $2: no '$words' in: $text"
}
for n in 6 8 12; do
    alike -n $n race/left_turn
done
# so little memory that neither finds room: how little that is differs from start to start, as addresses are drawn
refuse_alike() { # PROFILE
    local kib of_run of_bench words
    for kib in $(seq 40000 -250 14000); do
        words=$(ulimit -v "$kib" && "$doppel" run "$1" --clock sim --quiet --duration 0.5 2>&1)
        of_run=$?
        text=$(ulimit -v "$kib" && "$doppel" bench "$1" --quiet --duration 0.5 2>&1)
        of_bench=$?
        [ $of_run -eq 1 ] && [ $of_bench -eq 1 ] && [[ $words == *memory* && $text == *"${words##*error: }"* ]] && return
    done
    fail "no limit makes both refuse $1 with the same words for want of memory; the last: run $of_run: $words; bench $of_bench: $text"
}
refuse_alike race/left_turn
refuse_alike hexafloat/spike
