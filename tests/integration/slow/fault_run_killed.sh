#!/usr/bin/env bash
# kill -9 of `doppel run`: the base stops by its own watchdog within 0.6 s.
source "$(dirname "$0")/../lib.sh"
source "$(dirname "$0")/../witness.sh"
stands_since() { # TIME: for longer than a second after it
    stands truth && awk -v since="$1" 'END { exit $1 < since + 1.5 }' "$work/truth.log"
}
start_robot
witness truth "${world##*:}" robot
start run "$doppel" run patrol --bind hw_emulated "${robot[@]}" --quiet --duration 60
until_true 20 drives truth || fail "the robot does not drive"
since=$(killed "$last" 9)
until_true 5 stands_since "$since" || fail "the base drives on"
mm=$(way_after truth "$(python3 -S -c "print($since + 0.6)")")
echo "it moved $mm mm from 0.6 s on"
number "$mm < 3" || fail "the base moved $mm mm, 0.6 s after its host was killed"
kill -0 "$base" 2>/dev/null || fail "the base's emulator ended"
