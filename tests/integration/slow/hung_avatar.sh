#!/usr/bin/env bash
# A component hangs for 1.5 s in the executor that commands an avatar, embedded or served, or a mock: each stands still 0.3 s after the cycle that hung,
# and does not go on by itself.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble
avatar='<property name="ApiName">avatar</property><property name="WheelDiameter">0.07</property>
    <property name="AxleDistance">0.23</property><property name="R_Motor_Name">RightWheel</property>
    <property name="L_Motor_Name">LeftWheel</property>'
drive_with_trouble "$work/embedded.xml" "$avatar" "$profiles/worlds/empty.xml"
drive_with_trouble "$work/served.xml" "$avatar<property name=\"ip\">127.0.0.1</property>" "$profiles/worlds/empty.xml"
drive_with_trouble "$work/mock.xml" '<property name="ApiName">mock</property>'
# hang APPLICATION X Y ARGUMENT...: 0.2 m/s for one period and the limit of 0.3 s, and the ramp: 0.11 m; without a stop it would be 0.3 m
hang() {
    "$doppel" run "$top/$1.xml" --set Trouble.What=sleep --set Trouble.At=1.2 --set Trouble.For=1.5 --quiet --duration 4 \
        --out "$work/out" "${@:4}" >"$work/run.log" 2>&1 || fail "the run failed"
    python3 - "$work/out/trace.csv" "$2" "$3" <<'PY' || fail "see above"
import csv, math, sys
rows = [(float(r["t"]), float(r[sys.argv[2]]), float(r[sys.argv[3]])) for r in csv.DictReader(open(sys.argv[1]))]
hang = max(range(1, len(rows)), key=lambda i: rows[i][0] - rows[i - 1][0])
before, after = rows[hang - 1], rows[min(hang + 1, len(rows) - 1)]
way = math.dist(before[1:], after[1:])
print(f"{way:.3f} m in a hang of {after[0] - before[0]:.2f} s")
assert after[0] - before[0] > 1.2, "it did not hang"
assert 0.03 < way < 0.16, "that is what it drove while nobody commanded it"
assert math.dist(rows[-1][1:], after[1:]) > 0.1, "it does not go on with the next command"
PY
}
served() {
    local port=$(free_port)
    start sim "$doppel" sim empty.xml --port "$port"
    until_true 10 grep -q serving "$work/sim.log" || fail "no world"
    hang served WheelController.true_x WheelController.true_y --set WheelController.port="$port"
}
beside "an embedded avatar" hang embedded WheelController.true_x WheelController.true_y
beside "a mock" hang mock WheelController.x WheelController.y
beside "an avatar of a served world" served
rows_end
