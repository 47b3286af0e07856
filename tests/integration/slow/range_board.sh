#!/usr/bin/env bash
# The emulated board with range finders on a bad line and with the cable out for a second, read by `hil` beside an avatar: errors are counted, the
# board is lost and found. Then another device on the port: it is told as that.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

start board "$doppel" emulate range --pty "$work/board" --world ranges --robot avatar --garble 0.02 --unplug 1.5,2.5
until_true 5 test -e "$work/board" || fail "no board"
app() { # NAME DRIVER
    cat >"$1.xml" <<XML
<package_profile>
  <name>$1</name>
  <world file="ranges.xml"/>
  <subcomponents>
    <subcomponent><name>RangeFinders</name>
      <execution_semantics><type>periodic-shared</type><period>50</period></execution_semantics>
      <properties><property name="ApiName">$2</property></properties>
    </subcomponent>
  </subcomponents>
</package_profile>
XML
}
app Bad hil
"$doppel" run Bad.xml --set "RangeFinders.hardware.Address=$work/board" --duration 5 --out bad --quiet >bad.log 2>&1
python3 - <<'PY' || fail "the loss was counted otherwise"
import csv, json
summary = json.load(open("bad/summary.json"))
devices = summary["devices"]
print(json.dumps(devices))
line = devices["RangeFinders.hardware"]
assert devices["RangeFinders"]["losses"] == 1, devices
assert line["reconnects"] >= 1 and line["dropped_bytes"] > 0 and line["foreign"] == 0, line
assert 150 < line["measurements"] < 330, line
left = [float(row["RangeFinders.range_2"] or "nan") for row in csv.DictReader(open("bad/trace.csv"))]
seen = [value for value in left if value == value and value < 2]
print(len(left), len(seen), min(seen), max(seen))
assert len(seen) > 40 and 0.8 < min(seen) and max(seen) < 1.2, "not the wall beside the carton"
PY
grep -q "RangeFinders.hardware: lost: .*closed by the other end" bad.log || fail "the loss was not told"

start imu "$doppel" emulate imu --pty "$work/imu"
until_true 5 test -e "$work/imu" || fail "no sensor"
app Other serial
"$doppel" run Other.xml --set "RangeFinders.Address=$work/imu" --duration 2 --quiet >other.log 2>&1
grep -q "what comes on this port are no lines R ID METRES\*CHECK" other.log || fail "another device was not told"
