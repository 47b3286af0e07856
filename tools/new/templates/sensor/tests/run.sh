#!/bin/sh
# The plugin is found, listed and described, and its world is checked, drawn and run.
# usage: run.sh DOPPEL PLUGINS WORLD
set -eu
doppel=$1 world=$3
export DOPPEL_PLUGIN_PATH=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$doppel" list sensors | grep '^sensor/template_name '
"$doppel" info sensor/template_name
"$doppel" check --strict "$world"
"$doppel" sim "$world" --list | grep 'mast/tilt/lean'
"$doppel" sim "$world" --snapshot "$work/world.svg"
grep -q '<svg' "$work/world.svg"
"$doppel" sim "$world" --run 2 --record 'mast/*' --out "$work/out"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "mast/tilt/lean") column = i; next } { end = $column }
    END { print "mast/tilt/lean " end; exit !(end >= 0.52 && end <= 0.53) }' "$work/out/channels.csv"
