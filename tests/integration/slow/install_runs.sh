#!/usr/bin/env bash
# An installed Doppel lists, runs, checks and simulates for any user, without the build folder.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/installed.sh"
installed doppel list >"$work/list.log" 2>&1 || fail "list"
for word in RobotControl wheel_controller/hil patrol office kobuki_urg elevator WheelControllerService; do
    grep -q "^$word " "$work/list.log" || fail "list does not have $word"
done
[ "$(installed doppel list drivers | wc -l)" -eq "$(find "$build/plugins" -name 'driver-*.so' | wc -l)" ] || fail "drivers"
installed doppel run patrol --bind sim --clock sim --duration 20 --quiet --out results >"$work/run.log" 2>&1 || fail "run"
number "$(json "$home/results/summary.json" duration_s) >= 20" || fail "no summary of 20 s"
installed doppel check --strict patrol office kobuki_urg >"$work/check.log" 2>&1 || fail "check"
installed doppel sim delta_cell --duration 1 >"$work/sim.log" 2>&1 || fail "sim"
for command in $(installed doppel --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    command -v scdoc >/dev/null || break
    [ -s "$prefix/share/man/man1/doppel-$command.1" ] || fail "no manual page of $command"
done
