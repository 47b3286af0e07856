#!/usr/bin/env bash
# The bench at a board's pins: its actuators measure voltages that an emulated Uno has at its analog inputs, as a controller
# would drive them; without the binding it says what to set. Also the bindings of the bench for controllers in processes.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
uno=$work/uno
bench() { # CODE PATTERN ARGS...
    local code=$1 pattern=$2
    shift 2
    "$doppel" bench race/process --clock real --log-level error "$@" >bench.log 2>&1
    local got=$?
    [ "$got" -eq "$code" ] || fail "bench $*: exit code $got, expected $code"
    grep -q -- "$pattern" bench.log || fail "bench $*: does not say '$pattern'"
}

# forward at half the duty: pin A of each motor high, pin B at half the voltage; the servo in its middle
start uno "$doppel" emulate firmata --pty "$uno" --input A0=0.02 --input A1=1 --input A2=0.5 --input A3=1 --input A4=0.5
until_true 5 test -e "$uno" || fail "no board"
bench 0 "^ok   process: finished" --bind firmata --set "Bench.CarPins.Address=$uno" --set Bench.Track.World=track_straight.xml --out board
python3 - board/log.csv <<'PY' || fail "it did not drive as its pins said"
import csv, sys
rows = [[int(v) for v in row[:5]] for row in list(csv.reader(open(sys.argv[1])))[1:]]
late = rows[len(rows) // 2:]
assert all(abs(row[3] - 557) <= 6 for row in late), late[0]
assert all(abs(row[1] - 500) <= 5 for row in late), late[-1]
PY
[ "$(json board/summary.json Bench.CarPins.refused)" = 0 ] || fail "asking when a pin was driven counts as refused"
[ "$(json board/summary.json Bench.Infrared3.refused)" = 0 ] || fail "the board refused the infrared sensor's PWM"

# a board cannot do what the simulated wires do: what to set is told
board=(--set Bench.CarPins.ApiName=firmata --set "Bench.CarPins.Address=$uno" --set "Bench.CarPins.Pins=$(
    sed -n 's/.*name="Pins">\([^<]*\)<.*/\1/p' "$profiles/bindings/process/firmata.xml"
)")
bench 3 "Servo: .*pin 'SERVO' cannot be a PWM input: .*; set Input=analog" "${board[@]}"
bench 3 "MotorLeft: .*pin 'MOTOR_A' .*; set Input=analog" "${board[@]}" --set Bench.Servo.Input=analog
bench 3 "Infrared3: .*pin 'IR3' .*; set Output=pwm" "${board[@]}" --set Bench.Servo.Input=analog --set Bench.MotorLeft.Input=analog \
    --set Bench.MotorRight.Input=analog

# the car that steers
bench 0 "^ok   process: timeout" --bind ackermann --set "Bench.CarPins.Address=pty:$work/link" --set Bench.Referee.MaxTicks=20 \
    --set Bench.Referee.Expect=timeout
