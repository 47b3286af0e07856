#!/usr/bin/env bash
# A world whose motion no step can follow (a spring of w dt = 10 on a mass of 1 kg) ends whatever moves it with its reason and exit code 3:
# alone, in a run on either clock, in a bench, in a test plan, served, and in an emulator.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
cat >spring.xml <<'XML'
<mechanism>
  <RigidObject name="a" mass="1"><position z="1"/><inertia xx="1" yy="1" zz="1"/></RigidObject>
  <Joint name="rail" type="slider" child="a"><spring stiffness="1e7" rest="1 mm"/></Joint>
</mechanism>
XML
cat >world.xml <<'XML'
<world name="wild" step_ms="1">
  <robot name="avatar" model="kobuki_urg.xml"/>
  <robot name="shaker" model="spring.xml" x="5"/>
</world>
XML
cat >plan.xml <<'XML'
<test_plan name="wild" world="world.xml">
  <step name="waits"><wait for="2 s"/><expect value="[avatar/x] &lt; 9"/></step>
</test_plan>
XML
sed 's|file="office.xml"|file="world.xml"|' "$profiles/apps/patrol.xml" >wild.xml
# ends_with_fault COMMAND...
ends_with_fault() {
    timeout 60 "$@" >said.log 2>&1
    local code=$?
    [ $code -eq 3 ] || fail "$*: exit code $code"
    grep -q "robot 'shaker': .* is at the largest speed that there is at [0-9.]* s; try shorter steps" said.log || fail "$* says: $(<said.log)"
}
ends_with_fault "$doppel" sim world.xml --run 5 --out alone
ends_with_fault "$doppel" sim world.xml --port 0 --duration 30
ends_with_fault "$doppel" run wild.xml --bind sim --clock sim --duration 5 --quiet --out simulated
grep -q '"error": ".*largest speed' simulated/summary.json || fail "summary.json: $(<simulated/summary.json)"
ends_with_fault "$doppel" run wild.xml --bind sim --duration 30 --quiet --out real
grep -q '"error": ".*largest speed' real/summary.json || fail "summary.json: $(<real/summary.json)"
ends_with_fault "$doppel" bench wild.xml --bind sim
ends_with_fault "$doppel" test plan.xml
ends_with_fault "$doppel" emulate kobuki --pty user:wild --world world.xml --robot avatar
ends_with_fault "$doppel" emulate kobuki --pty user:wild --world world.xml --robot avatar --view 0
