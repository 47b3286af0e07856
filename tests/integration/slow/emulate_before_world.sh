#!/usr/bin/env bash
# An emulator that is started before its world says that it waits, and where it is only when the world has answered. A world that lacks
# its robot is told; the one after it is taken. When that is lost, and comes again, it says so.
source "$(dirname "$0")/../lib.sh"
port=$(free_port)
address=tcp://127.0.0.1:$port
cd "$work" || exit 1
says() { # NAME TEXT: a line of it
    grep -qE "^doppel emulate ${1%_*}: $2" "$1.log"
}
# waiting NAME ARGS...: an emulator without a world
waiting() {
    local name=$1
    shift
    start "$name" "$doppel" emulate "${name%_*}" --pty "$work/$name" --world "$address" --robot avatar "$@"
    until_true 2 says "$name" "waits for the world at $address$" || fail "$name does not say that it waits"
    test -e "$work/$name" || fail "$name has no port"
}
waiting urg
waiting kobuki
waiting imu --rate 0.2
waiting urg_ended
sleep 1
for name in urg kobuki imu; do
    says "$name" "at " && fail "$name announces itself without a world"
    [ "$(wc -l <"$name.log")" -eq 1 ] || fail "$name says more than that it waits"
done
kill -TERM "$last"
wait "$last" || fail "ended while it waits: exit code $?"
[ ! -e "$work/urg_ended" ] || fail "a port is left"

echo '<world name="bare"><ground/></world>' >bare.xml
start bare "$doppel" sim bare.xml --port "$port"
for name in urg kobuki imu; do
    until_true 5 says "$name" "$address: .*avatar" || fail "$name does not say what the world lacks"
    says "$name" "at " && fail "$name announces itself without its robot"
done
kill -INT "$last"
wait "$last"

sed 's#</robot_model>#<imu name="imu" z="0.1" rate_hz="100"/></robot_model>#' "$profiles/robots/kobuki_urg.xml" >robot.xml
echo '<world name="whole"><ground/><robot name="avatar" model="robot.xml"/></world>' >whole.xml
start whole "$doppel" sim whole.xml --port "$port"
for name in urg kobuki imu; do
    until_true 10 says "$name" "at .*$work/$name" || fail "$name is not there with its world"
    [ "$(grep -c ": at " "$name.log")" -eq 1 ] || fail "$name announces itself again"
done

kill -KILL "$last"
wait "$last"
for name in urg kobuki imu; do
    until_true 10 grep -q "the world at $address does not answer" "$name.log" || fail "$name does not say that its world is lost"
done
start whole "$doppel" sim whole.xml --port "$port"
for name in urg kobuki imu; do
    until_true 10 grep -q "the world answers again" "$name.log" || fail "$name does not say that its world is back"
done
