#!/usr/bin/env bash
# The machine over real drives on a CAN bus, as far as emulated ones on a pty are: a drive falls silent in motion, the whole bus is killed and comes
# back; the axes are lost by name, found again, reset and driven home. Needs the clock: drives and bus are processes that keep time.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"

drives() { # NAME ARGUMENTS...: of the emulator
    start "$1" "$doppel" emulate cia402 --pty "$work/drives" --missing-targets 0 "${@:2}"
    until_true 5 test -e "$work/drives" || fail "no drives"
}
machine() { # DURATION REQUESTS. Generous times: a busy machine may hold either side up; here only what is lost for longer counts
    start run "$doppel" run hexafloat --bind hexafloat/mock --set Servo.ApiName=cia402 --set "Servo.Address=$work/drives" \
        --set Servo.MaxFollowingError=0.05 --set Servo.SilenceTimeout=300 --set Servo.ProcessDataTimeout=300 --set Servo.WatchdogTime=300 \
        --set MachineControl.MaxPoseGap=480 --set MachineControl.AxesTimeout=300 --set MachineControl.PathTimeout=300 \
        --set Servo.ReferenceTimeout=300 --set "MachineControl.Requests=$2" --quiet --duration "$1" --out "$work/out"
    run=$last
}
ended() { # RECONNECTS TIME:MODE...: lost once, and these modes; home before the last of them
    wait "$run" || fail "exit code"
    python3 - "$work/out" "$@" <<'PY' || fail "not as it should be"
import csv, json, sys
out, reconnects, *modes = sys.argv[1:]
drives = json.load(open(out + "/summary.json"))["devices"]["Servo"]
print({k: drives[k] for k in ("losses", "reconnects", "syncs", "missed", "bus_load", "latest_sync")})
assert drives["losses"] == 1 and not drives["lost"] and drives["reconnects"] == int(reconnects), drives
rows = list(csv.DictReader(open(out + "/trace.csv")))
def at(t):
    return next(r for r in rows if float(r["t"]) >= float(t))
for t, mode in (word.split(":") for word in modes):
    assert at(t)["Servo.mode"] == mode, (t, at(t)["Servo.mode"])
home = at(modes[-2].split(":")[0])
off = max(abs(float(home[f"Hexaslide.{k}"]) - v) for k, v in (("x", 0.0), ("y", 0.0), ("z", 0.54)))
print(f"{off * 1e3:.4f} mm from home")
assert off < 1e-4, "home again"
PY
}

cut() {
    drives drives --cut 3,4.5,6
    machine 13.5 "1.5 enable; 2.5 position 0.08 -0.04 0.58 0.02 0.03 -0.01; 8 reset; 8.5 enable; 9 home; 12.5 disable"
    until_true 20 grep -q "axis 3 (node 3): silent for" "$work/run.log" || fail "the cut is not told"
    ended 0 2.4:on 8.2:off 11.5:on 12.3:on 13.3:off
}
row "a drive falls silent in motion" cut
killed() {
    drives before
    machine 13.5 "1.5 enable; 2.5 position 0.05 0 0.55 0 0 0; 8 reset; 8.5 enable; 9 home; 12.5 disable"
    until_true 20 grep -q "position: accepted" "$work/run.log" || fail "no motion"
    sleep 0.5 # it moves
    kill -9 "${pids[0]}"
    rm -f "$work/drives"
    until_true 5 grep -q "all axes, $work/drives" "$work/run.log" || fail "the killed bus is not told"
    drives after
    ended 1 2.4:on 8.2:off 11.5:on 12.3:on 13.3:off
}
row "the whole bus is killed in motion, and comes back" killed
rows_end
