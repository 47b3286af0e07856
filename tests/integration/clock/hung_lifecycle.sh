#!/usr/bin/env bash
# A component hangs in a callback of its life cycle, on the control thread: what it has told a base to do ends soon after, somebody
# says where the run hangs, and a second SIGTERM ends it at once. A callback that only takes its time disturbs nothing.
source "$(dirname "$0")/../lib.sh"
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
avatar='<property name="ApiName">avatar</property><property name="ip">127.0.0.1</property><property name="WheelDiameter">0.07</property>
    <property name="AxleDistance">0.23</property><property name="R_Motor_Name">RightWheel</property>
    <property name="L_Motor_Name">LeftWheel</property>'
drive_with_trouble "$work/served.xml" "$avatar" "$profiles/worlds/empty.xml"
drive_with_trouble "$work/kobuki.xml" \
    "<property name=\"ApiName\">kobuki</property><property name=\"Address\">$work/kobuki</property>"
drive_with_trouble "$work/mock.xml" '<property name="ApiName">mock</property>'
# drove FILE: for how long the robot moved, s; the truth of its world, as an independent witness saw it
drove() {
    python3 - "$1" <<'PY'
import sys
rows = [line.split() for line in open(sys.argv[1])]
moving = [float(row[0]) for row in rows if len(row) == 5 and abs(float(row[1])) > 0.01]
print(f"{moving[-1] - moving[0] if moving else 0:.2f}")
PY
}
# leave NAME WHERE: two requests end the last process that was started; it says where it hung
leave() {
    local begun seconds code pid=$last
    kill "$pid"
    sleep 0.5
    kill -0 "$pid" 2>/dev/null || fail "$1: the first request ends it although $2 hangs"
    begun=$(date +%s%N)
    kill "$pid"
    wait "$pid"
    code=$?
    seconds=$(python3 -c "print(($(date +%s%N) - $begun) / 1e9)")
    echo "$1: exit code $code, $seconds s after the second request" >&2
    [ $code -eq 3 ] || fail "$1: exit code $code"
    number "$seconds < 1" || fail "$1: it ends $seconds s after the second request"
    grep -q "^error: Trouble in $2 did not return" "$work/$1.log" || fail "$1: who hangs is not told"
}
witness() { # NAME PORT ROBOT
    start "$1" "$build/tests/integration/watch_robot" "tcp://127.0.0.1:$2" "$3"
    until_true 5 test -s "$work/$1.log" || fail "$1: no witness"
}

# it drives the avatar of a served world from its start or initialize, and hangs
for where in start initialize; do
    port=$(free_port)
    start sim "$doppel" sim empty.xml --port $port
    sim=$last
    until_true 5 grep -q serving "$work/sim.log"
    witness avatar_$where $port avatar
    witness=$last
    start served_$where "$doppel" run "$work/served.xml" --set WheelController.port=$port --set Trouble.What=sleep --set Trouble.For=60 \
        --set Trouble.Where=$where --set Trouble.Drive=0.2 --quiet
    sleep 3
    leave served_$where $where
    kill "$witness" "$sim"
    seconds=$(drove "$work/avatar_$where.log")
    echo "served, $where: the avatar drove for $seconds s" >&2
    number "0.2 < $seconds <= 1" || fail "served, $where: the avatar drove for $seconds s"
done
grep -q "WheelController: stopped: its newest command came from a callback of the life cycle" "$work/served_start.log" ||
    fail "the stop is not told"

# a base on its wire: what is commanded there does not begin, and what moves when the stop hangs ends
try_base() { # NAME LEAST MOST ARGS...
    local name=$1 least=$2 most=$3 emulator witness seconds port=$(free_port)
    shift 3
    start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world empty_truth.xml --robot robot --serve $port
    emulator=$last
    until_true 5 test -e "$work/kobuki" || fail "$name: no base"
    witness base_$name $port robot
    witness=$last
    start kobuki_$name "$doppel" run "$work/kobuki.xml" --set Trouble.What=sleep --set Trouble.For=60 "$@" --quiet
    sleep 4
    leave kobuki_$name "$name"
    sleep 0.5
    kill "$witness" "$emulator"
    wait "$emulator"
    seconds=$(drove "$work/base_$name.log")
    echo "kobuki, $name: the base drove for $seconds s" >&2
    number "$least <= $seconds <= $most" || fail "kobuki, $name: the base drove for $seconds s, expected at most $most s"
}
try_base start 0 0.6 --set Trouble.Where=start --set Trouble.Drive=0.2
try_base stop 1 2.4 --set Trouble.Where=stop --duration 1.5
grep -q "WheelController: stopped: executor .* has ended, and the run has not" "$work/kobuki_stop.log" || fail "the stop is not told"
grep -q "Trouble: stop has not returned for 1.0 s" "$work/kobuki_stop.log" || fail "a stop that hangs is not told by itself"

# whatever callback and clock it is: two requests end it, and the folder of results says why
for where in initialize start stop destroy; do
    for clock in real sim; do
        start mock_${where}_$clock "$doppel" run "$work/mock.xml" --set Trouble.What=loop --set Trouble.For=60 --set Trouble.Where=$where \
            --clock $clock --duration 0.2 --quiet --out "$work/out"
        sleep 1
        leave mock_${where}_$clock $where
        grep -q "Trouble in $where did not return" "$work/out/summary.json" || fail "$where, $clock: the summary does not tell it"
    done
done

# an initialize and a start that take their time, and command nothing: nothing is stopped
for where in initialize start; do
    "$doppel" run "$work/mock.xml" --set Trouble.What=sleep --set Trouble.For=1.5 --set Trouble.Where=$where --duration 1 --quiet \
        --out "$work/slow" >"$work/slow.log" 2>&1 || fail "a slow $where ends the run"
    grep -q "stopped\|has not returned" "$work/slow.log" && fail "a slow $where is taken for a hang"
    [ "$(json "$work/slow/summary.json" faults)" = 0 ] || fail "a slow $where is a fault"
done
exit 0
