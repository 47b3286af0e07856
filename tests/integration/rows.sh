# A table whose rows are checked one by one (TAP), two at a time; each has a folder of its own: $work there. Sourced after lib.sh, not run. A
# script with rows is in the list `tables` of meson.build.
n_rows=0
rows=$work/rows
row_pids=()
mkdir "$rows"

# row WORDS COMMAND...: the row holds if the command succeeds; else what it said is shown. `fail` ends the row alone, `skip` leaves it out
row() {
    local ended words=$1
    shift
    while mapfile -t ended < <(compgen -G "$rows/*.code") && [ $((n_rows - ${#ended[@]})) -ge 2 ]; do
        sleep 0.01
    done
    n_rows=$((n_rows + 1))
    mkdir "$rows/$n_rows"
    echo "$words" >"$rows/$n_rows.words"
    (
        (
            work=$rows/$n_rows
            pids=()
            trap 'for pid in "${pids[@]}"; do kill -9 "$pid"; wait "$pid"; done 2>/dev/null' EXIT
            "$@"
        ) >"$rows/$n_rows.said" 2>&1
        echo $? >"$rows/$n_rows.code"
    ) &
    row_pids+=($!)
}

# rows_end: waits for all of them, tells their results and ends the script
rows_end() {
    local i words bad=0
    wait "${row_pids[@]}"
    for i in $(seq "$n_rows"); do
        words=$(<"$rows/$i.words")
        case $(<"$rows/$i.code") in
            0) echo "ok $i - $words" ;;
            77) echo "ok $i - $words # SKIP $(tail -n 1 "$rows/$i.said")" ;;
            *)
                echo "not ok $i - $words"
                sed 's/^/# /' "$rows/$i.said"
                bad=1
                ;;
        esac
    done
    echo "1..$n_rows"
    exit $bad
}
