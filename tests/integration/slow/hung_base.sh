#!/usr/bin/env bash
# A component in the executor of the device components hangs, ends its thread, ends the process or crashes while the base drives: the base stands
# still soon after, and no end of the process is a success. Real ptys.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
source "$(dirname "$0")/../witness.sh"
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
# tried WHAT CODE [TEXT]: trouble comes after 0.6 s. One period and the limit of 0.3 s until it is noticed, and the base's own stop: 1.5 s of driving at
# most; 2.5 s and more if nobody stopped it. A process that is gone is noticed at once
tried() {
    local port=$(free_port) code seconds
    drive_with_trouble "$work/drive.xml" "<property name=\"ApiName\">kobuki</property><property name=\"Address\">$work/kobuki</property>"
    start kobuki "$doppel" emulate kobuki --pty "$work/kobuki" --world empty_truth.xml --robot robot --serve "$port"
    until_true 10 test -e "$work/kobuki" || fail "no base"
    witness truth "$port" robot
    start run "$doppel" run "$work/drive.xml" --set Trouble.What="$1" --set Trouble.At=0.6 --quiet --duration 2.5 --out "$work/run"
    wait "$last"
    code=$?
    [ $code -eq "$2" ] || fail "exit code $code, expected $2"
    until_true 5 stands truth || fail "it does not stand"
    seconds=$(drove truth)
    echo "it drove for $seconds s"
    number "0.2 < $seconds <= 1.5" || fail "it drove for $seconds s"
    [ -z "${3:-}" ] || grep -q "$3" "$work/run.log" || fail "not told: $3"
    [ "$1" != end_process ] || grep -q "has ended the process" "$work/run/summary.json" || fail "the summary does not tell it"
}
beside "the base stops when a component sleeps" tried sleep 3 "WheelController: stopped: executor .* late by more than 300 ms"
beside "when it ends its thread" tried end_thread 3 "WheelController: stopped: the thread of executor .* that commands it has ended"
beside "when it ends the process" tried end_process 3 "Trouble in execute has ended the process"
rows_told
beside "when it crashes" tried crash 139 "Trouble in execute has crashed"
beside "when it overflows its stack" tried overflow 139
beside "when it aborts" tried abort 134
rows_told
check "when it loops" tried loop 3
rows_end
