#!/usr/bin/env bash
# Plans that are wrong: `doppel test` and `doppel check` say what and where, and nothing is run.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/plans/plans.sh"
source "$source_dir/tests/integration/rows.sh"

both() { # PLAN PLACE TEXT...: both say so, and fail
    local plan=$1 place=$2
    shift 2
    does 1 "$plan"
    says "${plan##*/}:$place: error: " "$@"
    checks 1 "$plan" "${plan##*/}:$place: error: " "$@"
}
checks() { # CODE PLAN TEXT...
    local plan=$2 code
    timeout 20 "$doppel" check "$plan" >"$work/said" 2>&1
    code=$?
    said=$(<"$work/said")
    [ $code -eq "$1" ] || fail "check: exit $code, expected $1: $said"
    says "${@:3}"
}
mutated() { # SED PLACE TEXT: of the plan of the barrier
    sed "$1" $plans/barrier.xml >"$work/mutant.xml"
    cmp -s "$work/mutant.xml" $plans/barrier.xml && fail "$1 changes nothing"
    sed -i "s|world=\"gate\"|world=\"$source_dir/$plans/gate.xml\"|" "$work/mutant.xml"
    both "$work/mutant.xml" "$2" "$3"
}
while IFS='~' read -r change place text; do
    row "$text" mutated "$change" "$place" "$text"
done <<'ROWS'
s|"barrier/brake/release" value="1"|"barrier/brake/relaese" value="1"|~7:19~did you mean 'barrier/brake/release'?
s|\[barrier/brake/open\]" expect|[barrier/brake/opne]" expect|~6:20~did you mean 'barrier/brake/open'?
s|value="angle"|value="angel"|~16:20~did you mean 'angle'?
s|take="max"|take="maxi"|~12:61~did you mean 'max'?
s|max="0.06"|max="0.06 +"|~9:59~the expression ends
s|name="brake holds"|name="bolt holds"|~19:3~a step has a name of its own
s|</step>|</stop>|~10:5~does not close <step>
ROWS

begins() { # ELEMENT PLACE TEXT: a plan that begins with this element, beside a world `hall`
    cat >"$work/hall.xml" <<XML
<world name="hall" step_ms="2"><Param name="N" value="2"/><Repeat count="{N}" index="i"><sphere x="{2+i}" y="0" radius="0.1"/></Repeat></world>
XML
    echo "<test_plan name=\"p\">$1<step name=\"a\"><wait for=\"0.1\"/></step></test_plan>" >"$work/mutant.xml"
    both "$work/mutant.xml" "$2" "$3"
}
while IFS='~' read -r element place text; do
    row "$text" begins "$element" "$place" "$text"
done <<'ROWS'
<world file="hall" M="3"/>~1:40~world 'hall' has no parameter 'M', did you mean 'N'?
<world file="hall" N="x"/>~1:40~N: found 'x', expected a number
<world file="hall"/><unit command="u {prt}"/>~1:58~the command has {prt}
~1:1~the plan has no world
<world file="elevator_shft"/>~1:34~there is no world 'elevator_shft', did you mean 'elevator_shaft'?
<world file="hal.xml"/>~1:34~there is no world 'hal.xml', did you mean 'hall'?
<world file="nowhere_near"/>~1:34~there is no world 'nowhere_near'; searched: 
ROWS

# a unit's program that is a path has to be there; others are found when they are started
unit() { # CODE COMMAND TEXT...: check
    echo "<test_plan name=\"p\" world=\"empty\"><unit command=\"$2\"/><step name=\"a\"><wait for=\"0.1\"/></step></test_plan>" >"$work/unit.xml"
    checks "$1" "$work/unit.xml" "${@:3}"
}
row "the unit is not there" unit 1 "./no/such_unit {controllers_port}" \
    "unit.xml:1:35: error: the unit './no/such_unit' cannot be started: No such file or directory"
row "the unit is no program" unit 1 "docs/guides/test-plans.md {controllers_port}" "cannot be started: Permission denied"
row "the unit is a program" unit 0 "/bin/sh {controllers_port}"
row "the unit may be found later" unit 0 "no_such_unit {controllers_port}"
row "the unit may be among the results" unit 0 "{out}/unit {controllers_port}"

row "braces of --unit" refuses 1 "--unit: error: the command has {port}; what can be filled in: {controllers_port} {modbus_port} {seed} {out}" \
    $cart --unit "unit {port}"
row "a parameter that is out of its range" refuses 1 "--param FLOORS=50: error: FLOORS: found 50, expected 2 to 32" elevator --param FLOORS=50
mkdir "$work/taller" # the elevator without its range
sed 's/ min="2" max="32"//; s/file="elevator_shaft"/file="shaft.xml"/' "$profiles/plans/elevator.xml" >"$work/taller/plan.xml"
sed 's/ min="2" max="32"//' "$profiles/worlds/elevator_shaft.xml" >"$work/taller/shaft.xml"
sed 's/ min="2" max="32"//' "$profiles/robots/elevator.xml" >"$work/taller/elevator.xml"
row "a parameter that the world's table has no room for" refuses 1 "taller/elevator.xml:" "$work/taller/plan.xml" --param FLOORS=50
row "which step that is" refuses 1 "ERR  01 power on" "$work/taller/plan.xml" --param FLOORS=50
row "what the table has" refuses 1 "another map has discrete 48" "$work/taller/plan.xml" --param FLOORS=50
row "no such plan" does 1 $plans/no_such_plan
row "no runs" does 2 $plans/barrier.xml --repeat 0
row "no plan" does 2
row "plans without errors" checks 0 $plans/barrier.xml
row "plans with units without errors" checks 0 $plans/drive.xml
row "plans with masters without errors" checks 0 $cart
rows_end
