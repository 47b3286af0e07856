#!/usr/bin/env bash
# Completion in a shell, of an installed Doppel.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/installed.sh"
# completed WORD...: what a shell offers for the last word
completed() {
    installed bash --norc -c '. "$0"; compopt() { :; }; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _doppel; echo "${COMPREPLY[*]}"' \
        "$prefix/share/bash-completion/completions/doppel" "$@"
}
[ "$(completed doppel run patr)" = patrol ] || fail "completion of applications: $(completed doppel run patr)"
[ "$(completed doppel run patrol --bind twin_o)" = twin_odometry ] || fail "completion of bindings"
[ "$(completed doppel run patrol --set RobotControl.SafeR)" = RobotControl.SafeRadius= ] || fail "completion of properties"
[ "$(completed doppel info VelocityS)" = VelocityScript ] || fail "completion of classes"
[ "$(completed doppel info sensor/las)" = sensor/laser ] || fail "completion of what worlds are made of"
[ "$(completed doppel topic ech)" = echo ] || fail "completion of verbs"
[ "$(completed doppel info delta_cel)" = delta_cell ] || fail "completion of worlds for info"
