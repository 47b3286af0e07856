#!/usr/bin/env bash
# doppel calibrate: the limits of tools/experiments/calibration for one robot, a run that is too short, what it refuses; and changes of
# the application's world by a binding.
source "$(dirname "$0")/lib.sh"

exits() { # CODE PATTERN ARGUMENT...
    local code=$1 pattern=$2 got
    shift 2
    "$doppel" "$@" >"$work/out" 2>"$work/said"
    got=$?
    [ $got -eq "$code" ] || fail "exit $got, expected $code: doppel $* ($(<"$work/said"))"
    grep -q -- "$pattern" "$work/out" "$work/said" || fail "no '$pattern' in: $(cat "$work/out" "$work/said")"
}

"$source_dir/tools/experiments/calibration" "$build" 1 >"$work/acceptance.log" 2>&1 || fail "limits"
grep -q "^seed 1: .*: ok$" "$work/acceptance.log" || fail "no row"

# 10 s of driving straight on show the wheels, but neither the axle nor the delay
short=(calibrate patrol --bind twin --clock sim --quiet --log-level error --duration 10)
exits 4 "not identified: scale of the axle; this shows it: turn" "${short[@]}" --output "$work/short.xml" --drive "$work/drive.xml"
grep -q 'name="hardware.OdometryScaleLeft"' "$work/short.xml" || fail "the identified wheels are not written"
! grep -q 'OdometryAxleScale\|axle_scale\|TimeOffset' "$work/short.xml" "$work/drive.xml" || fail "what is not identified is written"
exits 0 "2 files: 0 errors, 0 warnings" check --strict "$work/short.xml" "$work/drive.xml"
exits 0 "1 file: 0 errors, 0 warnings" check patrol --resolve --bind twin --bind "$work/short.xml" --bind "$work/drive.xml"
# the deviations of an earlier calibration do not make a run look certain
exits 4 "not identified: scale of the axle" "${short[@]}" --bind "$work/short.xml" --output "$work/again.xml"

exits 2 "--output is needed" calibrate patrol --bind twin
exits 1 "has no Localizer; a binding may add it" calibrate patrol --bind sim --clock sim --output "$work/x.xml"
exits 1 "cannot write" "${short[@]}" --output "$work/nowhere/x.xml"
exits 2 "expected real, sim" "${short[@]}" --clock fast --output "$work/x.xml"
[ ! -e "$work/x.xml" ] && [ ! -e "$work/x.xml.part" ] || fail "a refused calibration leaves a file"

# a change of the world that it does not take is reported where it stands
cat >"$work/bad.xml" <<'XML'
<binding_profile>
  <name>bad</name>
  <world_properties>
    <property entry="avatar" name="wheel_scale_lef">0.97</property>
  </world_properties>
</binding_profile>
XML
exits 1 "bad.xml:4:5: error: .*avatar has no property 'wheel_scale_lef', did you mean 'wheel_scale_left'" \
    check patrol --resolve --bind twin --bind "$work/bad.xml"
exits 1 "bad.xml:4:5: error: .*avatar has no property" run patrol --clock sim --bind sim --bind "$work/bad.xml" --duration 1
echo "calibrations are found, judged and written"
