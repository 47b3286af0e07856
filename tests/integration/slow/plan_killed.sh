#!/usr/bin/env bash
# However `doppel test` is ended, nothing is left running: neither the unit nor what it has started; and the results say so.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/plans/plans.sh"
source "$source_dir/tests/integration/rows.sh"
lives() { pgrep -f "master.py [0-9]+ $1\$|sleep 100$1\$" | xargs -r ps -o stat= -p | piped -v Z; }
is_whole() { [ "$(pgrep -fc "master.py [0-9]+ $1\$|sleep 100$1\$")" -ge 4 ]; }
dead() { ! lives "$number"; }
masked() { # PID: signals are for the thread that knows the world
    local task blocked
    for task in /proc/"$1"/task/*; do
        [ "${task##*/}" = "$1" ] && continue
        blocked=$((16#$(sed -n 's/^SigBlk:\t//p' "$task/status")))
        [ $((blocked & 0x4003)) -eq $((0x4003)) ] || fail "a thread of the world takes signals: $blocked"
    done
}

ended() { # SIGNAL NUMBER: a unit with a child of its own, one that has left its session, and one whose parent is gone, too
    number=$$$2
    start killed "$doppel" test $cart --rate 0.05 --out "$work/a" \
        --unit "sh -c 'sleep 100$number & setsid sleep 100$number & (setsid sleep 100$number &); exec $master $number'"
    until_true 10 is_whole "$number" || fail "no unit"
    [ "$1" = KILL ] || masked "$last"
    kill "-$1" "$last"
    wait "$last"
    code=$?
    until_true 1 dead || fail "after $1 the unit is still there: $(pgrep -fa "$number")"
}
row "killed" ended KILL 1
interrupted() {
    ended INT 2
    [ $code -eq 4 ] || fail "it ends with $code"
    grep -q "ERR  half a metre" "$work/killed.log" || fail "not told"
    judge "$work/a" '[s["verdict"] for s in steps] == ["error", "skipped"] and "the user has ended the test" in junit.find(".//error").get("message")'
}
row "interrupted" interrupted

keeper_is_killed() {
    number=${$}3
    start kept "$doppel" test $cart --rate 0.05 --step "half a metre" --out "$work/a" \
        --unit "sh -c '(setsid sh -c \"trap : TERM; sleep 100$number & while :; do wait; done\" &); exec $master $number'"
    until_true 10 lives $number || fail "no unit"
    kill -KILL "$(ps -o pid= --ppid "$last" | tr -d ' ')"
    until_true 1 dead || fail "without its keeper the unit stays: $(pgrep -fa "$number")"
    wait "$last"
    [ $? -eq 4 ] || fail "exit code"
    grep -q "the process that keeps the unit was killed" "$work/kept.log" || fail "not told"
}
row "what keeps the unit is killed" keeper_is_killed
keeper_is_stopped() {
    number=${$}4
    echo '<test_plan name="p" world="empty"><step name="a"><wait for="0.5"/></step></test_plan>' >"$work/stopped.xml"
    does 3 "$work/stopped.xml" --rate 1 --unit "sh -c 'sleep 100$number & kill -STOP \$PPID; sleep 100$number'" --out "$work/a"
    says "ok   a" "error: the process that keeps the unit was stopped; it was continued"
    dead || fail "behind a stopped keeper the unit stays"
    judge "$work/a" 'steps[0]["verdict"] == "passed" and summary["exit"] == 3 and summary["errors"] == 1 and "was stopped" in summary["error"]'
    judge "$work/a" 'junit.get("errors") == "1" and len(junit.findall("testsuite")) == 2 and [s.get("errors") for s in junit] == ["0", "1"]'
    judge "$work/a" '"was stopped" in junit.find(".//error").get("message")'
}
row "what keeps the unit is stopped" keeper_is_stopped
rows_end
