#!/bin/sh
# The bench with a controller that arrives, and with one that is too slow.
# usage: run.sh DOPPEL PLUGINS PROFILES
set -eu
doppel=$1 profiles=$3
export DOPPEL_PLUGIN_PATH=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$doppel" check --resolve --strict "$profiles/template_name.xml"
"$doppel" bench "$profiles/template_name.xml" --repeat 3 >"$work/said"
cat "$work/said"
grep -q arrived "$work/said" || { echo "the base has not arrived" >&2; exit 1; }
# a verdict that is not the expected one: exit code 4
code=0
"$doppel" bench "$profiles/template_name.xml" --set 'Controller.Script=0 0.1 0; 20 0 0' >"$work/slow" || code=$?
[ $code = 4 ] || { echo "a slow controller: code $code" >&2; exit 1; }
grep -q late "$work/slow" || { echo "a slow controller is not late" >&2; exit 1; }
