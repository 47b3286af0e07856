#!/usr/bin/env bash
# The emulated WitMotion sensor on a robot that rests in a world, read by a host written from the data sheet alone.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# a sensor without noise, on the robot of the shipped world
sed 's/ gyro_noise=.*"/ /' "$profiles/robots/two_wheels_imu.xml" >robot.xml
sed "s#two_wheels_imu.xml#$work/robot.xml#" "$profiles/worlds/imu.xml" >world.xml
grep -q "noise" robot.xml && fail "the robot has noise"
start sensor "$doppel" emulate imu --pty "$work/imu" --world world.xml --robot avatar --rate 50
until_true 5 test -e "$work/imu" || fail "no sensor"

python3 "$source_dir/tests/clients/witmotion.py" "$work/imu" 2 >rest.log 2>&1 || fail "the client heard nothing"
cat rest.log
value() { # FILE NAME N: a number that the client printed
    awk -v name="$2" -v n="$3" '$1 == name { print $(n + 1) }' "$1"
}
number "abs($(value rest.log acceleration_g 3) - 1) < 0.01" || fail "no gravity"
number "abs($(value rest.log acceleration_g 1)) < 0.01 and abs($(value rest.log rate_deg_s 3)) < 0.2" || fail "it does not rest"
number "abs($(value rest.log period_s 1) - 0.02) < 0.002" || fail "not 50 a second"
number "$(value rest.log lost_bytes 1) == 0 and $(value rest.log other_types 1) == 0" || fail "bytes of no packet"
grep -q "in_order True" rest.log || fail "the packets are not in order"
