#!/usr/bin/env bash
# Who watches can also steer, in a real browser and by the keyboard alone: the operator's console of the six-axis machine, as the table of
# docs/reference/machine-control.md says it; one controls, another sees who; what a visitor does wrong is answered in words; a gamepad; who may only
# look sends nothing; hardware moves when that was confirmed; properties and life cycle. Without Chromium or npm this test is skipped.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
command -v chromium >/dev/null || skip "Chromium is not installed (tools/install-deps)"
command -v npm >/dev/null || skip "npm is not installed"
cp -r "$source_dir"/clients/page/{tests,package.json,package-lock.json} .
timeout 180 npm ci --silent --ignore-scripts >npm.txt 2>&1 || skip "npm does not give the packages of clients/page/package-lock.json: $(tail -n 1 npm.txt)"

address() { until_true 20 grep -q "^view: http" "$1.log" || fail "$1: no address"; sed -n 's/^view: \(http.*\)/\1/p' "$1.log"; }
# act SCENARIO [ARGUMENT...]: of acts.mjs
act() { timeout 400 node --experimental-websocket --no-warnings tests/acts.mjs "$@" >"page-$1.txt" 2>&1 || fail "$1: $(tail -n 20 "page-$1.txt")"; tail -n 1 "page-$1.txt"; }
ended() { kill -INT "$1" && wait "$1" || fail "a run ended with $?"; }

start machine "$doppel" run hexafloat --bind hexafloat/twin --clock sim --rate 0.05 --seed 3 --quiet --set MachineControl.Requests= --view 0
machine=$last
act machine "$(address machine)" "$source_dir/docs/reference/machine-control.md" "${PICTURES:-}"
# at a fifth of real time, so that a slow browser is not too slow for it
start robot "$doppel" run teleop --bind teleop/sim --clock sim --rate 0.2 --quiet --set Teleop.ApiName=mock --set Teleop.Acceleration=5 --view 0
robot=$last
act wrong "$(address machine)" "$(address robot)"
ended "$machine"
act gamepad "$(address robot)"
ended "$robot"

start look "$doppel" run hexafloat --bind hexafloat/mock --quiet --set MachineControl.Requests= --view 0
look=$last
act look "$(address look)"
ended "$look"
start base "$doppel" emulate kobuki --pty "$work/kobuki" --world office_truth.xml --robot robot
until_true 20 test -e "$work/kobuki" || fail "no base"
start hardware "$doppel" run teleop --bind teleop/hw_emulated --set "WheelController.Address=$work/kobuki" --quiet --set Teleop.ApiName=mock --view 0 --allow-control
hardware=$last
act hardware "$(address hardware)"
ended "$hardware"
start properties "$doppel" run patrol --bind sim --clock sim --quiet --view 0
properties=$last
act properties "$(address properties)" "$doppel" "$work"
ended "$properties"
start traces "$doppel" run patrol --bind sim --clock sim --quiet --out kept --view 0
traces=$last
act traces "$(address traces)" "$doppel" "$work/kept"
ended "$traces"
mkdir folder && cp "$profiles/plans/elevator.xml" folder/tower.xml && cp "$profiles/worlds/elevator_shaft.xml" folder
sed 's/value="RobotControl.state">[a-z]*</value="RobotControl.state">asleep</' kept/bench-1.xml >folder/wrong.xml
cat >folder/scale.xml <<'XML'
<mechanism>
  <Param name="N" value="3" min="1" max="10"/>
  <Param name="M" value="4" min="1" max="{2*N}" unit="kg"/>
  <RigidObject name="b" mass="{M}"><position z="5"/><inertia xx="1" yy="1" zz="1"/></RigidObject>
</mechanism>
XML
start folder "$doppel" view folder
folder=$last
act folder "$(address folder)" "$doppel" "$work/folder"
ended "$folder"
"$doppel" bag info kept/last-1.mcap >kept.txt && grep -q "/RobotControl/values" kept.txt || fail "no recording of the last time: $(cat kept.txt)"
