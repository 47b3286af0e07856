#!/usr/bin/env bash
# What `doppel view FOLDER` runs ends with it, also when that is killed outright.
source "$(dirname "$0")/../lib.sh"
mkdir "$work/folder" && cp "$profiles/plans/elevator.xml" "$work/folder/tower.xml" || fail "no folder"
start view "$doppel" view "$work/folder"
view=$last
until_true 10 grep -q "^view: http" "$work/view.log" || fail "no address"
address=$(sed -n 's|^view: http://\(.*\)/#t=\(.*\)$|ws://\1/\2|p' "$work/view.log")
ask() { "$doppel" service call --run "$address" "$@" >"$work/call.log" 2>&1; }
ask /folder/run '{"file":"tower.xml","step":"01 power on"}' || fail "it is not run"
until_true 20 test -s "$work/folder/results-tower/run.mcap" || fail "no result"
until_true 20 ask /folder/show '{}' || fail "the result is not shown"
child=$(pgrep -P "$view") || fail "nobody shows it"
kill -9 "$view"
until_true 5 eval '! kill -0 $child' || fail "still runs: $(ps -o args= "$child")"
