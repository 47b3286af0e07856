#!/usr/bin/env bash
# A step whose need has not passed is skipped, with the reason on the screen, in JUnit and in the summary; so is a step that goes on from it. Alone, with --step, it is done.
# A step that nothing could fail says so.
source "$(dirname "$0")/../lib.sh"
cat >"$work/plan.xml" <<'PLAN'
<test_plan name="needs" world="empty">
  <step name="bad"><expect value="[avatar/x] > 1"/></step>
  <step name="lacks it" reset="true" needs="bad"><expect value="1"/></step>
  <step name="goes on"><expect value="1"/></step>
  <step name="lacks the second" reset="true" needs="lacks it"><expect value="1"/></step>
  <step name="good" reset="true"><expect value="[avatar/x] &lt; 1"/></step>
  <step name="has it" reset="true" needs="good"><wait for="0.1 s"/></step>
</test_plan>
PLAN
"$doppel" test "$work/plan.xml" --out "$work/out" >"$work/run.log" 2>&1
[ $? -eq 4 ] || fail "exit code"
diff - <(sed 's/([0-9.]* s)/(T)/' "$work/run.log") >&2 <<'SAID' || fail "what it says"
FAIL bad (T)
     line 2: [avatar/x] > 1 does not hold; [avatar/x] is 0
skip lacks it: 'bad' has not passed
skip goes on: 'bad' has not passed
skip lacks the second: 'bad' has not passed
ok   good (T)
ok   has it (T): nothing is judged
1 run: 2 steps passed, 1 failed, 3 skipped
SAID
[ "$(grep -c "<skipped message=\"'bad' has not passed\"/>\|<skipped message=\"&apos;bad&apos; has not passed\"/>\|<skipped message=\"&#39;bad&#39; has not passed\"/>" "$work/out/junit.xml")" -eq 3 ] || fail "junit.xml: $(grep skipped "$work/out/junit.xml")"
[ "$(grep -c '"lacks": "bad"' "$work/out/summary.json")" -eq 3 ] || fail "summary.json"
"$doppel" test "$work/plan.xml" --step "lacks it" >"$work/one.log" 2>&1 || fail "alone"
grep -q "^ok   lacks it" "$work/one.log" || fail "alone: not done"
