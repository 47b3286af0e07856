#!/usr/bin/env bash
# The elevator's safety chain opens at 3 s: a fault until somebody else turns the key (coil 4) at 6 s; the way goes on.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/modbus_elevator.sh"
serve --call car:1 --trip 3 --key 6
run --seconds 12
report
saw "r['states'][:8] == [0, 1, 2, 3, 9, 0, 1, 2] and abs(r['position'] - 3.2) <= 0.005"
