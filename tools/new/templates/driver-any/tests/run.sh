#!/bin/sh
# The driver is found, and answers all calls of its class in a whole run.
# usage: run.sh DOPPEL PLUGINS PROFILES
set -eu
doppel=$1 profiles=$3
export DOPPEL_PLUGIN_PATH=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$doppel" info template_class/template_name
"$doppel" check --resolve --strict "$profiles/probe.xml"
"$doppel" run "$profiles/probe.xml" --clock sim --duration 1 --quiet --out "$work/out"
# 50 cycles, in each of them at least one reading, and no call is refused
awk -F'[:,]' '/"Probe.cycles"/ { cycles = $2 } /"Probe.readings"/ { readings = $2 } /"Probe.refused"/ { refused = $2 }
    END { print cycles " cycles, " readings " readings, " refused " refused"
          exit !(cycles >= 50 && readings >= cycles && refused == 0) }' "$work/out/summary.json"
