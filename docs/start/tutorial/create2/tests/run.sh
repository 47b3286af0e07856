#!/bin/sh
# The driver drives the emulated base through a whole run: 0.2 m/s for 3 s.
# usage: run.sh DOPPEL EMULATOR PLUGINS PROFILES BINDING
set -eu
doppel=$1 emulator=$2 profiles=$4 binding=$5
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
case $binding in
*_hil) address=WheelController.hardware.Address ;;
*) address=WheelController.Address ;;
esac
"$doppel" run "$profiles/drive.xml" --bind "$profiles/$binding.xml" --set "$address=$work/base" \
    --duration 5 --quiet --out "$work/out"
case $binding in
*_hil) grep -q '"sync.state": "OK"' "$work/out/summary.json" || { echo "the avatar has lost the base" >&2; exit 1; } ;;
esac
# the last row of the trace: 0.6 m forward, less the ramps' parts
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "WheelController.x") column = i }
    { x = $column }
    END { print "x = " x " m"; exit !(x > 0.45 && x < 0.7) }' "$work/out/trace.csv"
