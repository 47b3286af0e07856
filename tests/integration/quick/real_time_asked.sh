#!/usr/bin/env bash
# Who asks for real time has it, with memory that stays; where it is refused a program says how to allow it, and goes on without.
source "$(dirname "$0")/../lib.sh"
asks() { # NAME: run, emulate and sim, one after the other, as $prefix has them
    "${prefix[@]}" "$doppel" run hexafloat --bind sim --duration 0.2 --quiet >"$work/$1.run.log" 2>&1 || fail "run: exit code"
    start "$1.emulate" "${prefix[@]}" "$doppel" emulate cia402 --pty "$work/$1" --policy fifo
    until_true 5 grep -q ": at " "$work/$1.emulate.log" || fail "no drives"
    start "$1.sim" "${prefix[@]}" "$doppel" sim office --port 0 --policy fifo
    until_true 5 grep -q "^serving" "$work/$1.sim.log" || fail "no world"
}
refused() {
    trap '{ kill -9 "${pids[@]}"; wait; } 2>/dev/null' EXIT
    ulimit -r 0 -l 64
    prefix=()
    [ "$(id -u)" -ne 0 ] || prefix=(setpriv --bounding-set -sys_nice,-ipc_lock)
    asks refused
    for log in "$work"/refused.*.log; do
        grep -q "SCHED_FIFO.* refused: .*; runs as SCHED_OTHER: allow it by rtprio" "$log" || fail "$log: the policy"
        grep -q "memory cannot be locked: .*: allow it by rtprio" "$log" || fail "$log: memory"
    done
}
(refused) || exit 1
chrt -f 1 true 2>/dev/null && prefix=() || skip "SCHED_FIFO is refused here; that it is told was checked"
asks allowed
grep -qE "refused|cannot be locked" "$work"/allowed.*.log && fail "something is refused"
for pid in "${pids[@]}"; do
    for thread in /proc/"$pid"/task/*; do
        [ "$(awk '{ print $(NF - 11) }' "$thread/stat")" = 1 ] || fail "a thread of $(tr '\0' ' ' <"/proc/$pid/cmdline") has no real-time priority"
    done
    grep -qE "^VmLck:\s+[1-9]" "/proc/$pid/status" || fail "memory is not locked"
done
