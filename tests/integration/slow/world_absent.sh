#!/usr/bin/env bash
# A world that nobody serves: SIGTERM ends the run at once, whatever it waits for.
source "$(dirname "$0")/../lib.sh"
port=$(free_port)
absent=(--set WheelController.ip=127.0.0.1 --set WheelController.port=$port --set LaserScanner.ip=127.0.0.1
    --set LaserScanner.port=$port)
# ends NAME: SIGTERM ends what was started last within 0.5 s
ends() {
    local begun seconds
    kill -0 "$last" 2>/dev/null || fail "$1: it did not wait"
    begun=$(date +%s%N)
    kill -TERM "$last"
    wait "$last"
    seconds=$(python3 -c "print(($(date +%s%N) - $begun) / 1e9)")
    echo "$1: $seconds s from SIGTERM to the end" >&2
    number "$seconds < 0.5" || fail "$1: $seconds s from SIGTERM to the end"
}
catches() { # SIGTERM has a handler: the run begins
    ((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$last/status") & 1 << 14))
}
waits() { # NAME: the run says that it waits
    grep -q "no world answers yet" "$work/$1.log"
}
for clock in real sim; do
    start "opening_$clock" "$doppel" run patrol --bind sim "${absent[@]}" --quiet --clock $clock
    until_true 5 catches || fail "the run does not begin"
    ends "opening_$clock"
    start "running_$clock" "$doppel" run patrol --bind sim "${absent[@]}" --quiet --clock $clock
    until_true 10 waits "running_$clock" || fail "the run does not wait for a world"
    ends "running_$clock"
done
grep -q "the run was stopped before a world answered" "$work/running_sim.log" || fail "the reason is not told"
