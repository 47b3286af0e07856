# What the tests of doppel calibrate share. Sourced after lib.sh.
twin=(--bind twin --clock sim --quiet --log-level error)

# exits CODE PATTERN ARGUMENT...: of doppel; what it says is in $work/out and $work/said
exits() {
    local got
    "$doppel" "${@:3}" >"$work/out" 2>"$work/said"
    got=$?
    [ $got -eq "$1" ] || fail "exit $got, expected $1: doppel ${*:3} ($(<"$work/said"))"
    grep -q -- "$2" "$work/out" "$work/said" || fail "no '$2' in: $(cat "$work/out" "$work/said")"
}
calibration_record() {
    "$doppel" run patrol "${twin[@]}" --seed 5 --duration 120 --out "$made"
}
# calibration_recorded: two minutes of a robot that nobody has calibrated; the recording is then the folder $made
calibration_recorded() { made_once calibration_recording calibration_record; }

# truthful FILE LIMIT_OF_THE_AXLE: whether a binding has the wheels (within 0.3 %), the axle and the delay of the robot of office_truth.xml
truthful() {
    python3 - "$@" <<'PY'
import re, sys
value = lambda name: float(re.search(rf'name="{name}"[^>]*>([^<]*)<', open(sys.argv[1]).read()).group(1))
for name, true in (("Left", 0.97), ("Right", 1.02)):
    assert abs(value(f"hardware.OdometryScale{name}") / true - 1) < 0.003, name
assert abs(value("hardware.OdometryAxleScale") / 1.02 - 1) < float(sys.argv[2]), "axle"
assert abs(value("TimeOffset")) < 5, "delay"
PY
}
