#!/usr/bin/env bash
# A controller in a process of its own, over Firmata: killed, stopped, hanging or talking nonsense it leaves a car that stands still, and a verdict
# that says why. Needs the clock: a controller is lost after 500 ms without a word. (It finishes: docs/guides/race-car.md.)
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
sed 's|<finish x1="0" y1="5" x2="1" y2="5"/>|<finish x1="0" y1="1.5" x2="1" y2="1.5"/>|' "$profiles/worlds/track_straight.xml" >"$work/short.xml"
short=$work/short.xml

# bench ARGUMENTS...: starts the bench and waits for its board
bench() {
    board=$work/board
    start bench "$doppel" bench race/process --clock real --out "$work/out" --set "Bench.CarPins.Address=pty:$board" \
        --set Bench.Referee.SilentAfter=1.2 "$@"
    bench=$last
    until_true 5 test -e "$board" || fail "no board"
}
controller() {
    start controller "$doppel" run wall_follower --quiet --set "ControllerPins.Address=$board"
    controller=$last
}
drives() { # a row of the log, each 0.1 s, shows the car beyond 0.3 m
    until_true 10 grep -qE "Referee: [0-9]+,[0-9]+,([3-9][0-9]{2}|[0-9]{4})," "$work/bench.log" || fail "it does not drive"
}
ended() { # CODE
    wait "$bench"
    local code=$?
    [ "$code" -eq "$1" ] || fail "exit code $code, expected $1"
}
stands() { # the last half second of its log (a row of it is rounded to mm) shows a car that drove and now stands
    python3 - "$work/out/log.csv" <<'PY' || fail "the car did not stop"
import csv, sys
rows = [[int(v) for v in row[:5]] for row in list(csv.reader(open(sys.argv[1])))[1:]]
assert rows[-1][2] > 300, "it never drove"
last = rows[-40:]
assert all(row[3] == 0 for row in last), [row for row in last if row[3]]
assert all(abs(row[i] - last[0][i]) <= 1 for row in last for i in (1, 2)), last[:3] + last[-3:]
PY
}
told() { # TEXT: the verdict says it, with the board
    json "$work/out${2:-}/summary.json" verdict.text | piped "; Bench.CarPins is lost: pty:$board: $1" ||
        fail "the verdict does not say why: $(json "$work/out${2:-}/summary.json" verdict.text)"
}

silent() { # SIGNAL REASON
    bench --set Bench.Referee.Expect=silent
    controller
    drives
    kill "-$1" "$controller"
    ended 0
    stands
    told "$2"
}
row "it is killed" silent KILL "the controller has disconnected: "
row "it is stopped" silent STOP "no message from the controller for 500 ms"

# its process goes on talking to the board: its driver turns the motors off, and they stay off. The bench would hold a silent controller's last
# values for a minute here
hangs() {
    sed -e "s|</subcomponents>|<subcomponent><name>Trouble</name><execution_semantics><type>periodic-shared</type>\
<period>50</period></execution_semantics><properties><property name=\"What\">sleep</property>\
<property name=\"At\">1.5</property></properties></subcomponent></subcomponents>|" "$profiles/apps/wall_follower.xml" >"$work/hangs.xml"
    bench --set Bench.Referee.SilentAfter=0 --set Bench.Referee.MaxTicks=350 --set Bench.Referee.Expect=timeout \
        --set Bench.MotorLeft.SilentAfter=60 --set Bench.MotorRight.SilentAfter=60 --set Bench.Car.SilentAfter=60
    DOPPEL_PLUGIN_PATH=$build/tests/support/trouble start controller "$doppel" run "$work/hangs.xml" --quiet --set "ControllerPins.Address=$board"
    ended 0
    stands
    grep -q "stopped: executor .* that commands it is late by more than 300 ms" "$work/controller.log" || fail "it is not told"
}
row "it hangs" hangs

late() { # too late for a verdict of its own
    bench --set Bench.Referee.SilentAfter=60 --set Bench.Referee.MaxTicks=300 --set Bench.Referee.Expect=timeout
    controller
    drives
    kill -KILL "$controller"
    ended 0
    told "the controller has disconnected: "
}
row "it is killed too late for a verdict of its own" late

nonsense() { # no byte of it is a command; the next run has a controller again, and finishes
    bench --repeat 2 --set "Bench.Track.World=$short"
    until_next() { ! test -e "$work/out/2"; }
    (while until_next; do
        printf 'GET / HTTP/1.1\r\nHost: car\r\n\r\n'
        sleep 0.01
    done) >"$board" 2>/dev/null
    until_true 5 test -e "$work/out/2" || fail "the next run did not begin"
    until_true 5 test -e "$board" || fail "no second board"
    controller
    ended 4
    grep -q "^FAIL process seed 1: silent: SILENT: the controller has driven nothing" "$work/bench.log" || fail "no verdict"
    grep -q "^process: 1 of 2 runs as expected" "$work/bench.log" || fail "the next run did not finish"
    dropped=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["devices"]["Bench.CarPins"]["dropped_bytes"])' "$work/out/1/summary.json")
    told "the controller has sent no valid message for 500 ms: [0-9]* invalid bytes" /1
    [ "$dropped" -gt 100 ] || fail "nonsense was not counted: $dropped"
}
row "it talks nonsense; the next run finishes" nonsense
rows_end
