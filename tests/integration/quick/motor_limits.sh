#!/usr/bin/env bash
# A motor that was at its limit says so: `doppel test` at the step, in JUnit and in the summary, `doppel sim --run` at the end and in its summary, `doppel run` and `bench` at the end. A short touch at the start is not told.
source "$(dirname "$0")/../lib.sh"
cat >"$work/arm.xml" <<'ARM'
<mechanism name="arm" step_ms="1">
  <RigidObject name="beam" mass="1"><BoxShape x="1" y="0.1" z="0.1"/></RigidObject>
  <Joint name="pivot" type="hinge" child="beam"><axis x="0" y="0" z="1"/></Joint>
  <Motor name="motor" joint="pivot" type="drive" gain="100" max_effort="2"/>
</mechanism>
ARM
echo '<world name="hall" step_ms="1"><robot name="hoist" model="arm.xml"/></world>' >"$work/hall.xml"
cat >"$work/plan.xml" <<'PLAN'
<test_plan name="limits" world="hall.xml">
  <step name="a short touch">
    <put channel="hoist/motor/enable" value="1"/>
    <put channel="hoist/motor/speed" value="1"/>
    <wait for="1 s"/>
    <expect value="[hoist/pivot/velocity] > 0.99"/>
  </step>
  <step name="too heavy">
    <wait for="0.2 s"/>
    <put channel="hoist/motor/speed" value="100"/>
    <wait for="0.6 s"/>
    <put channel="hoist/motor/speed" value="1"/>
    <put channel="hoist/motor/enable" value="0"/>
    <wait for="0.2 s"/>
    <expect value="[hoist/pivot/velocity] > 1"/>
  </step>
</test_plan>
PLAN
said="hoist/motor was at its limit (max_effort 2 N m) for 0.6 s of 1 s, first at 0.201 s"
"$doppel" test "$work/plan.xml" --out "$work/out" >"$work/run.log" 2>&1 || fail "exit code"
diff - <(sed 's/([0-9.]* s)$/(T)/' "$work/run.log") >&2 <<SAID || fail "what it says"
ok   a short touch (T)
ok   too heavy (T)
     note: $said
1 run: 2 steps passed, 0 failed, 0 skipped
SAID
python3 - "$work/out" "$said" <<'LOOK' || fail "results"
import json, sys, xml.etree.ElementTree as tree
steps = json.load(open(sys.argv[1] + "/summary.json"))["runs"][0]["steps"]
assert [step["notes"] for step in steps] == [[], [sys.argv[2]]], steps
outs = [case.findtext("system-out") for case in tree.parse(sys.argv[1] + "/junit.xml").iter("testcase")]
assert outs == [None, f"note: {sys.argv[2]}"], outs
LOOK
sim() { "$doppel" sim "$work/hall.xml" --put hoist/motor/enable=1 --put hoist/motor/speed="$2" --run 2 --out "$work/$1" 2>"$work/$1.log" || fail "$1: exit code $?"; }
sim heavy 100
sim light 1
grep -q "^note: hoist/motor was at its limit (max_effort 2 N m) for 2 s of 2 s, first at 0.001 s$" "$work/heavy.log" || fail "sim: $(<"$work/heavy.log")"
grep -q "^note:" "$work/light.log" && fail "a short touch is told: $(<"$work/light.log")"
python3 - "$work" <<'LOOK' || fail "summary of sim"
import json, sys
heavy, light = (json.load(open(f"{sys.argv[1]}/{run}/summary.json"))["limits"] for run in ("heavy", "light"))
assert len(heavy) == 1 and abs(heavy[0]["total_s"] - 2) < 1e-9 and heavy[0]["limit"] == "max_effort", heavy
assert len(light) == 1 and 0.01 < light[0]["longest_s"] < 0.1, light
LOOK

# ---- a robot whose wheels are too slow for what it is told
sed 's/max_speed="22"/max_speed="3"/' "$profiles/robots/kobuki_urg.xml" >"$work/slow.xml"
sed 's/kobuki_urg.xml/slow.xml/' "$profiles/worlds/office.xml" >"$work/slow_hall.xml"
drive() { "$doppel" "$@" --bind sim --clock sim --duration 4 --set WheelController.World="$work/slow_hall.xml" --set LaserScanner.World="$work/slow_hall.xml" >"$work/drive.log" 2>&1; }
drive run patrol || fail "run: exit code $?"
grep -q "^note: avatar/LeftWheel was at its limit (max_speed 3 rad/s) for " "$work/drive.log" || fail "run: $(<"$work/drive.log")"
drive bench "$profiles/apps/patrol.xml" # it has no verdict
grep -q "^note: avatar/LeftWheel was at its limit (max_speed 3 rad/s) for " "$work/drive.log" || fail "bench: $(<"$work/drive.log")"
drive run patrol --quiet || fail "run: exit code $?"
grep -q "^note: " "$work/drive.log" && fail "quiet: $(<"$work/drive.log")"
true
