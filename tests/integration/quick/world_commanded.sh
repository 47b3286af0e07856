#!/usr/bin/env bash
# Another client commands the robot of a served world: who puts something is refused, and the client is named. A world that falls silent is another trouble.
source "$(dirname "$0")/../lib.sh"
start sim "$doppel" sim office --port 0
world=$last
until_true 5 grep -q "^serving" "$work/sim.log" || fail "no world"
address=$(sed -n 's|^serving .* at \(tcp://[^,]*\),.*|\1|p' "$work/sim.log")
start driver "$doppel" world "$address" put avatar/LeftWheel/speed=1 --hold 60
driver=$last
moves() {
    "$doppel" world "$address" get avatar/enc_left/velocity | awk '$2 > 0.5 {moves = 1} END {exit !moves}'
}
until_true 5 moves || fail "the driver does not drive"
[ "$("$doppel" world "$address" get avatar/LeftWheel/speed)" = "avatar/LeftWheel/speed 1 rad/s" ] || fail "what the driver puts cannot be read"
for value in place=1,0,0 LeftWheel/speed=2; do
    "$doppel" world "$address" put "avatar/$value" >"$work/said.log" 2>&1
    [ $? -eq 3 ] || fail "exit code of put $value"
    grep -q "^doppel world: part 'avatar' is controlled by client 'doppel\[$driver\]'$" "$work/said.log" || fail "the client is not named"
done
start watcher "$doppel" world "$address" get --watch avatar/LeftWheel/speed avatar/enc_left/angle
watcher=$last
until_true 5 grep -q "^avatar/LeftWheel/speed 1 rad/s$" "$work/watcher.log" || fail "the watcher does not see what is put"
kill "$driver"
wait "$driver" 2>/dev/null
until_true 5 grep -q "^avatar/LeftWheel/speed not put$" "$work/watcher.log" || fail "the watcher does not see that it is let go"
kill -INT "$watcher"
wait "$watcher" || fail "the exit code of the watcher"
[ "$(grep -c "^avatar/enc_left/angle [0-9.]* rad$" "$work/watcher.log")" -ge 3 ] && [ "$(grep -c speed "$work/watcher.log")" -eq 2 ] || fail "not each change once"
stands() { ! moves; }
until_true 5 stands || fail "the wheels were not let go"
start driver "$doppel" world "$address" put avatar/LeftWheel/speed=1 --hold 2
driver=$last
until_true 5 moves || fail "the second driver does not drive"
kill -STOP "$world"
wait "$driver" 2>/dev/null
[ $? -eq 3 ] || fail "the exit code when a world falls silent"
grep -q "^doppel world: the world was lost: no world answers$" "$work/driver.log" || fail "a world that falls silent"
