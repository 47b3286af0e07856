#!/usr/bin/env bash
# The arm's joints as drives on a CAN bus, as far as emulated ones on a pty are: beside the simulated arm; with the cable out for a while; with
# a drive that becomes faulty. Needs the clock: drives and bus are processes that keep time.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"

drives() { # OPTIONS...: three of them, 500000 counts a radian, at 0
    start drives "$doppel" emulate cia402 --pty "$work/drives" --axes 3 --counts 500000 --start '0 0 0' --ends '-3 3' --top-speed 5 --missing-targets 0 "$@"
    until_true 5 test -e "$work/drives" || fail "no drives"
}
arm() { # CODE BINDING DEVICE DURATION: results in out. Generous times: a busy machine may hold either side up
    local options=(--set "JointController$3.Address=$work/drives" --set JointController.MaximumError=0)
    for option in SilenceTimeout=400 ProcessDataTimeout=400 WatchdogTime=400 ReferenceTimeout=400; do
        options+=(--set "JointController$3.$option")
    done
    cd "$work" || exit 1
    "$doppel" run joint_arm --bind "$2" "${options[@]}" --duration "$4" --out out --quiet >run.log 2>&1
    local got=$?
    [ $got -eq "$1" ] || fail "the run ends with $got"
}

cable() { # the drives stop by themselves; later it begins anew from where they are
    drives --unplug 2,3
    arm 0 hw "" 8
    python3 - <<'PY' || fail "the cable"
import csv, json
device = json.load(open("out/summary.json"))["devices"]["JointController"]
print(device)
assert device["losses"] >= 1 and not device["lost"] and device["reconnects"] >= 1, device
phases = [row["JointController.phase"] for row in csv.DictReader(open("out/trace.csv"))]
changes = [a for a, b in zip(phases, [None] + phases) if a != b]
assert changes == ["waiting", "following", "waiting", "following", "waiting"], changes
PY
}
row "the cable is out for a while" cable

together() {
    drives
    arm 0 hil_hw .hardware 6
    python3 - <<'PY' || fail "not as it should be"
import csv, json
summary = json.load(open("out/summary.json"))
devices = summary["devices"]
print(json.dumps(devices))
assert devices["JointController.hardware"]["emergencies"] == 0 and devices["JointController.hardware"]["losses"] == 0, devices
assert devices["JointController"]["simulation_errors"] == 0, devices
assert summary["JointController.faults"] == 0, summary
rows = [{k: v if k.endswith("phase") else float(v) for k, v in row.items()} for row in csv.DictReader(open("out/trace.csv"))]
assert rows[-1]["JointController.phase"] in ("following", "waiting"), rows[-1]
# the waypoints count from when the drives were ready; the bus adds two periods of 10 ms
begin = next(row["t"] for row in rows if row["JointController.phase"] == "following")
assert begin < 2, begin
for t, *wanted in (1, 0, -0.8, 1.2), (2, 0.8, -0.8, 1.2), (3, 0.8, -0.2, 0.4), (4, 0, -0.8, 1.2):
    row = min(rows, key=lambda row: abs(row["t"] - begin - t - 0.02))
    got = [row[f"JointController.position_{i}"] for i in (1, 2, 3)]
    assert all(abs(a - b) < 0.02 for a, b in zip(got, wanted)), (t, got)
# the simulated arm did the same meanwhile
assert max(row["JointController.difference"] for row in rows if row["t"] > begin) < 0.15
PY
}
row "beside the simulated arm" together

faulty() {
    drives --emergency 2,2
    arm 3 hw "" 4
    grep -q "the joints stop: one of them has fault 7300" run.log || fail "the fault is not told"
    python3 - <<'PY' || fail "the fault"
import csv, json
summary = json.load(open("out/summary.json"))
assert summary["JointController.faults"] == 1, summary
rows = list(csv.DictReader(open("out/trace.csv")))
last, before = rows[-1], rows[-100]
for i in (1, 2, 3):
    assert abs(float(last[f"JointController.position_{i}"]) - float(before[f"JointController.position_{i}"])) < 1e-4, (i, before, last)
assert last["JointController.phase"] == "waiting", last
PY
}
row "a drive becomes faulty: all stop and stay, and the run says so" faulty
rows_end
