#!/usr/bin/env bash
# The control unit of the delta robot, over TCP at 2 kHz, as fast as both can: within the limits of encoders and motors; killed, its motors are
# released, and the next one takes the robot from where it is.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
source "$source_dir/tests/integration/world.sh"
unit=$build/tools/controllers/delta/delta_controller

begin() {
    serve cell delta_cell --controllers 0
    say rate max || fail "rate: $(<"$work/said")"
}
works() { # the errors of the joints are those of encoders, motors and 2 kHz
    "$unit" --port "$port" --seconds 2.8 "$@" >"$work/says" || fail "the control unit ended with $?"
    python3 - "$work/says" <<'PY' || fail "not within 8e-4 and 2e-3 rad: $(<"$work/says")"
import re, sys
rms, most = re.search(r"joints: (\S+) rad rms, (\S+) rad", open(sys.argv[1]).read()).groups()
sys.exit(not (1e-6 < float(rms) <= 8e-4 and float(most) <= 2e-3))
PY
    grep -q "every 0.5 ms, 0 late, 0 dropped" "$work/says" || fail "says: $(<"$work/says")"
}
released() { [ "$(grep -c "what it commanded is released" "$work/cell.log")" -ge "$1" ]; }
killed() { # in the middle: the arms fall
    begin
    works --truth
    start victim "$unit" --port "$port" --seconds 60
    until_world "delta/platform/pose[0] < -0.15"
    kill -9 "$last"
    until_true 5 released 2 || fail "not released"
    works
    kill -INT "$world"
    wait "$world" || fail "the cell ended with $?"
    refused 3 "" "$unit" --port "$port" --seconds 1
}
row "it works, is killed, and the next one goes on" killed

wrong() { # CODE TEXT ARGUMENTS...: one line, and the robot stays as it is
    begin
    refused "$1" "$2" "$unit" --port "$port" "${@:3}"
}
row "another robot" wrong 1 nobody --robot nobody
row "a path out of reach" wrong 1 "out of reach" --param Z0=-0.9
row "port 99999" refused 1 "" "$unit" --port 99999
row "a misspelled option" refused 2 "" "$unit" --sedonds 1
rows_end
