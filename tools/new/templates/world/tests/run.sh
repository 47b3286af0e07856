#!/bin/sh
# The world is read and run alone; then an application drives the robot in it.
# usage: run.sh DOPPEL PROFILES
set -eu
doppel=$1
export DOPPEL_PROFILE_PATH=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$doppel" sim template_name.xml --list >"$work/channels"
grep -q avatar/LeftWheel/speed "$work/channels" || { echo "the robot has no left motor" >&2; exit 1; }
"$doppel" sim template_name.xml --snapshot "$work/world.svg"
grep -q '<svg' "$work/world.svg"
"$doppel" run template_name_drive.xml --bind template_name_sim.xml --clock sim --duration 12 --quiet --out "$work/out"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "WheelController.x") column = i; next }
    $column > farthest { farthest = $column }
    END { print "farthest " farthest " m"; exit !(farthest > 0.7) }' "$work/out/trace.csv"
