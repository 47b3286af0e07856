#!/usr/bin/env bash
# A component in the executor of the device components hangs, ends its thread, ends the process or crashes while the base
# drives: the base stands still soon after, and no end of the process is a success. Each happening is tried on a real pty.
source "$(dirname "$0")/../lib.sh"
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
drive_with_trouble "$work/drive.xml" \
    "<property name=\"ApiName\">kobuki</property><property name=\"Address\">$work/kobuki</property>"
# drove FILE: for how long the base moved, s; the truth of its world, as an independent witness saw it
drove() {
    python3 - "$1" <<'PY'
import sys
rows = [line.split() for line in open(sys.argv[1])]
moving = [float(row[0]) for row in rows if len(row) == 5 and abs(float(row[1])) > 0.01]
print(f"{moving[-1] - moving[0] if moving else 0:.2f}")
PY
}
# try WHAT LONGEST CODES ARGS...: trouble comes after 1.5 s; the base may move for LONGEST, and the run ends with one of CODES
try() {
    local what=$1 longest=$2 codes=$3 code seconds
    shift 3
    local port=$(free_port)
    start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world empty_truth.xml --robot robot --serve $port
    local emulator=$last
    until_true 5 test -e "$work/kobuki" || fail "$what: no base"
    start "$what" "$build/tests/integration/watch_robot" "tcp://127.0.0.1:$port" robot
    local witness=$last
    until_true 5 test -s "$work/$what.log" || fail "$what: no witness"
    start run "$doppel" run "$work/drive.xml" --set Trouble.What=$what --set Trouble.At=1.5 "$@" --quiet --duration 4 --out "$work/run"
    wait "$last"
    code=$?
    sleep 1
    kill "$witness" "$emulator"
    wait "$emulator"
    seconds=$(drove "$work/$what.log")
    echo "$what: exit code $code, the base drove for $seconds s" >&2
    case " $codes " in *" $code "*) ;; *) fail "$what: exit code $code, expected one of $codes" ;; esac
    number "0.2 < $seconds <= $longest" || fail "$what: the base drove for $seconds s, expected at most $longest s"
}
# 1.5 s until it happens, one period and the limit of 0.3 s until it is noticed, and the base's own stop; a process that is
# gone is noticed at once
try sleep 2.4 3
try loop 2.4 3
try end_thread 2.4 3
grep -q "WheelController: stopped: the thread of executor .* that commands it has ended" "$work/run.log" || fail "why it stopped is not told"
try end_process 2.4 3
grep -q "Trouble in execute has ended the process" "$work/run.log" || fail "who ended the process is not told"
grep -q "has ended the process" "$work/run/summary.json" || fail "the summary does not tell it"
try crash 2.4 139
grep -q "Trouble in execute has crashed" "$work/run.log" || fail "who crashed is not told"
try overflow 2.4 139
try abort 2.4 134
# one that comes back: the base stops, and goes on with the next command; told and counted
start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world empty_truth.xml --robot robot
until_true 5 test -e "$work/kobuki" || fail "no base"
"$doppel" run "$work/drive.xml" --set Trouble.What=sleep --set Trouble.At=1 --set Trouble.For=1 --quiet --duration 4 \
    --out "$work/back" >"$work/back.log" 2>&1 || fail "one hang of 1 s ends the run"
grep -q "WheelController: stopped: executor .* late by more than 300 ms" "$work/back.log" || fail "the stop is not told"
grep -q "WheelController: is commanded again" "$work/back.log" || fail "the return is not told"
python3 - "$work/back" <<'PY' || fail "after a hang"
import csv, json, sys
devices = json.load(open(sys.argv[1] + "/summary.json"))["devices"]
assert devices["WheelController"]["late_stops"] == 1, devices
rows = list(csv.DictReader(open(sys.argv[1] + "/trace.csv")))
x = lambda t: next(float(r["WheelController.x"]) for r in rows if float(r["t"]) >= t)
assert x(3.9) - x(2.5) > 0.2, "it goes on"
assert x(2.1) - x(1.0) < 0.15, f"it stood meanwhile: {x(2.1) - x(1.0):.3f} m"
PY
# on the simulated clock nothing is late, but no end of the process is a success either
for what in end_process end_thread; do
    "$doppel" run "$work/drive.xml" --set Trouble.What=$what --set WheelController.ApiName=mock --clock sim --quiet --duration 4 \
        >"$work/sim.log" 2>&1
    code=$?
    [ $code -eq 3 ] || fail "simulated, $what: exit code $code"
    grep -q "Trouble in execute has ended the" "$work/sim.log" || fail "simulated, $what: not told"
    grep -q "Trouble: this is my last line" "$work/sim.log" || fail "simulated, $what: what was logged before is lost"
done
# whatever callback it is in
for where in initialize start stop destroy; do
    for what in end_process end_thread; do
        "$doppel" run "$work/drive.xml" --set Trouble.What=$what --set Trouble.Where=$where --set WheelController.ApiName=mock --clock sim \
            --quiet --duration 1 >"$work/sim.log" 2>&1
        code=$?
        [ $code -eq 3 ] || fail "$what in $where: exit code $code"
        grep -q "Trouble in $where has ended the" "$work/sim.log" || fail "$what in $where: not told"
    done
done
# a child that a component forks is none of the run's business: it writes nothing of the run's files
"$doppel" run "$work/drive.xml" --set Trouble.What=fork --set Trouble.At=1 --set WheelController.ApiName=mock --quiet --duration 2 \
    --out "$work/fork" >"$work/fork.log" 2>&1 || fail "a child that ends ends the run"
grep -q "has ended the process" "$work/fork.log" && fail "the end of a child is taken for that of the run"
[ "$(cut -d, -f1 "$work/fork/trace.csv" | sort | uniq -d | wc -l)" -eq 0 ] || fail "a child has written rows of the trace"
# one that hangs in a callback of its life cycle: hung_lifecycle.sh. Three requests end it too, and say so once
start hang "$doppel" run "$work/drive.xml" --set Trouble.What=loop --set Trouble.Where=stop --set WheelController.ApiName=mock --quiet --duration 1
hang=$last
sleep 1.5
for _ in 1 2 3; do
    kill "$hang"
    sleep 0.2
done
wait "$hang"
code=$?
[ $code -eq 3 ] || fail "hung in stop: exit code $code"
[ "$(grep -c "error: Trouble in stop did not return" "$work/hang.log")" -eq 1 ] || fail "who hung in stop is not told once"
# the same for one that hangs in an executor, before the run has given it up
start hang_execute "$doppel" run "$work/drive.xml" --set Trouble.What=loop --set Trouble.At=0.3 --set WheelController.ApiName=mock --quiet --out "$work/hang_execute"
hang=$last
sleep 1
for _ in 1 2 3; do
    kill "$hang"
    sleep 0.1
done
wait "$hang"
code=$?
[ $code -eq 3 ] || fail "hung in execute: exit code $code"
grep -q "error: Trouble in execute did not return" "$work/hang_execute.log" || fail "who hung in execute is not told"
