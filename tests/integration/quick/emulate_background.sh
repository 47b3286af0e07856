#!/usr/bin/env bash
# emulate --background returns when the device is there, and leaves nothing when it fails; --serve 0 takes a free port, so that two robots are in two
# worlds; who holds a name or a port is told.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
# background DEVICE ARGUMENT...: its process in $emulator, which the row ends; its output in said.log
background() {
    "$doppel" emulate "$@" --background >"$work/out.log" 2>"$work/said.log" </dev/null || return $?
    emulator=$(sed -n 's/^doppel emulate .*: goes on as process \([0-9]*\); `kill [0-9]*` ends it$/\1/p' "$work/out.log")
    [ -n "$emulator" ] || fail "no process: $(<"$work/out.log")"
    pids+=("$emulator")
}
gone() { # PID
    ! kill -0 "$1" 2>/dev/null
}
returns() {
    background kobuki --pty "$work/kobuki" || fail "$(<"$work/said.log")"
    timeout 5 python3 -S -c 'import os, sys; sys.exit(os.read(os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY), 1) == b"")' "$work/kobuki" ||
        fail "the base does not answer"
    kill "$emulator"
    until_true 5 gone "$emulator" || fail "it goes on"
    [ ! -e "$work/kobuki" ] || fail "its name is left"
}
fails() {
    background kobuki --pty "$work/kobuki" || fail "$(<"$work/said.log")"
    local first=$emulator
    background kobuki --pty "$work/kobuki"
    [ $? -eq 1 ] || fail "exit code"
    grep -q "in use by another running process, process $first (doppel)" "$work/said.log" || fail "who holds it: $(<"$work/said.log")"
    background kobuki --pty "$work/nowhere/kobuki"
    [ $? -eq 1 ] && [ ! -s "$work/out.log" ] || fail "a folder that is not there"
    background kobuki --pty "$work/second" --world nowhere.xml
    [ $? -eq 1 ] && [ ! -e "$work/second" ] || fail "a world that is not there"
}
interrupted() { # while it waits for its world
    start waiting "$doppel" emulate urg --pty "$work/urg" --world tcp://127.0.0.1:9 --background
    until_true 5 grep -q "waits for the world" "$work/waiting.log" || fail "it does not wait"
    local parent=$last child=$(ps -o pid= --ppid "$last" | tr -d ' ')
    kill "$parent"
    until_true 5 gone "$child" || fail "process $child is left"
    [ ! -e "$work/urg" ] || fail "its name is left"
}
two_worlds() {
    background kobuki --pty "$work/one" --world office_truth.xml --robot robot --serve 0 || fail "$(<"$work/said.log")"
    local one=$(sed -n 's/.*serves its world at //p' "$work/said.log")
    background kobuki --pty "$work/two" --world office_truth.xml --robot robot --serve 0 || fail "$(<"$work/said.log")"
    local two=$(sed -n 's/.*serves its world at //p' "$work/said.log") owner=$emulator
    [ -n "$one" ] && [ -n "$two" ] && [ "$one" != "$two" ] || fail "worlds at '$one' and '$two'"
    background urg --pty "$work/urg" --world "$two" --robot robot || fail "$(<"$work/said.log")"
    background kobuki --pty "$work/three" --world office_truth.xml --robot robot --serve "${two##*:}"
    [ $? -eq 1 ] || fail "exit code"
    grep -q "port is in use by process $owner (doppel); choose another one, or 0 for any that is free" "$work/said.log" || fail "$(<"$work/said.log")"
}
row "returns when the device is there" returns
row "leaves nothing when it fails" fails
row "leaves nothing when it is interrupted" interrupted
row "two robots in two worlds" two_worlds
rows_end
