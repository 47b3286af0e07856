#!/usr/bin/env bash
# With the integrity monitor no row is OK while the avatar is more than 300 mm from the robot, or the localized pose from the true one: the served
# world of the avatar is killed and started again, or the robot is carried (its world is reset), which has to be told within half a second. Real time,
# which a busy processor does not disturb here.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"

serve() { # NAME WORLD PORT
    start "$1" "$doppel" sim "$2" --port "$3"
    until_true 20 grep -q "serving world" "$work/$1.log" || fail "no world $2"
}
emulator() { # DEVICE
    start "$1" "$doppel" emulate "$1" --pty "$work/$1" --world "tcp://127.0.0.1:$truth" --robot robot
    until_true 20 grep -q ': at ' "$work/$1.log" || fail "no $1"
}
drive() { # ARGS...: the robot patrols for 22 s
    export XDG_RUNTIME_DIR=$work
    truth=$(free_port)
    serve truth office_truth.xml "$truth"
    emulator kobuki
    emulator urg
    start run "$doppel" run patrol --bind hil --bind hil_truth --quiet --duration 22 --out "$work/out" --set "Truth.port=$truth" \
        --set Localizer.Integrity=true --set "WheelController.hardware.Address=$work/kobuki" --set "LaserScanner.hardware.Address=$work/urg" "$@"
    run=$last
    until_true 20 grep -q -- "-> TRACKING, " "$work/run.log" || fail "not localized"
}
judge() {
    wait "$run" || fail "the run"
    python3 - "$work/out/trace.csv" "$1" <<'PY' || fail "wrongly OK"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
known, bad, since = ("TRACKING", "DEGRADED", "COASTING"), {"sync": [], "loc": []}, {}
for row in rows:
    for who, ok in ("sync", row["sync.state"] == "OK"), ("loc", row["loc.state"] in known):
        if row[who + ".true_mm"] in ("", "nan") or float(row[who + ".true_mm"]) <= 300:
            since.pop(who, None)
        elif float(row["t"]) - since.setdefault(who, float(row["t"])) >= float(sys.argv[2]) and ok:
            bad[who].append(row)
n = sum(row["sync.state"] == "OK" for row in rows)
for who, wrong in bad.items():
    print(who, len(wrong), "rows of", len(rows), "are wrongly OK,", n, "OK")
    for r in wrong[::10]:
        print(*(k + "=" + r[k] for k in ("t", who + ".true_mm", "sync.state", "loc.state", "loc.basis", "loc.protection_mm", "loc.agreement")))
sys.exit(any(bad.values()) or n < 0.3 * len(rows))
PY
}
restarted() {
    local port=$(free_port) device sets=()
    serve avatar office.xml "$port"
    world=$last
    for device in WheelController.simulation LaserScanner.simulation Localizer; do
        sets+=(--set "$device.ip=127.0.0.1" --set "$device.port=$port")
    done
    drive "${sets[@]}"
    sleep 5
    kill -9 "$world"
    wait "$world" 2>/dev/null
    sleep 1
    serve again office.xml "$port"
    judge 0
}
carried() { # SECONDS after the robot is localized
    drive
    sleep "$1"
    "$doppel" world "tcp://127.0.0.1:$truth" reset >"$work/reset.log" 2>&1 || fail "the world was not reset"
    judge 0.5
}
row "the avatar's world is restarted" restarted
for s in 3.5 4.5 5.5; do
    row "carried after $s s" carried "$s"
done
rows_told
rows_end
