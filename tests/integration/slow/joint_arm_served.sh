#!/usr/bin/env bash
# The arm in a world that is served: its joints stand still when the run is killed; a run goes on with another world, from where its arm is.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"

arm() { # NAME PORT: serves the arm; sets $port, and the arguments of `run` in $served
    start "$1" "$doppel" sim "$profiles/worlds/star/arm.json" --port "$2"
    until_true 10 grep -q "^serving" "$work/$1.log" || fail "no world at port $2"
    port=$(sed -n 's|^serving .* at tcp://[^:]*:\([0-9]*\),.*|\1|p' "$work/$1.log")
    served=(run joint_arm --bind sim --set JointController.ip=127.0.0.1 --set JointController.port="$port" --set JointController.MaximumError=0)
}
# get PATH: its value in the served world
get() { timeout 20 "$doppel" world "tcp://127.0.0.1:$port" get "$1" | awk '{print $2; exit}'; }
turns() { number "abs($(get cell/arm/waist/velocity)) > 0.05"; }
stands() { number "abs($(get cell/arm/waist/velocity)) < 0.001"; }

killed() {
    arm sim 0
    start moves "$doppel" "${served[@]}" --set "JointController.Waypoints=20 2.5 -0.8 1.2" --duration 30
    until_true 10 turns || fail "the served arm does not move"
    kill -9 "$last"
    until_true 5 stands || fail "the arm goes on: $(get cell/arm/waist/velocity)"
    # nor does it sink under its weight, within a second of its time
    local shoulder=$(get cell/arm/shoulder/position) waist=$(get cell/arm/waist/position)
    "$doppel" world "tcp://127.0.0.1:$port" until "time > $(bc <<<"$(get time) + 1")" --timeout 20 || fail "time stands still"
    number "abs($(get cell/arm/shoulder/position) - $shoulder) < 0.01" || fail "the arm sinks from $shoulder to $(get cell/arm/shoulder/position)"
    number "0.01 < $waist < 2" || fail "it is not on its way: $waist"
}
row "the run is killed: the joints stand still, and do not sink" killed

another() {
    arm first 0
    first=$last
    start again "$doppel" "${served[@]}" --duration 9 --out "$work/again" --quiet
    again=$last
    until_true 10 turns || fail "the arm of the first world does not move"
    kill -9 "$first"
    wait "$first" 2>/dev/null # its port is free
    until_true 10 grep -q "lost" "$work/again.log" || fail "nobody says that the world is lost"
    arm second "$port"
    wait "$again" || fail "the run ends with $?"
    python3 - "$work/again/trace.csv" <<'PY' || fail "the second world"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
phases = [row["JointController.phase"] for row in rows]
starts = [i for i, (a, b) in enumerate(zip(phases, [None] + phases)) if a == "following" and b != "following"]
assert len(starts) == 2, starts
there = rows[starts[1]]
print(there)
for i in (1, 2, 3): # a new arm is at 0, not where the old one was
    assert abs(float(there[f"JointController.position_{i}"])) < 0.03, there
    assert abs(float(there[f"JointController.reference_{i}"])) < 0.03, there
assert abs(float(rows[starts[1] + 100]["JointController.reference_3"]) - 1.2) < 0.1, rows[starts[1] + 100]
PY
}
row "another world at the same port: the run goes on from where its arm is" another
rows_end
