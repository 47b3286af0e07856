#!/usr/bin/env bash
# Who watches can also steer, in a real browser and by the keyboard alone: properties and the life cycle of components.
# Without Chromium or npm this test is skipped.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
command -v chromium >/dev/null || skip "Chromium is not installed (tools/install-deps)"
command -v npm >/dev/null || skip "npm is not installed"
cp -r "$source_dir"/clients/page/{tests,package.json,package-lock.json} .
timeout 180 npm ci --silent --ignore-scripts >npm.txt 2>&1 || skip "npm does not give the packages of clients/page/package-lock.json: $(tail -n 1 npm.txt)"

# act SCENARIO [MORE]: in the page of the run that was started last
act() {
    until_true 20 grep -q "^view: http" "$1.log" || fail "$1: no address"
    timeout 400 node tests/acts.mjs "$1" "$(sed -n 's/^view: \(http.*\)/\1/p' "$1.log")" "${@:2}" >page.log 2>&1 || fail "$1: $(tail -n 20 page.log)"
    kill -INT "$last" && wait "$last"
    [ $? -eq "${code:-0}" ] || fail "$1 ended otherwise"
}

start properties "$doppel" run patrol --bind sim --clock sim --quiet --view 0
act properties "$doppel" "$work"
