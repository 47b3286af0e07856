#!/usr/bin/env bash
# The Kobuki's emulator drives into a wall: the bumper is felt at each speed, on the side where it is, as long as the
# base pushes, and not longer. The base's stamps step by 20 ms.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"

# felt SPEED HEADING SIDES: mm/s, rad, and the bits of the bumper that may be felt: 1 right, 2 centre, 4 left
felt() {
    local world=$work/wall.xml port
    cat >"$world" <<XML
<world name="wall" step_ms="1">
  <ground/>
  <wall x1="0.55" y1="-5" x2="0.55" y2="5" thickness="0.1"/>
  <robot name="robot" model="kobuki_urg.xml" yaw="$2"/>
</world>
XML
    if [ "$3" -eq 4 ]; then # the touch comes over the link, from a world that another emulator serves
        port=$(free_port)
        start laser "$doppel" emulate urg --pty "$work/laser" --world "$world" --robot robot --serve "$port"
        until_true 10 test -e "$work/laser" || fail "no served world"
        world=tcp://127.0.0.1:$port
    fi
    start base "$doppel" emulate kobuki --pty "$work/pty" --world "$world" --robot robot
    until_true 10 test -e "$work/pty" || fail "no base"
    python3 "$source_dir/tests/integration/slow/kobuki_touch.py" "$work/pty" "$1" "$3" 10
}
n=0
while read -r speed heading sides; do
    beside "$speed mm/s, heading $heading rad" felt "$speed" "$heading" "$sides"
    n=$((n + 1)) # a few at a time: each world follows the clock
    [ $((n % 4)) -gt 0 ] || rows_told
done <<'TRIES'
100 0 2
250 0 2
300 0 2
350 0 2
400 0 2
500 0 2
600 0 2
300 0.785 1
500 0.785 1
300 -0.785 4
500 -0.785 4
TRIES
rows_end
