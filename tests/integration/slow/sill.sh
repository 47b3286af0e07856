#!/usr/bin/env bash
# A robot that is stopped by a sill lower than its laser, in the real world only, while the patrol drives on. Its wheels spin or stall: the
# avatar stays with it, nothing is taken for a relocation, and the log says it once. Two worlds, simulated time.
source "$(dirname "$0")/../lib.sh"
run() { # NAME FRICTION: the patrol with a sill of 4 cm across its way
    sed -e 's|</world>|  <box name="sill" x="0.9" y="0" size_x="0.05" size_y="1.2" size_z="0.04"/></world>|' -e "s/friction=\"0.8\"/friction=\"$2\"/" \
        "$profiles/worlds/office_truth.xml" >"$work/$1.xml"
    "$doppel" run patrol --bind twin --clock sim --quiet --duration 40 --set "WheelController.hardware.World=$work/$1.xml" \
        --set "LaserScanner.hardware.World=$work/$1.xml" --out "$work/$1" >"$work/$1.log" 2>&1 || fail "run $1"
}
value() { # NAME KEY
    json "$work/$1/summary.json" "$2"
}
says() { # NAME TIMES TEXT
    [ "$(grep -c "$3" "$work/$1.log")" = "$2" ] || fail "$1: not $2 times: $3"
}
stays() { # NAME: the avatar is never put anywhere and never far from the robot
    for count in relocations strayed teleports diverged_ticks; do
        [ "$(value "$1" sync.$count)" = 0 ] || fail "$1: $count $(value "$1" sync.$count)"
    done
    number "$(value "$1" sync.true_max_mm) < 120" || fail "$1: the avatar was $(value "$1" sync.true_max_mm) mm from the robot"
    says "$1" 0 'found the real robot in another place'
    says "$1" 1 'the real robot is blocked'
}

run spins 0.8
stays spins
number "$(value spins sync.true_final_mm) < 25" || fail "the avatar is held $(value spins sync.true_final_mm) mm from the robot"
says spins 1 'Localizer: SLIP'
says spins 0 'not blocked any more'

# on a floor with more grip the wheels stall, until the patrol turns away from what it does not get closer to
run stalls 8
stays stalls
says stalls 1 'Localizer: BLOCKED, wheel both'
says stalls 1 'not blocked any more'
number "$(value stalls sync.true_final_mm) < 10" || fail "freed, the avatar is $(value stalls sync.true_final_mm) mm from the robot"
