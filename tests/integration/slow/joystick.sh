#!/usr/bin/env bash
# A hand on a joystick (its events on a pty) pushes the model of a machine; unplugged, the run says so and waits for it.
source "$(dirname "$0")/../lib.sh"
app=$source_dir/tests/unit/components/motion/data/chain.xml
# event TYPE AXIS LOW HIGH: one record of 8 bytes, the value's low byte first
event() {
    printf "\\x01\\x02\\x03\\x04\\x$3\\x$4\\x$1\\x$2"
}
start run "$doppel" run "$app" --duration 5 --quiet --out "$work/out" --set ForceSensor.ApiName=joystick \
    --set "ForceSensor.Port=pty:$work/js" --set "ForceSensor.Axes=1 z 100" --set ForceSensor.DeadZone=0
run=$last
until_true 5 test -e "$work/js" || fail "no pty"
exec 9<>"$work/js" || fail "cannot open the pty"
{
    event 82 01 00 00
    event 02 01 ff 7f # pushed to the end
    event 01 00 01 00 # a button
} >&9
moved() { # the hand has pushed the model by more than 20 mm
    python3 -S -c '
import csv, sys
rows = [row for row in csv.DictReader(open(sys.argv[1])) if None not in row.values()]
sys.exit(not max(float(row["DynamicModel.reference_z"]) for row in rows) > 0.56)' "$work/out/trace.csv.part"
}
until_true 10 moved || fail "the push is not felt"
exec 9>&- # unplugged
until_true 5 grep -q "ForceSensor: lost" "$work/run.log" || fail "nobody noticed that it was unplugged"
exec 9<>"$work/js"
event 02 01 01 80 >&9 # plugged in again and pulled
wait "$run"
code=$?
exec 9>&-
[ "$code" = 0 ] || fail "the run ended with $code"
[ "$(json "$work/out/summary.json" ForceSensor.samples)" -gt 1000 ] || fail "hardly a measurement"
python3 - "$work/out/trace.csv" <<'PY' || fail "the trace does not show the hand"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
force = [float(r["ForceSensor.force_z"]) for r in rows]
z = [float(r["DynamicModel.reference_z"]) for r in rows]
assert max(force) == 100.0, max(force)
assert min(force) == -100.0, min(force)
assert max(z) - 0.54 > 0.02, max(z)
PY
grep -q "ForceSensor: lost" "$work/run.log" || fail "nobody noticed that it was unplugged"
grep -q "answers again" "$work/run.log" || fail "nobody noticed that it came back"
