#!/usr/bin/env bash
# kill -9 of `doppel run`: the base stops by its own watchdog within 0.6 s.
source "$(dirname "$0")/lib.sh"
start_robot
start run "$doppel" run patrol --bind hw "${robot[@]}" --quiet --duration 60
run=$last
sleep 4
# a second, independent witness: the truth of the base's world, asked over its link
witness() {
    "$doppel" run "$work/watch.xml" --quiet --duration "$1" --out "$2" >"$work/witness.log" 2>&1
}
cat >"$work/watch.xml" <<XML
<package_profile>
  <name>Watch</name>
  <subcomponents>
    <subcomponent><name>WheelController</name>
      <execution_semantics><type>periodic-shared</type><period>20</period></execution_semantics>
      <properties>
        <property name="ApiName">avatar</property>
        <property name="RobotName">robot</property>
        <property name="ip">127.0.0.1</property>
        <property name="port">${world##*:}</property>
        <property name="R_Motor_Name">RightWheel</property>
        <property name="L_Motor_Name">LeftWheel</property>
        <property name="WheelDiameter">0.07</property>
        <property name="AxleDistance">0.23</property>
      </properties>
    </subcomponent>
  </subcomponents>
</package_profile>
XML
kill -9 "$run"
wait "$run" 2>/dev/null
sleep 0.6
kill -0 "$base" 2>/dev/null || fail "the base's emulator ended"
witness 1.5 "$work/witness" || fail "no witness"
python3 - "$work/witness/trace.csv" <<'PY' || fail "the base still moved 0.6 s after its host was killed"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
x = [float(r["WheelController.x"]) for r in rows][5:]
y = [float(r["WheelController.y"]) for r in rows][5:]
spread = max(max(x) - min(x), max(y) - min(y))
print(f"the base moved {1000 * spread:.2f} mm while watched", file=sys.stderr)
sys.exit(0 if len(x) > 20 and spread < 0.003 else 1)
PY
