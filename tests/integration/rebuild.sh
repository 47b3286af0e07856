#!/usr/bin/env bash
# Determinism over builds: rebuild.sh BUILD OTHER compares simulated runs of two build folders, byte for byte, whatever
# their optimization and whether assertions are in. Called by tools/test, as it needs a second build.
source "$(dirname "$0")/lib.sh"
again=$(cd "${2:?second build folder}" && pwd)
for run in "patrol sim" "patrol twin" "sync_experiment bullet_twin" "hexafloat sim"; do
    read -r app binding <<<"$run"
    for of in build again; do
        "${!of}/doppel" run "$app" --bind $binding --clock sim --quiet --duration 20 --seed 7 --out "$work/$of-$app-$binding" \
            >"$work/run.log" 2>&1 || fail "run --bind $binding with ${!of}"
    done
    for file in trace.csv scans.csv; do
        [ -f "$work/again-$app-$binding/$file" ] || continue
        cmp "$work/build-$app-$binding/$file" "$work/again-$app-$binding/$file" || fail "$app --bind $binding: another $file from $again"
    done
    [ "$(wc -l <"$work/again-$app-$binding/trace.csv")" -gt 300 ] || fail "$app --bind $binding: the trace is too short to tell"
done
echo "the same traces, byte for byte"
