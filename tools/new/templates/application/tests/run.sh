#!/bin/sh
# The application is checked, then runs on the simulated clock.
# usage: run.sh DOPPEL PROFILES BINDING
set -eu
doppel=$1 profiles=$2 binding=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$doppel" check --resolve --strict --bind "$profiles/$binding.xml" "$profiles/template_name.xml"
"$doppel" run "$profiles/template_name.xml" --bind "$profiles/$binding.xml" --clock sim --duration 12 --quiet --out "$work/out"
# away, a half turn, and back: it ends near its start
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "WheelController.x") x = i; if ($i == "WheelController.y") y = i } next }
    $x > farthest { farthest = $x }
    { end = $x }
    END { print "farthest " farthest " m, end " end " m"; exit !(farthest > 0.7 && end < farthest / 2) }' "$work/out/trace.csv"
