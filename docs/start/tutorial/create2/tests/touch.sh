#!/bin/sh
# The left bumper is pressed on the way: the base stops once, and the run says so.
# usage: touch.sh DOPPEL EMULATOR PLUGINS PROFILES
set -eu
doppel=$1 emulator=$2 profiles=$4
export DOPPEL_PLUGIN_PATH=$3
work=$(mktemp -d)
"$emulator" "$work/base" &
base=$!
trap 'kill $base 2>/dev/null; wait $base 2>/dev/null; rm -rf "$work"' EXIT
tries=0
until [ -e "$work/base" ]; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || { echo "the emulator has not started" >&2; exit 1; }
    sleep 0.05
done
(sleep 1.5; kill -USR1 $base) &
"$doppel" run "$profiles/drive.xml" --bind "$profiles/create2.xml" --set "WheelController.Address=$work/base" \
    --duration 3 --quiet --out "$work/out" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
grep 'stopped by a touch' "$work/log"
grep '"stops": 1,' "$work/out/summary.json"
