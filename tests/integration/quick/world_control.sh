#!/usr/bin/env bash
# doppel world: the time of a served world from the command line, while a robot drives in it; what is refused; its exit codes.
source "$(dirname "$0")/../lib.sh"
start sim "$doppel" sim office --port 0
world=$last
until_true 5 grep -q "^serving" "$work/sim.log" || fail "no world"
address=$(sed -n 's|^serving .* at \(tcp://[^,]*\),.*|\1|p' "$work/sim.log")

# control COMMAND...: what is said goes to $work/said
control() {
    timeout 60 "$doppel" world "$address" "$@" >"$work/said" 2>&1
}
# must PATTERN COMMAND...: it is done, and says this
must() {
    local pattern=$1
    shift
    control "$@" || fail "world $*: $(<"$work/said")"
    grep -qE -- "$pattern" "$work/said" || fail "world $*: no '$pattern' in: $(<"$work/said")"
}
# refused CODE PATTERN COMMAND...
refused() {
    local code=$1 pattern=$2 got
    shift 2
    control "$@"
    got=$?
    [ $got -eq "$code" ] || fail "world $*: exit $got, expected $code: $(<"$work/said")"
    grep -q -- "$pattern" "$work/said" || fail "world $*: no '$pattern' in: $(<"$work/said")"
}
steps() { sed -n 's/.* step \([0-9]*\),.*/\1/p' "$work/said"; }

must "^world 'office': runs at .*, rate 1$"
must "^world 'office': paused" pause
before=$(steps)
must "paused" step 25
[ "$(steps)" -eq $((before + 25)) ] || fail "step 25 went from $before to $(steps)"
must "paused" status
[ "$(steps)" -eq $((before + 25)) ] || fail "time does not stand still"
must "paused" rate max
must "paused" snapshot here
must "paused" for 30
[ "$(steps)" -eq $((before + 30025)) ] || fail "for 30 went to $(steps)"
must "paused" restore here
[ "$(steps)" -eq $((before + 25)) ] || fail "restore went to $(steps)"
must "paused at 50.001000 s" until 'time > 50'
must "paused at 0.000000 s, step 0" reset
must "runs at" run
must "rate 0.5" rate 0.5

refused 1 "did you mean 'pause'" puase
refused 1 "there is no snapshot of that name" restore there
refused 1 "cannot be read" until 'avatar/LeftWheel/speed > 3'
refused 1 "a rate from 0.01" rate 0
refused 1 "unknown command 'pa.x0ause'" $'pa\nuse'
[ "$(wc -l <"$work/said")" -eq 1 ] || fail "not one line: $(<"$work/said")"
refused 1 "longer than 500" "$(printf '%0505d' 0)"
refused 1 "longer than 500" "$(printf '%02000d' 0)"
refused 3 "has not done it in time" for 100 --timeout 1
must "runs to its goal" status
timeout 60 "$doppel" world office pause >"$work/said" 2>&1
[ $? -eq 1 ] || fail "an address that is none: $(<"$work/said")"
timeout 60 "$doppel" world >"$work/said" 2>&1
[ $? -eq 2 ] || fail "no address: $(<"$work/said")"
timeout 60 "$doppel" world tcp://127.0.0.1:1 pause >"$work/said" 2>&1
[ $? -eq 3 ] || fail "nobody there: $(<"$work/said")"

# values: what one puts is let go when the command ends
must "runs at" run
must "^avatar/enc_left/angle 0 rad$" get avatar/enc_left/angle
control put avatar/LeftWheel/speed=2 avatar/RightWheel/speed=2 --hold 0.5 || fail "put: $(<"$work/said")"
must "^avatar/enc_left/angle 0*[.]?[1-9][0-9.]* rad$" get avatar/enc_left/angle
refused 1 "did you mean" get avatar/enc_lef/angle
refused 1 "expected PATH=VALUE" put avatar/LeftWheel/speed
refused 1 "takes a number" put avatar/LeftWheel/speed=fast
# a request is answered: on the wall there is no place, and nothing has moved
refused 1 "avatar/place: the world refuses it now: something is in the way" put avatar/place=8,0,0
must "^avatar/x -?0([.][0-9]*)? m$" get avatar/x
refused 1 "avatar/place: the world refuses this value" put avatar/place=99999999,0,0
control put avatar/place=1,0,0 --hold 0 || fail "put place: $(<"$work/said")"
must "^avatar/x (1|1[.]0[0-9]*|0[.]99[0-9]*) m$" get avatar/x
timeout 60 "$doppel" world tcp://127.0.0.1:1 get time >"$work/said" 2>&1
[ $? -eq 3 ] || fail "nobody there: $(<"$work/said")"

# another client commands the robot: it is named; a world that falls silent is another trouble
start driver "$doppel" world "$address" put avatar/LeftWheel/speed=1 --hold 6
driver=$last
moves() {
    control get avatar/enc_left/velocity && grep -q "velocity 0*[.]*[0-9]*[1-9]" "$work/said"
}
until_true 5 moves || fail "the driver does not drive: $(<"$work/said")"
for value in place=1,0,0 LeftWheel/speed=2; do
    refused 3 "^doppel world: part 'avatar' is controlled by client 'doppel\[$driver\]'$" put "avatar/$value"
done
kill -STOP "$world"
wait "$driver"
[ $? -eq 3 ] || fail "a world that falls silent: $(<"$work/driver.log")"
grep -q "^doppel world: the world was lost: no world answers$" "$work/driver.log" || fail "a world that falls silent: $(<"$work/driver.log")"
kill -CONT "$world"

must "runs" rate 1
kill -INT "$world"
wait "$world" || fail "the world ended with $?"
grep -q "client 'doppel world': until time > 50" "$work/sim.log" || fail "the world does not tell who controls it"

start lockstep "$doppel" sim office --port 0 --lockstep
until_true 5 grep -q "^serving" "$work/lockstep.log" || fail "no world in lock-step"
address=$(sed -n 's|^serving .* at \(tcp://[^,]*\),.*|\1|p' "$work/lockstep.log")
refused 1 "moves by grants" pause
