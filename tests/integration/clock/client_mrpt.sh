#!/usr/bin/env bash
# MRPT's driver of Hokuyo scanners (CHokuyoURG), unmodified, talks to the emulated URG-04LX over serial and to the emulated
# UST-10LX over TCP: connects, reads who it is, measures a known room, stops, and does it again. Needs the package
# libmrpt-hwdrivers-dev (`tools/install-deps --clients`), else it is skipped; and the clock, by which the period of scans is measured.
source "$(dirname "$0")/../lib.sh"
command -v g++ >/dev/null || skip "g++ is not installed"
[ -f /usr/include/mrpt/hwdrivers/include/mrpt/hwdrivers/CHokuyoURG.h ] ||
    skip "libmrpt-hwdrivers-dev is not installed: tools/install-deps --clients"
cd "$work" || exit 1
flags=(-isystem /usr/include/eigen3)
for folder in /usr/include/mrpt/*/include; do
    flags+=(-isystem "$folder")
done
g++ -std=c++17 -w "${flags[@]}" -o mrpt_hokuyo "$source_dir/tests/clients/mrpt_hokuyo.cpp" \
    -Wl,--copy-dt-needed-entries -lmrpt-hwdrivers 2>build.log || fail "the client does not build against MRPT"

# walls at known distances; the scanner is at the robot's centre: right, front right, front, front left, left
room() { # FILE MODEL
    cat >"$1" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<world name="room" step_ms="1">
  <ground/>
  <wall x1="-2" y1="-1" x2="3" y2="-1" thickness="0.1"/>
  <wall x1="-2" y1="1.5" x2="3" y2="1.5" thickness="0.1"/>
  <wall x1="3" y1="-1" x2="3" y2="1.5" thickness="0.1"/>
  <robot name="robot" model="$2"/>
</world>
XML
}
room urg.xml kobuki_urg.xml
# the same robot with the other scanner
sed -e 's/steps="1024" first="44" last="725" front="384"/steps="1440" first="0" last="1080" front="540"/' \
    -e 's/max_range="5.6"/max_range="30"/' -e 's/rate_hz="10"/rate_hz="40"/' \
    "$profiles/robots/kobuki_urg.xml" >kobuki_ust.xml
room ust.xml "$work/kobuki_ust.xml"
port=$(free_port)
start urg "$doppel" emulate urg --pty "$work/urg" --world urg.xml --robot robot
start ust "$doppel" emulate urg --model UST-10LX --tcp "$port" --world ust.xml --robot robot
until_true 10 test -e "$work/urg" || fail "no scanner"
until_true 10 grep -q "at tcp" ust.log || fail "no scanner at the port"

judge() { # NAME RATE MODEL STEPS: what the client printed
    python3 - "$@" <<'PY' || fail "$1: MRPT saw something else"
import sys
name, rate, model, steps = sys.argv[1:]
lines = open(name + ".log").read().splitlines()
said = dict(line.split(" ", 1) for line in lines if " " in line and line[0].islower())
print({key: said[key] for key in sorted(said)})
assert said["model"] == model, said["model"]
assert said["steps"] == steps, said["steps"]
first, last, front, _, turn = steps.split()
expected = [0.95, 0.95 * 2 ** 0.5, 2.95, 1.45 * 2 ** 0.5, 1.45]
for turn in "1", "2":
    assert int(said["points_" + turn]) == int(last) - int(first) + 1, said
    ranges = [float(r) for r in said["ranges_m_" + turn].split()]
    assert all(abs(r - e) < 0.02 for r, e in zip(ranges, expected)), (ranges, expected)
    assert abs(float(said["period_s_" + turn]) * float(rate) - 1) < 0.05, said["period_s_" + turn]
PY
}
timeout 60 ./mrpt_hokuyo serial "$work/urg" >serial.log 2>&1 || fail "serial: $(tail -n 1 serial.log)"
judge serial 10 "URG-04LX" "44 725 384 of 1024"
grep -q "PROD:SOKUIKI Sensor URG-04LX" serial.log || fail "serial: MRPT does not know what it talks to"
timeout 60 ./mrpt_hokuyo tcp 127.0.0.1 "$port" >tcp.log 2>&1 || fail "tcp: $(tail -n 1 tcp.log)"
judge tcp 40 "UST-10LX" "0 1080 540 of 1440"
grep -q "PROD:UST-10LX" tcp.log || fail "tcp: MRPT does not know what it talks to"

# a client beside one that is served learns at once that it is not
exec 3<>"/dev/tcp/127.0.0.1/$port"
until_true 5 bash -c '[ "$(grep -c "a host has connected" ust.log)" -gt 2 ]' || fail "the third host is not served"
begun=$(date +%s.%N)
# MRPT's class throws when it cannot connect, also from its destructor
(timeout 20 ./mrpt_hokuyo tcp 127.0.0.1 "$port" >refused.log 2>&1) 2>/dev/null && fail "two hosts at once"
took=$(bc <<<"$(date +%s.%N) - $begun")
number "$took < 10" || fail "the second host was left hanging for $took s"
grep -q "a second host, 127.0.0.1:[0-9]*, is refused" ust.log || fail "the refusal is not in the log"
