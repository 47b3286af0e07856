#!/bin/sh
# The component in a whole run, on the simulated clock: 0.2 m/s for 3 s.
# usage: run.sh DOPPEL PLUGINS PROFILES
set -eu
doppel=$1 profiles=$3
export DOPPEL_PLUGIN_PATH=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$doppel" check --resolve --strict --bind "$profiles/mock.xml" "$profiles/drive.xml"
"$doppel" run "$profiles/drive.xml" --bind "$profiles/mock.xml" --clock sim --duration 5 --quiet --out "$work/out"
awk -F'[:,]' '/"TemplateName.way_m"/ { way = $2 }
    END { print "way = " way " m"; exit !(way > 0.55 && way < 0.65) }' "$work/out/summary.json"
