#!/usr/bin/env bash
# What it costs the thread of the executor that a run is observed: instructions a second of the run's time, counted by callgrind, of `patrol` with
# nobody, with a viewer of every topic, with a recording, and of who could be viewed but is not. The start of the run does not count: two durations
# are subtracted. observed_cost.sh BUILD [SHORT LONG]
set -uo pipefail
doppel=$(cd "${1:?build folder}" && pwd)/doppel
short=${2:-10} long=${3:-40}
export DOPPEL_PROFILE_PATH=$(cd "$(dirname "$0")/../.." && pwd)/profiles
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_RUNTIME_DIR=$work
cd "$work" || exit 1
counted() { # NAME DURATION ARGUMENT...: a run under callgrind
    exec valgrind --tool=callgrind --separate-threads=yes --callgrind-out-file="$1" "$doppel" run patrol --bind sim --clock sim --quiet \
        --duration "$2" "${@:3}" >"$1.log" 2>&1
}
watched() { # NAME DURATION: time stands until the viewer is there
    (counted "$1" "$2" --view 0 --rate 0.2) &
    local run=$!
    until grep -q "^view: ws:" "$1.log" 2>/dev/null; do sleep 0.2; done
    until "$doppel" service call /run/pause '{}' >/dev/null 2>&1; do sleep 0.2; done
    "$doppel" record --output "$1.mcap" >/dev/null 2>"$1.viewer" &
    until [ -s "$1.mcap" ]; do sleep 0.2; done
    sleep 1
    "$doppel" service call /run/rate '{"rate": 0}' >/dev/null
    "$doppel" service call /run/resume '{}' >/dev/null
    wait "$run"
}
instructions() { sed -n 's/^totals: //p' "$1-01"; } # of the first thread
alone=0
for how in alone unwatched watched recorded; do
    for duration in "$short" "$long"; do
        case $how in
        alone) (counted "$how$duration" "$duration") ;;
        unwatched) (counted "$how$duration" "$duration" --view 0 --rate 0) ;;
        watched) watched "$how$duration" "$duration" ;;
        recorded) (counted "$how$duration" "$duration" --record "$how.mcap") ;;
        esac
    done
    each=$((($(instructions "$how$long") - $(instructions "$how$short")) / (long - short)))
    [ "$how" = alone ] && alone=$each
    printf '%-10s %10d instructions a second, %+.2f %%\n' "$how" "$each" "$(echo "100 * ($each - $alone) / $alone" | bc -l)"
done
