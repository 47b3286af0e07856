#!/bin/sh
# The component commands the mock in a whole run: the level rises at 0.5 a second, to 0.8.
# usage: run.sh DOPPEL PLUGINS PROFILES
set -eu
doppel=$1 profiles=$3
export DOPPEL_PLUGIN_PATH=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$doppel" info template_name/mock
"$doppel" check --resolve --strict --bind "$profiles/mock.xml" "$profiles/keep.xml"
"$doppel" run "$profiles/keep.xml" --bind "$profiles/mock.xml" --clock sim --duration 3 --quiet --out "$work/out"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "TemplateName.level") level = i; if ($i == "t") t = i } next }
    $t >= 0.99 && $t <= 1.0001 { middle = $level }
    { end = $level }
    END { print "after 1 s " middle ", at the end " end; exit !(middle > 0.45 && middle < 0.55 && end > 0.799 && end < 0.801) }' \
    "$work/out/trace.csv"
