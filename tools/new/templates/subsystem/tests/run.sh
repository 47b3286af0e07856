#!/bin/sh
# The plugin is found, listed and described, and its world is checked, drawn and run.
# usage: run.sh DOPPEL PLUGINS WORLD
set -eu
doppel=$1 world=$3
export DOPPEL_PLUGIN_PATH=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$doppel" list subsystems | grep '^subsystem/template_name '
"$doppel" info subsystem/template_name
"$doppel" check --strict "$world"
"$doppel" sim "$world" --list | grep 'boiler/level'
"$doppel" sim "$world" --snapshot "$work/world.svg"
grep -q '<svg' "$work/world.svg"
"$doppel" sim "$world" --run 2 --record 'boiler/*' --out "$work/out"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "boiler/level") column = i; next } { end = $column }
    END { print "boiler/level " end; exit !(end >= 0.9 && end <= 1) }' "$work/out/channels.csv"
