#!/usr/bin/env bash
# Determinism over builds: rebuild.sh BUILD configures and compiles the sources once more, in another folder, and compares a
# simulated run of both, byte for byte. Called by tools/test, as it needs minutes of compiling.
source "$(dirname "$0")/lib.sh"
again=$work/again
(cd "$source_dir" && meson setup "$again" -Dtests=false && ninja -C "$again") >"$work/build.log" 2>&1 || fail "the second build"
for run in "patrol sim" "patrol twin" "sync_experiment bullet_twin"; do
    read -r app binding <<<"$run"
    for folder in "$build" "$again"; do
        "$folder/doppel" run "$app" --bind $binding --clock sim --quiet --duration 20 --seed 7 --out "$work/$(basename "$folder")-$binding" \
            >"$work/run.log" 2>&1 || fail "run --bind $binding with $folder"
    done
    for file in trace.csv scans.csv; do
        [ -f "$work/again-$binding/$file" ] || continue
        cmp "$work/$(basename "$build")-$binding/$file" "$work/again-$binding/$file" || fail "--bind $binding: another $file after a rebuild"
    done
    [ "$(wc -l <"$work/again-$binding/trace.csv")" -gt 300 ] || fail "--bind $binding: the trace is too short to tell"
done
echo "the same traces, byte for byte"
