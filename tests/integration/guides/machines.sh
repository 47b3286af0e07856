# The results of the guide's plans of the elevator.
[ "$(grep -c '<testcase' out/elevator/junit.xml)" -eq 82 ] || fail "not 82 steps in junit.xml"
xmllint --noout out/elevator/junit.xml || fail "junit.xml is no XML"
compgen -G "out/mistake/trace-*" || fail "no trace of the step that found the mistake: $(ls out/mistake)"
