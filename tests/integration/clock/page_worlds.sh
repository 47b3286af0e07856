#!/usr/bin/env bash
# Other applications in the dashboard, live in a real browser: a machine with its operator's console, a race, an elevator under its control unit, a
# mechanism. Panels, pixels, layers, what is hidden; no complaint of the page. Without Chromium or npm this test is skipped.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
command -v chromium >/dev/null || skip "Chromium is not installed (tools/install-deps)"
command -v npm >/dev/null || skip "npm is not installed"
cp -r "$source_dir"/clients/page/{tests,package.json,package-lock.json} .
timeout 180 npm ci --silent --ignore-scripts >npm.txt 2>&1 || skip "npm does not give the packages of clients/page/package-lock.json: $(tail -n 1 npm.txt)"

# look NAME: its page, of the run that was started last
look() {
    until_true 20 grep -q "^view: http" "$1.log" || fail "$1: no address"
    timeout 400 node tests/worlds.mjs "$work" "$1=$(sed -n 's/^view: \(http.*\)/\1/p' "$1.log")" >page.log 2>&1 || fail "$1: $(tail -n 20 page.log)"
    kill -INT "$last" && wait "$last" || fail "$1 ended with $?"
}

start hexafloat "$doppel" run hexafloat --bind hexafloat/twin --clock sim --rate 0.1 --seed 3 --quiet --view 0
look hexafloat
"$doppel" test "$source_dir/docs/guides/plans/barrier.xml" --rate 0 --param ANGLE=0.2 --record plan.mcap >test.log
[ $? -eq 4 ] || fail "the plan does not fail"
start plan "$doppel" view plan.mcap
look plan
start carry "$doppel" run patrol --bind sim --clock sim --rate 0.5 --quiet --view 0
look carry
start race "$doppel" run "$profiles/benches/race/chicane.xml" --clock sim --rate 0.05 --quiet --view 0
look race
start mechanism "$doppel" sim "$profiles/worlds/star/excavator.json" --port "$(free_port)" --view 0 --allow-control
look mechanism
modbus=$(free_port)
start elevator "$doppel" sim elevator_shaft --port "$(free_port)" --modbus "$modbus" --modbus-pace 10 --view 0 --allow-control
shaft=$last
start unit "$build/tools/controllers/elevator/elevator_controller" --port "$modbus" --retry
last=$shaft
look elevator
