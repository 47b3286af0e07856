#!/bin/sh
# The component in whole runs, on the simulated clock: in the room it touches nothing; when its range finders fall silent it stands.
# usage: run.sh DOPPEL PLUGINS PROFILES
set -eu
doppel=$1 profiles=$3
export DOPPEL_PLUGIN_PATH=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
value() { awk -F'[:,]' -v key="\"$2\"" '$0 ~ key { print $2 }' "$work/$1/summary.json"; }
"$doppel" check --resolve --strict --bind "$profiles/sim.xml" "$profiles/drive.xml"
"$doppel" run "$profiles/drive.xml" --bind "$profiles/sim.xml" --clock sim --duration 60 --quiet --out "$work/room"
echo "room: $(value room TemplateName.turns) turns, $(value room RangeFinders.touches) touches"
[ "$(value room TemplateName.turns)" -gt 3 ]
[ "$(value room RangeFinders.touches)" -eq 0 ]
"$doppel" run "$profiles/drive.xml" --bind "$profiles/mock.xml" --clock sim --duration 10 --quiet --out "$work/silent"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "WheelController.x") x = i; next } { end = $x }
    END { print "silent after 2 s: it stands at " end " m"; exit !(end > 0.2 && end < 0.5) }' "$work/silent/trace.csv"
