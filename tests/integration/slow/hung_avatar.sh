#!/usr/bin/env bash
# A component hangs for 1.5 s in the executor that commands an avatar, embedded or served, or a mock: each stands still 0.3 s after
# the cycle that hung, and does not go on by itself. A client that is killed is stopped by the server.
source "$(dirname "$0")/../lib.sh"
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
avatar='<property name="ApiName">avatar</property><property name="WheelDiameter">0.07</property>
    <property name="AxleDistance">0.23</property><property name="R_Motor_Name">RightWheel</property>
    <property name="L_Motor_Name">LeftWheel</property>'
drive_with_trouble "$work/embedded.xml" "$avatar" "$profiles/worlds/empty.xml"
drive_with_trouble "$work/served.xml" "$avatar<property name=\"ip\">127.0.0.1</property>" "$profiles/worlds/empty.xml"
drive_with_trouble "$work/mock.xml" '<property name="ApiName">mock</property>' "$profiles/worlds/empty.xml"
# way NAME X Y: how far it got between the last cycle before the hang and the first one after it
way() {
    python3 - "$work/$1/trace.csv" "$2" "$3" <<'PY'
import csv, math, sys
rows = [(float(r["t"]), float(r[sys.argv[2]]), float(r[sys.argv[3]])) for r in csv.DictReader(open(sys.argv[1]))]
hang = max(range(1, len(rows)), key=lambda i: rows[i][0] - rows[i - 1][0])
before, after = rows[hang - 1], rows[min(hang + 1, len(rows) - 1)]
assert after[0] - before[0] > 1.2, "it did not hang"
assert math.dist(rows[-1][1:], after[1:]) > 0.1, "it does not go on with the next command"
print(f"{math.dist(before[1:], after[1:]):.3f}")
PY
}
# 0.2 m/s for one period and the limit of 0.3 s, and the ramp: 0.11 m; without a stop it would be 0.3 m
check() { # NAME X Y
    local m
    m=$(way "$@") || fail "$1: see above"
    echo "$1: $m m in a hang of 1.5 s" >&2
    number "0.03 < $m < 0.16" || fail "$1: it drove $m m while nobody commanded it"
}
hang() { # NAME ARGS...
    local name=$1
    shift
    "$doppel" run "$work/$name.xml" --set Trouble.What=sleep --set Trouble.At=1.5 --set Trouble.For=1.5 --quiet --duration 5 \
        --out "$work/$name" "$@" >"$work/$name.log" 2>&1 || fail "$name: the run failed"
}
hang embedded
check embedded WheelController.true_x WheelController.true_y
hang mock
check mock WheelController.x WheelController.y
port=$(free_port)
start sim "$doppel" sim empty.xml --port $port
until_true 5 grep -q serving "$work/sim.log"
hang served --set WheelController.port=$port
check served WheelController.true_x WheelController.true_y
# killed: the server stops its motors. A second one takes over its robot without waiting for that, the third waits
start killed "$doppel" run "$work/served.xml" --set WheelController.port=$port --quiet
killed=$last
sleep 1.5
kill -9 "$killed"
sleep 1
grep -q "is silent: what it has put is released" "$work/sim.log" || fail "the server did not stop the motors of a client that was killed"
# two at once: the second is refused, and says by whom; one that asks to take over gets the robot
start first "$doppel" run "$work/served.xml" --set WheelController.port=$port --quiet --duration 9
first=$last
sleep 1.5
"$doppel" run "$work/served.xml" --set WheelController.port=$port --quiet --duration 2 >"$work/second.log" 2>&1
[ $? -eq 3 ] || fail "the second controller is not refused"
grep -q "controlled by client 'doppel\[$first\]'; property TakeOver" "$work/second.log" || fail "the second is not told by whom"
grep -q "wants to control part" "$work/first.log" || fail "the first is not told"
"$doppel" run "$work/served.xml" --set WheelController.port=$port --set WheelController.TakeOver=true --quiet --duration 2 \
    >"$work/third.log" 2>&1 || fail "the third does not get the robot"
grep -q "took over part 'avatar' from client 'doppel\[$first\]'" "$work/third.log" || fail "the third is not told from whom it took it"
grep -q "client 'doppel\[[0-9]*\]' took over part 'avatar' from client 'doppel\[$first\]'" "$work/sim.log" || fail "the world does not tell it"
grep -q "took over part" "$work/first.log" || fail "the first is not told that its robot was taken"
wait "$first" || fail "the first does not go on when the robot is free again"
