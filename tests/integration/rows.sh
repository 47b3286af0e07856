# A script whose rows are checked one by one speaks TAP: a row that fails hides no other. A row has a folder of its own, $work there ($top is that of
# the script), and what it started ends with it; `fail` ends the row alone, `skip` leaves it out. Sourced after lib.sh, not run; ends with rows_end.
top=$work
n_rows=0
row_words=()
row_pids=()
bad_rows=0

# beside WORDS COMMAND...: a row that holds if the command succeeds, together with those that follow
beside() {
    n_rows=$((n_rows + 1))
    row_words[n_rows]=$1
    mkdir "$top/row$n_rows"
    (
        work=$top/row$n_rows
        pids=()
        trap '{ for pid in "${pids[@]}"; do kill -9 "$pid"; done; wait; } 2>/dev/null' EXIT
        "${@:2}"
    ) >"$top/row$n_rows.said" 2>&1 &
    row_pids[n_rows]=$!
}

# row WORDS COMMAND...: the same, two rows at a time
row() {
    local n busy=2
    while [ $busy -ge 2 ]; do
        busy=0
        for n in "${!row_pids[@]}"; do
            ! kill -0 "${row_pids[n]}" 2>/dev/null || busy=$((busy + 1))
        done
        [ $busy -lt 2 ] || sleep 0.02
    done
    beside "$@"
}

# row_result N: waits for row N and tells its result
row_result() {
    wait "${row_pids[$1]}"
    case $? in
        0) echo "ok $1 - ${row_words[$1]}" ;;
        77) echo "ok $1 - ${row_words[$1]} # SKIP $(tail -n 1 "$top/row$1.said")" ;;
        *)
            echo "not ok $1 - ${row_words[$1]}"
            bad_rows=$((bad_rows + 1))
            ;;
    esac
    sed 's/^/# /' "$top/row$1.said"
    unset "row_pids[$1]"
}

# check WORDS COMMAND...: a row alone
check() {
    beside "$@"
    row_result "$n_rows"
}

# rows_told: of all rows that are still beside each other
rows_told() {
    local n
    for n in "${!row_pids[@]}"; do row_result "$n"; done
}

rows_end() {
    rows_told
    echo "1..$n_rows"
    exit $((bad_rows > 0))
}
