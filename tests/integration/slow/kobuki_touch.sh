#!/usr/bin/env bash
# The Kobuki's emulator drives into a wall: the bumper is felt at each speed, on the side where it is, as long as the
# base pushes, and not longer. The base's stamps step by 20 ms.
source "$(dirname "$0")/../lib.sh"

write_world() { # FILE HEADING
    cat >"$1" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<world name="wall" step_ms="1">
  <ground/>
  <wall x1="0.55" y1="-5" x2="0.55" y2="5" thickness="0.1"/>
  <robot name="robot" model="kobuki_urg.xml" yaw="$2"/>
</world>
XML
}

# speed in mm/s, heading, and the bits of the bumper that may be felt: 1 right, 2 centre, 4 left
tries=(
    "100 0 2" "250 0 2" "300 0 2" "350 0 2" "400 0 2" "500 0 2" "600 0 2"
    "300 0.785 1" "500 0.785 1" "300 -0.785 4" "500 -0.785 4"
)
n=0 hosts=()
for try in "${tries[@]}"; do
    read -r speed heading sides <<<"$try"
    n=$((n + 1))
    write_world "$work/$n.xml" "$heading"
    world=$work/$n.xml
    if [ "$sides" -eq 4 ]; then # the touch comes over the link, from a world that another emulator serves
        port=$(free_port)
        start "laser$n" "$doppel" emulate urg --pty "$work/laser$n" --world "$world" --robot robot --serve $port
        until_true 10 test -e "$work/laser$n" || fail "no served world"
        world=tcp://127.0.0.1:$port
    fi
    start "base$n" "$doppel" emulate kobuki --pty "$work/pty$n" --world "$world" --robot robot
    until_true 10 test -e "$work/pty$n" || fail "no base"
    python3 "$source_dir/tests/integration/slow/kobuki_touch.py" "$work/pty$n" "$speed" "$sides" 10 \
        >"$work/host$n.log" 2>&1 &
    hosts+=($!)
    # a few at a time: each world follows the clock
    [ $((n % 4)) -eq 0 ] && for host in "${hosts[@]: -4}"; do wait "$host"; done
done
missed=0
for i in "${!hosts[@]}"; do
    wait "${hosts[$i]}" || missed=$((missed + 1))
    tail -n 1 "$work/host$((i + 1)).log"
done
[ $missed -eq 0 ] || fail "$missed of $n impacts were not felt as they should be"
