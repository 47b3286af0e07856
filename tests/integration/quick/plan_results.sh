#!/usr/bin/env bash
# What `doppel test` leaves behind: summary.json, junit.xml and traces say how each step of a plan went, and what could not be judged is an error.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/plans/plans.sh"
source "$source_dir/tests/integration/rows.sh"
barrier() { # CODE ARGUMENTS...: the plan of the barrier, results in $work/a
    does "$1" $plans/barrier.xml --out "$work/a" "${@:2}"
}

all_pass() {
    barrier 0
    says "ok   brake holds" "1 run: 4 steps passed, 0 failed, 0 skipped"
    judge "$work/a" 'summary["exit"] == 0 and summary["passed"] == 4 and all(s["verdict"] == "passed" for s in steps)'
    judge "$work/a" 'junit.get("tests") == "4" and junit.get("failures") == "0" and not junit.findall(".//failure")'
    judge "$work/a" 'len(junit.findall("testsuite/testcase")) == 4 and junit.find("testsuite/testcase/properties/property").get("name") == "T"'
    ! compgen -G "$work/a/trace-*" || fail "a trace of a step that passed"
}
row "all steps pass" all_pass

seeds() {
    barrier 0
    does 0 $plans/barrier.xml --out "$work/b" --repeat 3
    says "seed 3" "3 runs: 12 steps passed"
    judge "$work/b" '[r["seed"] for r in summary["runs"]] == [1, 2, 3] and len({r["duration_s"] for r in summary["runs"]}) == 3'
    python3 - "$work/a" "$work/b" <<'PY' || fail "the same seed gives another run"
import json, sys
a, b = (json.load(open(folder + "/summary.json"))["runs"][0] for folder in sys.argv[1:])
del a["real_s"], b["real_s"]
sys.exit(a != b)
PY
}
row "the same seed gives the same run, another one other delays" seeds

from_where() {
    barrier 0 --step "feedback of the brake is lost"
    judge "$work/a" '[s["verdict"] for s in steps] == ["skipped"] * 3 + ["passed"] and len(junit.findall(".//skipped")) == 3'
    barrier 0 --step "bolt holds"
    judge "$work/a" '[s["verdict"] for s in steps] == ["passed"] * 2 + ["skipped"] * 2'
}
row "one step is done with those from which it goes on" from_where
row "a step that is misspelled" refuses 1 "there is no step 'bold holds', did you mean 'bolt holds'?" $plans/barrier.xml --step "bold holds"
no_step() {
    barrier 1 --step "xyz"
    says "there is no step 'xyz': --list prints them"
    judge "$work/a" 'junit.get("errors") == "1" and "no step" in junit.find(".//error").get("message")'
}
row "a step that there is not is an error in the results" no_step
list() {
    does 0 $plans/barrier.xml --list
    [ "$said" = "$(printf 'brake opens\nbolt holds (goes on)\nbrake holds (goes on)\nfeedback of the brake is lost')" ] || fail "the list: $said"
}
row "--list prints the steps" list
fail_fast() {
    barrier 4 --param ANGLE=0.15 --fail-fast --repeat 3
    judge "$work/a" '[s["verdict"] for s in steps] == ["passed", "failed", "skipped", "skipped"]'
}
row "--fail-fast ends after the first failure" fail_fast

errs() { # MESSAGE PLAN: so says the only case of junit.xml that has an error
    does 1 "$2" --out "$work/a"
    judge "$work/a" 'len(junit.findall(".//error")) == 1 and '"'$1'"' in junit.find(".//error").get("message")'
    judge "$work/a" 'junit.get("errors") == "1" and junit.find("testsuite").get("errors") == "1" and int(junit.get("tests")) > 0 and summary["exit"] == 1'
}
nowhere() {
    sed 's|world="[^"]*"|world="nope"|' $cart >"$work/nowhere.xml"
    errs "there is no world" "$work/nowhere.xml"
}
row "a plan without its world is an error in the results" nowhere
broken() {
    sed 's|</test_plan>||' $cart >"$work/broken.xml"
    errs "the plan has errors" "$work/broken.xml"
}
row "a plan that cannot be read is an error in the results" broken
rows_end
