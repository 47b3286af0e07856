#!/usr/bin/env bash
# Units that do not do what they should fail their step, which says why; and units that somebody else starts.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/plans/plans.sh"
source "$source_dir/tests/integration/rows.sh"
half=(--step "half a metre")

row "one that hangs" refuses 4 "the unit paces the world and has not written for 4 s of real time" $cart --unit "$master hang" --param READY=4 "${half[@]}"
dies() {
    does 4 $cart --unit "$master die"
    says "FAIL half a metre" "the unit has died: Killed" "ok   pushed back" # the next step that is reset has a new one
}
row "one that dies; the next part has a new one" dies
row "one that ends" refuses 4 "the unit has ended with exit code 0" $cart --unit "$master end" "${half[@]}"
row "one that ends before it joins" refuses 4 "the unit has ended with exit code 9" $cart --unit "sh -c 'exit 9' {modbus_port}" "${half[@]}"
ignored() { # who starts doppel may ignore the end of its children
    python3 -c 'import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])' \
        "$doppel" test $cart --unit "sh -c 'exit 9' {modbus_port}" "${half[@]}" >"$work/said" 2>&1
    said=$(<"$work/said")
    says "the unit has ended with exit code 9"
}
row "one that ends, of a process that ignores SIGCHLD" ignored
row "a master that does not connect" refuses 4 "0 of 1 masters have connected" $cart --unit "sleep 60 {modbus_port}" --param READY=1 "${half[@]}"
row "a controller that does not join" refuses 4 "0 of 1 controllers have joined" \
    $plans/drive.xml --unit "sleep 60 {controllers_port}" --param READY=1 --step "drives 1 m"

by_hand() {
    sed '/<unit /d' tests/integration/plans/spin.xml >"$work/spin.xml"
    start by_hand "$doppel" test "$work/spin.xml" --controllers 0
    test=$last
    until_true 10 grep -q "^controllers at" "$work/by_hand.log" || fail "no port is told"
    start spin python3 tests/clients/spin.py "$(sed -n 's|^controllers at tcp://127.0.0.1:||p' "$work/by_hand.log")" avatar/LeftWheel/speed 5
    wait "$test" || fail "exit code"
}
row "one that was started by hand" by_hand
at_half_the_rate() { # 0.25 s of the world and more
    local begin
    begin=$(date +%s%N)
    does 0 $plans/drive.xml --step "one wheel is stuck" --rate 0.5
    [ $(($(date +%s%N) - begin)) -gt 500000000 ] || fail "--rate 0.5 does not follow the clock"
}
row "--rate follows the clock" at_half_the_rate
rows_end
