# The patrol in a room with benches below its laser (look_ahead/low_benches.xml). Sourced after lib.sh.
benches=$source_dir/tests/integration/look_ahead/low_benches.xml
patrol=("$doppel" run patrol --bind sim --set "WheelController.World=$benches" --set "LaserScanner.World=$benches")
ahead=(--bind look_ahead --set "LookAhead.World=$benches")

# patrolled FOLDER OPTION...: two minutes of simulated time
patrolled() {
    "${patrol[@]}" "${@:2}" --clock sim --quiet --duration 120 --out "$1"
}
patrolled_here() { patrolled "$made" "$@"; }
# benches_made with|without: a look-ahead; the run is then in $made
benches_made() {
    case $1 in
        with) made_once benches_with patrolled_here "${ahead[@]}" ;;
        without) made_once benches_without patrolled_here ;;
    esac
}
# of with|without KEY: a value of its summary
of() { json "$build/made/benches_$1/summary.json" "$2"; }
