#!/usr/bin/env bash
# A controller in a process of its own, over Firmata: it finishes; killed, stopped or talking nonsense it leaves a car that
# stands still, a verdict that says why, and a bench that runs the next test.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
board=$work/board

# bench NAME ARGS...: starts the bench and waits for its board
bench() {
    local name=$1
    shift
    rm -f "$board"
    start "$name" "$doppel" bench race/process --clock real --quiet --out "$work/$name" \
        --set "Bench.CarPins.Address=pty:$board" --set Bench.Referee.SilentAfter=1.2 "$@"
    bench=$last
    until_true 5 test -e "$board" || fail "$name: no board"
}
controller() {
    start "controller$RANDOM" "$doppel" run wall_follower --quiet --set "ControllerPins.Address=$board"
    controller=$last
}
ended() { # NAME CODE
    wait "$bench"
    local code=$?
    [ "$code" -eq "$2" ] || fail "$1: exit code $code, expected $2"
}
stands() { # NAME: the last half second of its log (a row of it is rounded to mm) shows a car that drove and now stands
    python3 - "$work/$1/log.csv" <<'PY' || fail "$1: the car did not stop"
import csv, sys
rows = [[int(v) for v in row[:5]] for row in list(csv.reader(open(sys.argv[1])))[1:]]
assert rows[-1][2] > 300, "it never drove"
last = rows[-40:]
assert all(row[3] == 0 for row in last), [row for row in last if row[3]]
assert all(abs(row[i] - last[0][i]) <= 1 for row in last for i in (1, 2)), last[:3] + last[-3:]
PY
}

bench finishes
# the board is one bench's: another bench or an emulator does not take it away
"$doppel" bench race/process --clock real --quiet --set "Bench.CarPins.Address=pty:$board" >second.log 2>&1
[ $? -eq 1 ] || fail "a second bench at the same board: exit code"
grep -q "fault: .*$board: in use by another running process" second.log || fail "a second bench at the same board: no word of it"
"$doppel" emulate firmata --pty "$board" >emulator.log 2>&1 && fail "an emulator took the bench's board"
grep -q "in use by another running process" emulator.log || fail "an emulator at the bench's board: no word of it"
controller
ended finishes 0
[ "$(json finishes/summary.json Bench.Referee.verdict)" = '"finished"' ] || fail "no finish"
kill "$controller" 2>/dev/null

# told NAME TEXT: the verdict says it, with the board
told() {
    json "$1/summary.json" verdict.text | grep -q "; Bench.CarPins is lost: pty:$board: $2" ||
        fail "$1: the verdict does not say why: $(json "$1/summary.json" verdict.text)"
}
declare -A reason=([KILL]="the controller has disconnected: " [STOP]="no message from the controller for 500 ms")
for way in KILL STOP; do
    bench "silent$way" --set Bench.Referee.Expect=silent
    controller
    sleep 2
    kill -$way "$controller"
    ended "silent$way" 0
    stands "silent$way"
    told "silent$way" "${reason[$way]}"
    grep -q "SILENT" "silent$way.log" && fail "silent$way: --quiet shows what was expected"
    kill -KILL "$controller" 2>/dev/null
done

# it hangs, but its process goes on talking to the board: its driver turns the motors off, and they stay off. The bench would
# hold a silent controller's last values for a minute here
sed -e "s|</subcomponents>|<subcomponent><name>Trouble</name><execution_semantics><type>periodic-shared</type>\
<period>50</period></execution_semantics><properties><property name=\"What\">sleep</property>\
<property name=\"At\">2</property></properties></subcomponent></subcomponents>|" "$profiles/apps/wall_follower.xml" >hangs.xml
bench hung --set Bench.Referee.SilentAfter=0 --set Bench.Referee.MaxTicks=450 --set Bench.Referee.Expect=timeout \
    --set Bench.MotorLeft.SilentAfter=60 --set Bench.MotorRight.SilentAfter=60 --set Bench.Car.SilentAfter=60
DOPPEL_PLUGIN_PATH=$build/tests/support/trouble start controller_hangs "$doppel" run hangs.xml --quiet \
    --set "ControllerPins.Address=$board"
controller=$last
ended hung 0
stands hung
grep -q "stopped: executor .* that commands it is late by more than 300 ms" controller_hangs.log || fail "hung: not told"
kill -KILL "$controller" 2>/dev/null

# it leaves too late for a verdict of its own
bench late --set Bench.Referee.SilentAfter=60 --set Bench.Referee.MaxTicks=500 --set Bench.Referee.Expect=timeout
controller
until_true 3 test -e late || fail "late: no folder"
sleep 2
kill -KILL "$controller"
ended late 0
told late "the controller has disconnected: "

# nonsense: no byte of it is a command; the next run has a controller again, and finishes
bench nonsense --repeat 2
(for _ in $(seq 80); do
    printf 'GET / HTTP/1.1\r\nHost: car\r\n\r\n'
    sleep 0.01
done) >"$board" 2>/dev/null
until_true 5 test -e nonsense/2 || fail "nonsense: the next run did not begin"
until_true 5 test -e "$board" || fail "no second board"
controller
ended nonsense 4
kill "$controller" 2>/dev/null
grep -q "^FAIL process seed 1: silent: SILENT: the controller has driven nothing" nonsense.log || fail "nonsense: no verdict"
grep -q "^process: 1 of 2 runs as expected" nonsense.log || fail "the next run did not finish"
dropped=$(python3 -c 'import json; print(json.load(open("nonsense/1/summary.json"))["devices"]["Bench.CarPins"]["dropped_bytes"])')
told nonsense/1 "the controller has sent no valid message for 500 ms: [0-9]* invalid bytes"
[ "$dropped" -gt 100 ] || fail "nonsense was not counted: $dropped"
