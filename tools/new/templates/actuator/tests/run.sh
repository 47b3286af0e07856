#!/bin/sh
# The plugin is found, listed and described, and its world is checked, drawn and run.
# usage: run.sh DOPPEL PLUGINS WORLD
set -eu
doppel=$1 world=$3
export DOPPEL_PLUGIN_PATH=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$doppel" list actuators | grep '^actuator/template_name '
"$doppel" info actuator/template_name
"$doppel" check --strict "$world"
"$doppel" sim "$world" --list | grep 'shaft/rail/command'
"$doppel" sim "$world" --snapshot "$work/world.svg"
grep -q '<svg' "$work/world.svg"
"$doppel" sim "$world" --run 2 --put 'shaft/rail/command=1' --record 'shaft/*' --out "$work/out"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "shaft/rail/velocity") column = i; next } { end = $column }
    END { print "shaft/rail/velocity " end; exit !(end >= -0.5 && end <= -0.4) }' "$work/out/channels.csv"
