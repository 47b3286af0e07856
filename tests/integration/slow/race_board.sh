#!/usr/bin/env bash
# The board of a bench: nobody takes it away, and what a real board cannot do is told with what to set. (It drives as its pins say: docs/guides/race-car.md.)
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
bench() { # CODE PATTERN ARGS...
    "$doppel" bench race/process --clock real --log-level error "${@:3}" >"$work/bench.log" 2>&1
    local got=$?
    [ "$got" -eq "$1" ] || fail "exit code $got, expected $1"
    grep -q -- "$2" "$work/bench.log" || fail "it does not say '$2'"
}

uno=$work/uno
start uno "$doppel" emulate firmata --pty "$uno"
until_true 5 test -e "$uno" || fail "no board"
board=(--set Bench.CarPins.ApiName=firmata --set "Bench.CarPins.Address=$uno" --set "Bench.CarPins.Pins=$(
    sed -n 's/.*name="Pins">\([^<]*\)<.*/\1/p' "$profiles/bindings/process/firmata.xml"
)")
cannot() { # one after the other: the board has one host
    bench 3 "Servo: .*pin 'SERVO' cannot be a PWM input: .*; set Input=analog" "${board[@]}"
    bench 3 "MotorLeft: .*pin 'MOTOR_A' .*; set Input=analog" "${board[@]}" --set Bench.Servo.Input=analog
    bench 3 "Infrared3: .*pin 'IR3' .*; set Output=pwm" "${board[@]}" --set Bench.Servo.Input=analog --set Bench.MotorLeft.Input=analog \
        --set Bench.MotorRight.Input=analog
}
row "what a board cannot do is told with what to set" cannot

link=$work/link
in_use() { # by another bench or an emulator
    start first "$doppel" bench race/process --clock real --quiet --set "Bench.CarPins.Address=pty:$link"
    until_true 5 test -e "$link" || fail "no board"
    bench 5 "fault: .*$link: in use by another running process" --set "Bench.CarPins.Address=pty:$link"
    "$doppel" emulate firmata --pty "$link" >"$work/emulator.log" 2>&1 && fail "an emulator took the bench's board"
    grep -q "in use by another running process" "$work/emulator.log" || fail "an emulator: no word of it"
}
row "the board of a bench is its own" in_use
row "the car that steers" bench 0 "^ok   process: timeout" --bind ackermann --set "Bench.CarPins.Address=pty:$work/steers" \
    --set Bench.Referee.MaxTicks=20 --set Bench.Referee.Expect=timeout
rows_end
