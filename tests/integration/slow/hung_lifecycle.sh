#!/usr/bin/env bash
# A component tells a base to drive and hangs in a callback of its life cycle, on the control thread: the base stops soon after.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
source "$(dirname "$0")/../witness.sh"
source "$(dirname "$0")/../hung.sh"
# drove_from LEAST MOST: when it stands
drove_from() {
    local seconds
    until_true 10 stands truth || fail "it does not stand"
    seconds=$(drove truth)
    echo "it drove for $seconds s"
    number "$1 <= $seconds <= $2" || fail "it drove for $seconds s"
}
begun() { [ "$(drove truth)" != 0.00 ]; }
# the avatar of a served world
served() { # WHERE
    local port=$(free_port)
    start sim "$doppel" sim empty.xml --port "$port"
    until_true 10 grep -q serving "$work/sim.log" || fail "no world"
    witness truth "$port" avatar
    hung "$1" avatar --set WheelController.port="$port" --set Trouble.What=sleep --set Trouble.Drive=0.2
    until_true 5 begun || fail "it does not drive"
    drove_from 0.2 1
    left "$1"
    drove_from 0.2 1
    [ "$1" != start ] || grep -q "WheelController: stopped: its newest command came from a callback of the life cycle" "$work/run.log" || fail "not told"
}
# a base on its wire: what is commanded there does not begin, and what moves when the stop hangs ends
wired() { # WHERE LEAST MOST ARGUMENT...
    local port=$(free_port)
    start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world empty_truth.xml --robot robot --serve "$port"
    until_true 10 test -e "$work/kobuki" || fail "no base"
    witness truth "$port" robot
    hung "$1" kobuki --set Trouble.What=sleep "${@:4}"
    [ "$1" != stop ] || until_true 5 grep -q "Trouble: stop has not returned for 1\.[0-9] s" "$work/run.log" || fail "a stop that hangs is not told by itself"
    drove_from "$2" "$3"
    left "$1"
    drove_from "$2" "$3"
    [ "$1" != stop ] || grep -q "WheelController: stopped: executor .* has ended, and the run has not" "$work/run.log" || fail "the stop is not told"
}
for where in start initialize; do
    beside "an avatar stops that was told to drive in $where" served $where
done
beside "a base is not moved from a start that hangs" wired start 0 0.6 --set Trouble.Drive=0.2
beside "a base stops when a stop hangs" wired stop 0.3 1.7 --duration 0.8
rows_end
