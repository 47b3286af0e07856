#!/usr/bin/env bash
# Hokuyo's own C library, unmodified, talks to the URG emulator over serial and TCP. The library comes from the npm package
# `urg` (its sources under BSD licence; only those are used); without npm or its registry this test is skipped.
source "$(dirname "$0")/../lib.sh"
package=urg@1.2.0
sum=909992101efd832fb3abafa53091c166bfc4da34726d26ee88e81ab763abce4d
cd "$work" || exit 1
command -v npm >/dev/null || skip "npm is not installed"
timeout 60 npm pack --silent "$package" >/dev/null 2>&1 || skip "the npm registry does not give $package"
echo "$sum  urg-1.2.0.tgz" | sha256sum --check --quiet || fail "$package is not what it was"
tar xzf urg-1.2.0.tgz
sources=()
for part in connection debug ring_buffer sensor serial serial_utils tcpclient utils; do
    sources+=("package/src/urg_$part.c")
done
cc -w -Ipackage/include/c -o hokuyo "$source_dir/tests/clients/hokuyo.c" "${sources[@]}" -lm ||
    fail "Hokuyo's library does not build"

# walls at known distances; the scanner is at the robot's centre: right, front right, front, front left, left
cat >room.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<world name="room" step_ms="1">
  <ground/>
  <wall x1="-2" y1="-1" x2="3" y2="-1" thickness="0.1"/>
  <wall x1="-2" y1="1.5" x2="3" y2="1.5" thickness="0.1"/>
  <wall x1="3" y1="-1" x2="3" y2="1.5" thickness="0.1"/>
  <robot name="robot" model="kobuki_urg.xml"/>
</world>
XML
port=$(free_port)
start serial "$doppel" emulate urg --pty "$work/urg" --world room.xml --robot robot
start tcp "$doppel" emulate urg --tcp "$port" --world room.xml --robot robot
until_true 5 test -e "$work/urg" || fail "no scanner"
until_true 5 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port" || fail "no scanner at the port"

judge() { # NAME: what the client printed
    python3 - "$1.log" <<'PY' || fail "$1: the library saw something else"
import sys
said = {}
for line in open(sys.argv[1]):
    key, _, value = line.strip().partition(" ")
    said[key] = value
print(said)
assert said["product"] == "SOKUIKI Sensor URG-04LX", said["product"]
assert said["firmware"].startswith("3.4.03"), said["firmware"]
assert said["status"].startswith("Sensor works well"), said["status"]
assert said["steps"] == "-340 341" and said["range_mm"] == "20 5600" and said["scan_us"] == "100000"
expected = [950, 950 * 2 ** 0.5, 2950, 1450 * 2 ** 0.5, 1450]
for scan, points in (("whole", 682), ("part", 513)):
    assert int(said[scan + "_points"]) == points, said
    ranges = [float(r) for r in said[scan + "_mm"].split()]
    assert all(abs(r - e) < 15 for r, e in zip(ranges, expected)), (scan, ranges, expected)
    period = int(said[scan + "_stamps_ms"]) / 9
    assert abs(period - 100) <= 2, (scan, period)
PY
}
./hokuyo serial "$work/urg" >serial-client.log 2>&1 || fail "serial: $(tail -n 1 serial-client.log)"
judge serial-client
./hokuyo tcp 127.0.0.1 "$port" >tcp-client.log 2>&1 || fail "tcp: $(tail -n 1 tcp-client.log)"
judge tcp-client
