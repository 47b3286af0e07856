#!/usr/bin/env bash
# An emulated device is observed as a run is: its counts and its world are topics, who may control it switches its faults, a recording has
# both, and who stops it ends it. Its host notices the faults and nothing else.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
of() { # of DEVICE COMMAND...: the verb, for that device's wire
    local device=$1 verb=$2
    shift 2
    "$doppel" "$verb" "$@" --run "$(sed -n 's/^view: \(ws:.*\)/\1/p' "$device.log")"
}
value() { of "$1" topic echo "/$1/values" --once --for 10 | sed -n "s/^$2: //p"; }
is() { [ "$(value "$1" "$2")" = "$3" ]; }
more() { [ "$(value "$1" "$2")" -gt "$3" ]; }
viewed() { until_true 20 grep -q "^view: ws:" "$1.log" || fail "no address of $1"; }

start kobuki "$doppel" emulate kobuki --pty user:kobuki --world office_truth.xml --robot robot --serve 0 --view 0 --allow-control \
    --record base.mcap
kobuki=$last
viewed kobuki
world=$(sed -n 's/.*serves its world at //p' kobuki.log)
start urg "$doppel" emulate urg --pty user:urg --world "$world" --robot robot --view 0
urg=$last
viewed urg
of kobuki topic list >topics
for topic in /kobuki/values /world/robot/x /scene; do
    grep -q "^$topic " topics || fail "no topic $topic: $(<topics)"
done
start run "$doppel" run patrol --bind hw_emulated --wait 20 --duration 600
run=$last
until_true 30 is kobuki connected true || fail "no host at the base"
until_true 30 is urg laser true || fail "no host at the scanner"
until_true 30 more kobuki commands 20 && until_true 30 more urg scans 20 || fail "nothing is counted"
of kobuki service call /world/put '{"channel": "robot/place", "value": [-7.09, -2.75, 1.15]}' >log || fail "the robot is not carried: $(<log)"
of kobuki topic echo /world/robot/x --once --for 10 | python3 -c 'import sys; x = float(sys.stdin.read().split("value:")[1]); assert x < -5, x' ||
    fail "the robot is elsewhere"
of urg param set urg.Mute true 2>log && fail "a fault is switched without --allow-control"
grep -q "control" log || fail "not told: $(<log)"
of kobuki param set kobuki.Drop 2 2>log && fail "a probability of 2"
grep -q "expected 0..1" log || fail "no range: $(<log)"
of kobuki param set kobuki.Unplug true >log || fail "it is not switched: $(<log)"
until_true 20 grep -q "WheelController.*lost" run.log || fail "the host has not noticed"
until_true 10 is kobuki plugged false && [ ! -e "$XDG_RUNTIME_DIR/doppel/kobuki" ] || fail "it is still plugged in"
of kobuki param set kobuki.Unplug false >log || fail "it is not switched back: $(<log)"
until_true 20 is kobuki connected true || fail "the host does not come back"
of kobuki component stop kobuki >log || fail "it is not stopped: $(<log)"
until_true 10 [ ! -e "$XDG_RUNTIME_DIR/doppel/kobuki" ] || fail "a device that is stopped is still there"
of kobuki component start kobuki >log || fail "it is not started: $(<log)"
until_true 20 is kobuki connected true || fail "the host does not come back after a stop"
kill -INT "$run" && wait "$run"
of kobuki service call /run/stop '{}' >log || fail "no stop: $(<log)"
wait "$kobuki" || fail "the end of the base: $(<kobuki.log)"
"$doppel" bag info base.mcap >info || fail "no recording: $(<info)"
grep -q " /kobuki/values" info && grep -q " /world/robot/x" info || fail "not recorded: $(<info)"
until_true 10 grep -q "the host has disconnected" urg.log || fail "the scanner has a host"
kill "$urg" && wait "$urg" || fail "the end of the scanner: $(<urg.log)"

# all devices, alone: values that are there, and what is wrong is told
for device in imu range firmata cia402; do
    start "$device" "$doppel" emulate "$device" --pty "user:$device" --view 0
    viewed "$device"
    is "$device" connected false || fail "$device: $(of "$device" topic echo "/$device/values" --once --for 10)"
    kill "$last" && wait "$last" || fail "the end of $device"
done
start full "$doppel" emulate imu --pty user:full --record /dev/full --view 0
viewed full
until_true 20 grep -q "No space left on device" full.log || fail "a full disk is not told"
kill "$last"
wait "$last"
[ $? = 3 ] || fail "the exit code of a recording that is not whole"
start held "$doppel" emulate imu --pty user:one --view 0
viewed held
port=$(sed -n 's/^view: ws:.*:\([0-9]*\)\/.*/\1/p' held.log)
"$doppel" emulate imu --pty user:two --view "$port" 2>log && fail "two viewers' ports"
grep -q "$port" log && [ ! -e "$XDG_RUNTIME_DIR/doppel/two" ] || fail "what is wrong: $(<log)"
"$doppel" emulate imu --pty user:two --allow-control 2>log
[ $? = 2 ] && grep -q -- "--allow-control needs --view" log || fail "what is wrong: $(<log)"
