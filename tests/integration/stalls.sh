# Whether the machine itself stood still while a test measured: see tests/support/stalls.py. Sourced after lib.sh.

# watch_stalls: from now on they are noted in the file $stalls; without real-time priorities the test is skipped
watch_stalls() {
    chrt -f 90 true 2>/dev/null || skip "SCHED_FIFO is refused here"
    stalls=$work/stalls
    start witness python3 -S "$source_dir/tests/support/stalls.py" "$stalls"
    watched=$last
    begun() { [ "$(grep -c begins "$stalls")" -ge "$(nproc)" ]; }
    until_true 10 begun || fail "no witness of stalls"
}

# unless_stalled MS COMMAND...: a check that measures, which may be repeated: if it fails while a stall was longer than MS it is tried again, at most
# three times; then the test is skipped. A try has a shell and a folder $work of its own, and what it started ends with it
unless_stalled() {
    local ms=$1 top=$work worst try
    shift
    for try in 1 2 3; do
        watch_stalls
        (
            work=$top/try$try
            mkdir "$work"
            pids=()
            trap '{ kill -9 "${pids[@]}"; wait; } 2>/dev/null' EXIT
            "$@"
        ) && return 0
        kill -9 "$watched"
        worst=$(python3 -S "$source_dir/tests/support/stalls.py" "$stalls" --worst)
        echo "failed; the machine stood still for $worst ms at worst" >&2
        [ "$worst" -gt "$ms" ] || exit 1
    done
    skip "the machine stood still in each of three tries, $worst ms in the last one; at most $ms ms are allowed"
}
