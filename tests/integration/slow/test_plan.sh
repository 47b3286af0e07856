#!/usr/bin/env bash
# doppel test: plans that pass and that fail, units over TCP and over Modbus, units that die, hang and leave, and what is left when it is killed.
source "$(dirname "$0")/../lib.sh"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$source_dir/clients/python
cd "$source_dir" || exit 1
plans=docs/plans

does() { # CODE ARGUMENTS...: what is printed goes to $said
    local code=$1 got
    shift
    timeout 60 "$doppel" test "$@" >"$work/said" 2>&1
    got=$?
    said=$(<"$work/said")
    [ $got -eq "$code" ] || fail "exit $got, expected $code: doppel test $*: $said"
}
says() { # TEXT...
    for text in "$@"; do
        grep -qF -- "$text" <<<"$said" || fail "no '$text' in: $said"
    done
}
judge() { # FOLDER PYTHON: a condition on `summary` and on `junit`
    python3 - "$@" <<'PY' || fail "not so: $2"
import json, sys, xml.etree.ElementTree as ET
folder, condition = sys.argv[1:]
summary = json.load(open(folder + "/summary.json"))
junit = ET.parse(folder + "/junit.xml").getroot()
steps = [step for run in summary["runs"] for step in run["steps"]]
sys.exit(not eval(condition))
PY
}

# ---- without a unit: all steps pass; the same seed gives the same bits, other seeds other delays ----
does 0 $plans/barrier.xml --out "$work/a"
says "ok   brake holds" "1 run: 4 steps passed, 0 failed, 0 skipped"
judge "$work/a" 'summary["exit"] == 0 and summary["passed"] == 4 and all(s["verdict"] == "passed" for s in steps)'
judge "$work/a" 'junit.get("tests") == "4" and junit.get("failures") == "0" and not junit.findall(".//failure")'
judge "$work/a" 'len(junit.findall("testsuite/testcase")) == 4 and junit.find("testsuite/testcase/properties/property").get("name") == "T"'
compgen -G "$work/a/trace-*" && fail "a trace of a step that passed"
does 0 $plans/barrier.xml --out "$work/b" --repeat 3
says "seed 3" "3 runs: 12 steps passed"
judge "$work/b" '[r["seed"] for r in summary["runs"]] == [1, 2, 3] and len({r["duration_s"] for r in summary["runs"]}) == 3'
python3 - "$work/a" "$work/b" <<'PY' || fail "the same seed gives another run"
import json, sys
a, b = (json.load(open(folder + "/summary.json"))["runs"][0] for folder in sys.argv[1:])
del a["real_s"], b["real_s"]
sys.exit(a != b)
PY

# ---- a step fails: its trace, and nothing else ----
does 4 $plans/barrier.xml --out "$work/a" --param ANGLE=0.15
says "FAIL bolt holds" "line 16: angle is 0.2" "expected 0.1 to 0.15" "ok   brake holds" "3 steps passed, 1 failed"
judge "$work/a" 'summary["exit"] == 4 and steps[1]["trace"] == "trace-1-02.csv" and "trace" not in steps[2]'
judge "$work/a" 'junit.find("testsuite").get("failures") == "1" and "angle is 0.21" in junit.find(".//failure").get("message")'
python3 - "$work/a/trace-1-02.csv" <<'PY' || fail "the trace is not what it should be"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
position = [float(row["barrier/hinge/position"]) for row in rows]
good = len(rows) > 1000 and float(rows[0]["time"]) == 0 and float(rows[1]["step_time"]) < float(rows[-1]["step_time"]) == 2
sys.exit(not (good and 0.2 < max(position) < 0.23 and rows[-1]["barrier/hinge/voltage"] == "20"))
PY

# ---- one step, with what it goes on from ----
does 0 $plans/barrier.xml --step "feedback of the brake is lost" --out "$work/a"
judge "$work/a" '[s["verdict"] for s in steps] == ["skipped"] * 3 + ["passed"] and len(junit.findall(".//skipped")) == 3'
does 0 $plans/barrier.xml --step "bolt holds" --out "$work/a"
judge "$work/a" '[s["verdict"] for s in steps] == ["passed"] * 2 + ["skipped"] * 2'
does 1 $plans/barrier.xml --step "bold holds"
says "there is no step 'bold holds', did you mean 'bolt holds'?"
does 1 $plans/barrier.xml --step "xyz" --out "$work/a"
says "there is no step 'xyz': --list prints them"
judge "$work/a" 'junit.get("errors") == "1" and "no step" in junit.find(".//error").get("message")'
does 0 $plans/barrier.xml --list
[ "$said" = "$(printf 'brake opens\nbolt holds (goes on)\nbrake holds (goes on)\nfeedback of the brake is lost')" ] || fail "the list: $said"
does 4 $plans/barrier.xml --param ANGLE=0.15 --fail-fast --repeat 3 --out "$work/a"
judge "$work/a" '[s["verdict"] for s in steps] == ["passed", "failed", "skipped", "skipped"]'

# ---- a unit in lock-step, as fast as both can, and with the clock ----
does 0 $plans/drive.xml --out "$work/a"
says "ok   one wheel is stuck"
grep -q "1.00 m" "$work/a/unit.log" || fail "the unit's output is not in its log"
same() { # PLAN: twice the same, but for the time that it took
    does 0 "$1" --out "$work/a"
    grep -v real_s "$work/a/summary.json" >"$work/first.json"
    does 0 "$1" --out "$work/a"
    diff "$work/first.json" <(grep -v real_s "$work/a/summary.json") || fail "two runs of $1 differ"
}
same tests/integration/plans/spin.xml
begin=$(date +%s%N)
does 0 $plans/drive.xml --step "one wheel is stuck" --rate 0.5
[ $(($(date +%s%N) - begin)) -gt 500000000 ] || fail "--rate 0.5 does not follow the clock"

# ---- a unit that somebody else has started ----
sed '/<unit /d' tests/integration/plans/spin.xml >"$work/spin.xml"
start by_hand "$doppel" test "$work/spin.xml" --controllers 0
test=$last
until_true 10 grep -q "^controllers at" "$work/by_hand.log" || fail "no port is told"
start spin python3 tests/clients/spin.py "$(sed -n 's|^controllers at tcp://127.0.0.1:||p' "$work/by_hand.log")" avatar/LeftWheel/speed 5
wait "$test" || fail "a unit that was started by hand: $(<"$work/by_hand.log")"

# ---- the delta robot with its control unit at 2 kHz, which is found where it was built ----
same tests/integration/plans/delta.xml

# ---- a unit that is a Modbus master, which paces the world ----
cart=tests/integration/plans/cart.xml
same $cart
judge "$work/a" 'summary["runs"][0]["real_s"] < 5'

# ---- units that do not do what they should ----
master="python3 tests/integration/plans/master.py {modbus_port}"
does 4 $cart --unit "$master die"
says "FAIL half a metre" "the unit has died: Killed" "ok   pushed back" # the next step that is reset has a new one
does 4 $cart --unit "$master end" --step "half a metre"
says "the unit has ended with exit code 0"
does 4 $cart --unit "$master hang" --param READY=4 --step "half a metre"
says "the unit paces the world and has not written for 4 s of real time"
does 4 $cart --unit "sleep 60 {modbus_port}" --param READY=1 --step "half a metre"
says "0 of 1 masters have connected"
does 4 $cart --unit "sh -c 'exit 9' {modbus_port}" --step "half a metre"
says "the unit has ended with exit code 9"
# who starts doppel may ignore the end of its children
python3 -c 'import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])' \
    "$doppel" test $cart --unit "sh -c 'exit 9' {modbus_port}" --step "half a metre" >"$work/said" 2>&1
said=$(<"$work/said")
says "the unit has ended with exit code 9"
does 4 $plans/drive.xml --unit "sleep 60 {controllers_port}" --param READY=1 --step "drives 1 m"
says "0 of 1 controllers have joined"
does 1 $cart --unit "no_such_unit {modbus_port}"
says "the unit 'no_such_unit' cannot be started: No such file or directory"
does 1 $cart --unit "unit {port}"
says "--unit: error: the command has {port}; what can be filled in: {controllers_port} {modbus_port} {seed} {out}"

# ---- what cannot be judged is an error in the results, and nothing is green ----
errs() { # MESSAGE: so says the only case of junit.xml that has an error
    judge "$work/a" 'len(junit.findall(".//error")) == 1 and '"'$1'"' in junit.find(".//error").get("message")'
    judge "$work/a" 'junit.get("errors") == "1" and junit.find("testsuite").get("errors") == "1" and int(junit.get("tests")) > 0 and summary["exit"] == 1'
}
does 1 $cart --unit "no_such_unit {modbus_port}" --out "$work/a"
says "ERR  half a metre" "1 error, 1 skipped"
errs "no_such_unit"
judge "$work/a" '[s["verdict"] for s in steps] == ["error", "skipped"] and summary["errors"] == 1'
sed 's|world="[^"]*"|world="nope"|' $cart >"$work/nowhere.xml"
does 1 "$work/nowhere.xml" --out "$work/a"
errs "there is no world"
sed 's|</test_plan>||' $cart >"$work/broken.xml"
does 1 "$work/broken.xml" --out "$work/a"
errs "the plan has errors"

# ---- what the unit prints: an end to it, and an error if it cannot be written ----
does 4 $cart --unit "sh -c 'yes; : {modbus_port}'" --param READY=2 --step "half a metre" --out "$work/a"
[ "$(wc -c <"$work/a/unit.log")" -lt 17000000 ] || fail "unit.log has $(wc -c <"$work/a/unit.log") bytes"
grep -qa "bytes were left out here" "$work/a/unit.log" || fail "unit.log does not say what was left out"
(
    ulimit -f 1000
    does 3 $cart --unit "sh -c 'yes; : {modbus_port}'" --step "half a metre" --out "$work/a"
    says "$work/a/unit.log: error: cannot be written: File too large"
    judge "$work/a" 'steps[0]["verdict"] == "error" and "unit.log cannot be written" in steps[0]["failures"][0] and summary["exit"] == 3'
) || exit 1

# ---- killed and interrupted: nothing is left running, neither the unit nor what it has started ----
lives() { pgrep -f "master.py [0-9]+ $1\$|sleep 100$1\$" | xargs -r ps -o stat= -p | grep -qv Z; }
is_whole() { [ "$(pgrep -fc "master.py [0-9]+ $1\$|sleep 100$1\$")" -ge 4 ]; }
for signal in KILL INT; do
    number=$$$( [ $signal = KILL ] && echo 1 || echo 2)
    # a child of its own, one that has left its session, and one whose parent is gone, too
    unit="sh -c 'sleep 100$number & setsid sleep 100$number & (setsid sleep 100$number &); exec $master $number'"
    start killed "$doppel" test $cart --unit "$unit" --rate 0.05 --out "$work/a"
    until_true 10 is_whole $number || fail "no unit"
    if [ $signal = INT ]; then # the handler has to run on the thread that knows the world
        for task in /proc/"$last"/task/*; do
            [ "${task##*/}" = "$last" ] && continue
            blocked=$((16#$(sed -n 's/^SigBlk:\t//p' "$task/status")))
            [ $((blocked & 0x4003)) -eq $((0x4003)) ] || fail "a thread of the world takes signals: $blocked"
        done
    fi
    kill -$signal "$last"
    wait "$last"
    code=$?
    dead() { ! lives $number; }
    until_true 1 dead || fail "after $signal the unit is still there: $(pgrep -fa "$number")"
done
[ $code -eq 4 ] || fail "an interrupted test ends with $code"
grep -q "ERR  half a metre" "$work/killed.log" || fail "not told: $(<"$work/killed.log")"
judge "$work/a" '[s["verdict"] for s in steps] == ["error", "skipped"] and "the user has ended the test" in junit.find(".//error").get("message")'

# ---- somebody kills what keeps the unit, or stops it: nothing is left either, and the results say so ----
number=${$}3
unit="sh -c '(setsid sh -c \"trap : TERM; sleep 100$number & while :; do wait; done\" &); exec $master $number'"
start kept "$doppel" test $cart --unit "$unit" --rate 0.05 --step "half a metre" --out "$work/a"
until_true 10 lives $number || fail "no unit"
kill -KILL "$(ps -o pid= --ppid "$last" | tr -d ' ')"
until_true 1 dead || fail "without its keeper the unit stays: $(pgrep -fa "$number")"
wait "$last"
[ $? -eq 4 ] || fail "a killed keeper: $(<"$work/kept.log")"
grep -q "the process that keeps the unit was killed" "$work/kept.log" || fail "not told: $(<"$work/kept.log")"
number=${$}4
echo '<test_plan name="p" world="empty"><step name="a"><wait for="0.5"/></step></test_plan>' >"$work/stopped.xml"
does 3 "$work/stopped.xml" --rate 1 --unit "sh -c 'sleep 100$number & kill -STOP \$PPID; sleep 100$number'" --out "$work/a"
says "ok   a" "error: the process that keeps the unit was stopped; it was continued"
dead || fail "behind a stopped keeper the unit stays"
judge "$work/a" 'steps[0]["verdict"] == "passed" and summary["exit"] == 3 and summary["errors"] == 1 and "was stopped" in summary["error"]'
judge "$work/a" 'junit.get("errors") == "1" and len(junit.findall("testsuite")) == 2 and [s.get("errors") for s in junit] == ["0", "1"] and "was stopped" in junit.find(".//error").get("message")'

# ---- the same plan in another building: parameters of the plan are for its world and its unit, too ----
does 0 elevator --param FLOORS=9 --step "04 to the top, empty" --out "$work/a"
judge "$work/a" '[m for m in steps[3]["measures"] if "distance" in m["name"]][0]["good"] and 17 < steps[3]["duration_s"] < 19.5'
does 1 elevator --param FLOORS=50
says "ERR  01 power on" "     robots/elevator.xml:" "another map has discrete 48"
cat >"$work/hall.xml" <<XML
<world name="hall" step_ms="2"><Param name="N" value="2"/><Repeat count="{N}" index="i"><sphere x="{2+i}" y="0" radius="0.1"/></Repeat></world>
XML
wrong_world() { # ELEMENT LINE:COLUMN TEXT
    echo "<test_plan name=\"p\">$1<step name=\"a\"><wait for=\"0.1\"/></step></test_plan>" >"$work/mutant.xml"
    does 1 "$work/mutant.xml"
    says "mutant.xml:$2: error: $3"
    timeout 20 "$doppel" check "$work/mutant.xml" >"$work/said" 2>&1 && fail "check takes $1"
    said=$(<"$work/said")
    says "mutant.xml:$2: error: $3"
}
wrong_world '<world file="hall" M="3"/>' 1:40 "world 'hall' has no parameter 'M', did you mean 'N'?"
wrong_world '<world file="hall" N="x"/>' 1:40 "N: found 'x', expected a number"
wrong_world '<world file="hall"/><unit command="u {prt}"/>' 1:58 "the command has {prt}"
wrong_world '' 1:1 "the plan has no world"
wrong_world '<world file="elevator_shft"/>' 1:34 "there is no world 'elevator_shft', did you mean 'elevator_shaft'?"
wrong_world '<world file="hal.xml"/>' 1:34 "there is no world 'hal.xml', did you mean 'hall'?" # beside the plan
wrong_world '<world file="nowhere_near"/>' 1:34 "there is no world 'nowhere_near'"

# ---- check: a unit's program that is a path has to be there; others are found when they are started ----
checks() { # CODE COMMAND
    echo "<test_plan name=\"p\" world=\"hall\"><unit command=\"$2\"/><step name=\"a\"><wait for=\"0.1\"/></step></test_plan>" >"$work/unit.xml"
    timeout 20 "$doppel" check "$work/unit.xml" >"$work/said" 2>&1
    code=$?
    said=$(<"$work/said")
    [ $code -eq "$1" ] || fail "check: exit $code, expected $1: $2: $said"
}
checks 1 "./no/such_unit {controllers_port}"
says "unit.xml:1:34: error: the unit './no/such_unit' cannot be started: No such file or directory"
checks 1 "docs/test-plans.md {controllers_port}"
says "cannot be started: Permission denied"
checks 0 "/bin/sh {controllers_port}"
checks 0 "no_such_unit {controllers_port}"
checks 0 "{out}/unit {controllers_port}"

# ---- plans that are wrong: a diagnostic with its place, exit code 1, nothing is run ----
mutate() { # SED LINE:COLUMN TEXT
    sed "$1" $plans/barrier.xml >"$work/mutant.xml"
    cmp -s "$work/mutant.xml" $plans/barrier.xml && fail "$1 changes nothing"
    sed -i "s|world=\"gate\"|world=\"$source_dir/$plans/gate.xml\"|" "$work/mutant.xml"
    does 1 "$work/mutant.xml"
    says "mutant.xml:$2: error: " "$3"
    timeout 20 "$doppel" check "$work/mutant.xml" >"$work/said" 2>&1 && fail "check takes $1"
    said=$(<"$work/said")
    says "mutant.xml:$2: error: " "$3"
}
mutate 's|"barrier/brake/release" value="1"|"barrier/brake/relaese" value="1"|' 7:19 "did you mean 'barrier/brake/release'?"
mutate 's|\[barrier/brake/open\]" expect|[barrier/brake/opne]" expect|' 6:20 "did you mean 'barrier/brake/open'?"
mutate 's|value="angle"|value="angel"|' 16:20 "did you mean 'angle'?"
mutate 's|take="max"|take="maxi"|' 12:61 "did you mean 'max'?"
mutate 's|max="0.06"|max="0.06 +"|' 9:59 "the expression ends"
mutate 's|name="brake holds"|name="bolt holds"|' 19:3 "a step has a name of its own"
mutate 's|</step>|</stop>|' 10:5 "does not close <step>"
does 1 $plans/no_such_plan
does 2 $plans/barrier.xml --repeat 0
does 2
timeout 20 "$doppel" check $plans/barrier.xml $plans/drive.xml $cart >"$work/said" 2>&1 || fail "check: $(<"$work/said")"

# a plan whose world does not exist
echo '<test_plan name="m" world="nope"><step name="a"><wait for="1 s"/></step></test_plan>' >"$work/nope.xml"
"$doppel" test "$work/nope.xml" >"$work/said" 2>&1
[ $? -eq 1 ] || fail "no world: $(<"$work/said")"
