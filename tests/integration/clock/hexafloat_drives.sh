#!/usr/bin/env bash
# The machine over real drives on a CAN bus, as far as emulated ones on a pty are: a drive falls silent in motion, then the whole bus
# is killed and comes back; each time the axes are lost by name, found again, reset and driven home.
source "$(dirname "$0")/../lib.sh"
drives=$work/drives
start drives "$doppel" emulate cia402 --pty "$drives" --missing-targets 0 --cut 3,4.5,6
until_true 5 test -e "$drives" || fail "no drives"
# Generous times: a busy machine may hold either side up; here only what is lost for longer counts.
requests="1.5 enable; 2.5 position 0.08 -0.04 0.58 0.02 0.03 -0.01; 8 reset; 8.5 enable; 9 home; 12 position 0.05 0 0.55 0 0 0"
requests="$requests; 19 reset; 19.5 enable; 20 home; 23 disable"
start run "$doppel" run hexafloat --bind hexafloat/mock --set Servo.ApiName=cia402 --set "Servo.Address=$drives" \
    --set Servo.MaxFollowingError=0.05 --set Servo.SilenceTimeout=300 --set Servo.ProcessDataTimeout=300 --set Servo.WatchdogTime=300 \
    --set MachineControl.MaxPoseGap=480 --set MachineControl.AxesTimeout=300 --set MachineControl.PathTimeout=300 \
    --set Servo.ReferenceTimeout=300 --set "MachineControl.Requests=$requests" --quiet --duration 24.5 --out "$work/out"
run=$last
until_true 20 grep -q "axis 3 (node 3): silent for" "$work/run.log" || fail "the cut is not told"
moves_again() { [ "$(grep -c "position: accepted" "$work/run.log")" -eq 2 ]; }
until_true 20 moves_again || fail "no second motion"
sleep 1
kill -9 "${pids[0]}"
rm -f "$drives"
until_true 5 grep -q "all axes, $drives" "$work/run.log" || fail "the killed bus is not told"
start drives2 "$doppel" emulate cia402 --pty "$drives" --missing-targets 0
wait "$run"
[ $? -eq 0 ] || fail "exit code"
python3 - "$work/out/summary.json" "$work/out/trace.csv" <<'PY' || fail "not as it should be"
import csv, json, sys
summary = json.load(open(sys.argv[1]))
drives = summary["devices"]["Servo"]
print({k: drives[k] for k in ("losses", "reconnects", "syncs", "missed", "bus_load", "latest_sync")}, file=sys.stderr)
assert drives["losses"] == 2 and not drives["lost"] and drives["reconnects"] == 1, drives
rows = list(csv.DictReader(open(sys.argv[2])))
def mode(t):
    return [r["Servo.mode"] for r in rows if float(r["t"]) >= t][0]
assert mode(2.4) == "on" and mode(8.2) == "off" and mode(11.5) == "on" and mode(22.5) == "on" and mode(24.2) == "off", [
    mode(t) for t in (2.4, 8.2, 11.5, 22.5, 24.2)]
home = [r for r in rows if float(r["t"]) >= 22.8][0]
off = max(abs(float(home[f"Hexaslide.{k}"]) - v) for k, v in (("x", 0.0), ("y", 0.0), ("z", 0.54)))
print(f"{off * 1e3:.4f} mm from home", file=sys.stderr)
assert off < 1e-4, "home again"
PY
