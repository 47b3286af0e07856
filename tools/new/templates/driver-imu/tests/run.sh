#!/bin/sh
# The driver reads the emulated sensor in a whole run: it turns at 0.5 rad/s.
# usage: run.sh DOPPEL EMULATOR PLUGINS PROFILES
set -eu
doppel=$1 emulator=$2 profiles=$4
export DOPPEL_PLUGIN_PATH=$3
work=$(mktemp -d)
"$emulator" "$work/sensor" &
sensor=$!
trap 'kill $sensor 2>/dev/null; wait $sensor 2>/dev/null; rm -rf "$work"' EXIT
tries=0
until [ -e "$work/sensor" ]; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || { echo "the emulator has not started" >&2; exit 1; }
    sleep 0.05
done
"$doppel" run "$profiles/watch.xml" --set "Imu.Address=$work/sensor" --duration 2 --quiet --out "$work/out"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Imu.rate_z") column = i }
    { rate = $column }
    END { print "rate_z = " rate " rad/s"; exit !(rate > 0.49 && rate < 0.51) }' "$work/out/trace.csv"
