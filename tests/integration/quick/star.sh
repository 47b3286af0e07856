#!/usr/bin/env bash
# Worlds in STAR's format: check, info, sim with --set, --put, --save and --snapshot; what is refused; Python.
source "$(dirname "$0")/../lib.sh"

refuses() { # CODE PATTERN ARGUMENT...
    local code=$1 pattern=$2 got
    shift 2
    "$doppel" "$@" >"$work/out" 2>"$work/said"
    got=$?
    [ $got -eq "$code" ] || fail "exit $got, expected $code: doppel $* ($(<"$work/said"))"
    grep -q -- "$pattern" "$work/said" || fail "no '$pattern' in: $(<"$work/said")"
}

for world in "$profiles"/worlds/star/*.json; do
    "$doppel" check --strict "$world" >"$work/out" 2>"$work/said" || fail "check $world: $(<"$work/said")"
done
python3 "$source_dir/tools/star-worlds" --check || fail "the worlds are not those of tools/star-worlds"
"$doppel" info star/excavator.json >"$work/info" || fail "info"
grep -q "3 joints close loops, in 3 clusters: 15 rows, rank 6; 3 free" "$work/info" || fail "info: $(head -5 "$work/info")"
grep -qE '^excavator/boom/position +number +out +rad ' "$work/info" || fail "info has no channels"

# the four-bar after 1 s, as two other formulations have it (published digits)
"$doppel" sim star/four_bar.json --run 1 --every 1 --set multibody.integrator=rk4 --out "$work/a" --save "$work/now.json" \
    --snapshot "$work/now.png" 2>"$work/said" || fail "run: $(<"$work/said")"
python3 - "$work/a/channels.csv" <<'PY' || fail "the four-bar is elsewhere"
import csv, sys
row = list(csv.DictReader(open(sys.argv[1])))[-1]
for name, value in {"A/position": 5.547638448, "A/velocity": 5.273003275, "B/position": -4.256954920, "D/velocity": -3.147595275}.items():
    assert abs(float(row["four_bar/" + name]) - value) < 2e-9, (name, row["four_bar/" + name])
PY
[ -s "$work/now.png" ] || fail "no picture"

# the digger's bucket presses on its stone with all four corners of its edge
"$doppel" sim star/digger.json --run 1 --every 1 --put digger/ram1/command/position=0.8 --out "$work/dig" 2>"$work/said" || fail "digger: $(<"$work/said")"
python3 - "$work/dig/channels.csv" <<'PY' || fail "the digger does not press"
import csv, sys
first, last = (list(csv.DictReader(open(sys.argv[1])))[i] for i in (0, -1))
assert first["digger/bucket/contact"] == "0" and last["digger/bucket/contact"] == "4", last["digger/bucket/contact"]
assert 3e4 < float(last["digger/bucket/contact_force[2]"]) < 4e4 and last["digger/arm/stone/on"] == "1"
PY
sed 's/"stiffness": 2e6\|"stiffness": 2000000/"stiffness": 1e10/' "$profiles/worlds/star/digger.json" >"$work/stiff.json"
cp "$profiles/worlds/star/quarry.xml" "$work/"
refuses 1 'stiff.json:48:13: warning: a contact of this shape lasts 0.34 steps of 0.0005 s' check --strict "$work/stiff.json"

# an acceleration is what a joint has, while the others hold their places
"$doppel" sim star/arm.json --run 0.5 --every 0.5 --put cell/arm/elbow/command/acceleration=0.4 --out "$work/arm" 2>"$work/said" || fail "arm: $(<"$work/said")"
python3 - "$work/arm/channels.csv" <<'PY' || fail "the elbow has another acceleration"
import csv, sys
last = list(csv.DictReader(open(sys.argv[1])))[-1]
assert abs(float(last["cell/elbow/velocity"]) - 0.2) < 1e-9, last["cell/elbow/velocity"]
assert float(last["cell/arm/elbow/effort"]) < -1, last["cell/arm/elbow/effort"]
PY

# the saved file goes on where the run ended
"$doppel" check --strict "$work/now.json" >/dev/null 2>"$work/said" || fail "check of the saved file: $(<"$work/said")"
"$doppel" sim star/four_bar.json --run 2 --every 1 --out "$work/long" 2>/dev/null || fail "long run"
"$doppel" sim "$work/now.json" --run 1 --every 1 --out "$work/short" 2>/dev/null || fail "run of the saved file"
python3 - "$work/long/channels.csv" "$work/short/channels.csv" <<'PY' || fail "the saved file goes another way"
import csv, sys
long, short = (list(csv.DictReader(open(path)))[-1] for path in sys.argv[1:])
for name in "ABCD":
    for what in "position", "velocity":
        key = "four_bar/%s/%s" % (name, what)
        assert abs(float(long[key]) - float(short[key])) < 1e-9, (key, long[key], short[key])
PY

# twice the same bytes
"$doppel" sim star/delta.json --run 0.3 --out "$work/one" 2>/dev/null || fail "delta"
"$doppel" sim star/delta.json --run 0.3 --out "$work/two" 2>/dev/null || fail "delta again"
cmp "$work/one/channels.csv" "$work/two/channels.csv" || fail "two runs differ"

refuses 1 "integrator: 'rk5' is not one of" sim star/four_bar.json --run 1 --set multibody.integrator=rk5 --out "$work/no"
refuses 1 "expected a file that ends in .json" sim star/four_bar.json --run 1 --save "$work/no.xml"
refuses 1 "the world has 0 robots in STAR's format" sim office --run 0.1 --save "$work/no.json"
refuses 2 "--save needs --run" sim star/four_bar.json --save "$work/no.json"
echo '{"assembly": {"a": {"bodies": {"b": {}}, "joints": {"j": {"type": "Rz", "body_frame_pairs": [["fixed", "origin"], ["c", "origin"]]}}}}}' \
    >"$work/bad.json"
refuses 1 "bad.json:1:[0-9]*: error: .*j.*'c'" check "$work/bad.json"
refuses 1 "bad.json:1:[0-9]*: error: .*j.*'c'" sim "$work/bad.json" --run 1 --out "$work/no"
printf '{"assembly": {\n  // note\n}}' >"$work/comment.json"
refuses 1 "comment.json:2:3: error:" check "$work/comment.json"

sed 's/"time_step": 0.0001/"time_step": 1e308/' "$profiles/worlds/star/four_bar.json" >"$work/step.json"
grep -q 1e308 "$work/step.json" || fail "the step was not replaced"
refuses 1 "step.json: error: time_step: 1e+308 s is not a step" check "$work/step.json"
sed 's/"mass": [0-9.]*,/"mass": 0,/; s/"I\([xyz]\)\([xyz]\)": [0-9.]*/"I\1\2": 0/g' "$profiles/worlds/star/four_bar.json" >"$work/massless.json"
refuses 1 "has no mass or no moment of inertia\|moves has no mass" check "$work/massless.json"
mkfifo "$work/pipe.json"
refuses 1 "pipe.json" check "$work/pipe.json"
# without memory nothing is read, and nothing is good
python3 -c 'print("{\"model_parameters\":{\"q\":[" + ",".join(["1"] * 4000000) + "]},\"assembly\":{}}")' >"$work/large.json"
sanitized=$(nm -D "$build/avatar_sim/libdoppel_avatar.so" | grep -c __asan_)
if [ "$sanitized" = 0 ]; then
    (ulimit -v 150000 && exec "$doppel" check "$work/large.json") >"$work/out" 2>&1 && fail "without memory: exit 0: $(<"$work/out")"
fi

sed 's/^    "integrator"/    "include_worlds": ["empty.xml", "nix.xml"],\n&/' "$profiles/worlds/star/four_bar.json" >"$work/absent.json"
refuses 1 "absent.json:6:37: error: file 'nix.xml' is not there" sim "$work/absent.json" --run 0.1 --out "$work/no"
refuses 1 "there is no world 'star/nix.json'" info star/nix.json

# a loop that cannot be closed is told where its joint stands
sed 's/"T": \[2, 0, 0\]/"T": [20, 0, 0]/' "$profiles/worlds/star/four_bar.json" >"$work/open.json"
line=$(grep -n '"C": {' "$work/open.json" | cut -d: -f1)
refuses 1 "open.json:$line:[0-9]*: error: a loop cannot be closed: joint 'four_bar:C' stays open by" check "$work/open.json"
refuses 1 "open.json:$line:[0-9]*: a loop cannot be closed: joint 'four_bar:C' stays open by" sim "$work/open.json" --run 1 --out "$work/no"

# gains that are too stiff for the step are told, not with a step that is short enough
sed 's/"kp": [0-9.e]*, "kd": [0-9.e]*/"kp": 400, "kd": 4000/' "$profiles/worlds/star/arm.json" >"$work/stiff.json"
"$doppel" sim "$work/stiff.json" --run 0.01 --set multibody.integrator=rk4 --audit >"$work/out" 2>"$work/said" || fail "stiff gains: $(<"$work/said")"
grep -q "stiff.json:[0-9]*:[0-9]*: warning: joint 'cell:elbow': its motor is too stiff for steps of" "$work/said" || fail "stiff gains are not told: $(<"$work/said")"
"$doppel" sim "$work/stiff.json" --run 0.01 --step 1e-5 --set multibody.integrator=rk4 --audit >"$work/out" 2>"$work/said"
grep -q "too stiff" "$work/said" && fail "a short step is too long: $(<"$work/said")"
"$doppel" sim star/excavator.json --run 1 --audit >"$work/out" || fail "audit: $(<"$work/out")"
grep -q "by dampers and friction" "$work/out" || fail "no audit: $(<"$work/out")"

# forces that no step follows: the loop stands where it was closed last, and the run says so
"$doppel" sim star/four_bar.json --run 0.5 --every 0.5 --put four_bar/crank/handle='0.05 0.05 0 1e9 0' --put four_bar/A/apply=1e12 --record '*position' \
    --record '*residual' --out "$work/torn" --save "$work/torn.json" 2>"$work/said"
[ $? -eq 3 ] || fail "a loop that stopped: $(<"$work/said")"
grep -q "four_bar.json:[0-9]*:[0-9]*: error: robot 'multibody': the loop of joint 'four_bar:C' stopped at" "$work/said" || fail "a stop is not told: $(<"$work/said")"
python3 - "$work/torn/channels.csv" <<'PY' || fail "a loop that stopped is open"
import csv, sys
row = list(csv.DictReader(open(sys.argv[1])))[-1]
assert float(row["multibody/loop_residual"]) < 1e-9, row
PY

# Python cannot load a library that was built with sanitizers
if [ "$sanitized" != 0 ]; then
    echo "Python: not with sanitizers"
else
    DOPPEL_LIBRARY=$build/avatar_sim/libdoppel_avatar.so python3 "$source_dir/tests/integration/quick/multibody_python.py" "$doppel" "$profiles" \
        "$source_dir/clients/python" || fail "Python"
fi
echo ok
