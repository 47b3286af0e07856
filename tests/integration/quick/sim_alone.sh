#!/usr/bin/env bash
# doppel sim without drivers: --list, --run with --put and --record, what it refuses; a world's channels in `doppel info`.
source "$(dirname "$0")/../lib.sh"

refuses() { # CODE PATTERN ARGUMENT...
    local code=$1 pattern=$2 got
    shift 2
    "$doppel" sim "$@" >"$work/out" 2>"$work/said"
    got=$?
    [ $got -eq "$code" ] || fail "exit $got, expected $code: doppel sim $* ($(<"$work/said"))"
    grep -q -- "$pattern" "$work/said" || fail "no '$pattern' in: $(<"$work/said")"
}

"$doppel" sim office --list >"$work/list" || fail "--list"
grep -qE '^avatar/LeftWheel/speed +number +in +rad/s +-22\.\.22 ' "$work/list" || fail "no motor: $(<"$work/list")"
grep -qE '^avatar/laser/ranges +block\[682\] +out +m ' "$work/list" || fail "no laser: $(<"$work/list")"
"$doppel" info office >"$work/info" || fail "info office"
grep -q '^world office' "$work/info" || fail "info says: $(head -3 "$work/info")"
grep -qE '^avatar/LeftWheel/speed ' "$work/info" || fail "info has no channels"

# warnings about a world, which `doppel check` has too
sed 's/<ground /<ground colour="red" /' "$profiles/worlds/corridor.xml" >"$work/red.xml"
cp "$profiles/robots/kobuki_urg.xml" "$work/"
warning=$("$doppel" check "$work/red.xml" 2>&1 | grep "red.xml:.* warning: .*colour") || fail "no warning of check"
for way in --list "--run 0.1 --out $work/red" "--port 0 --duration 0.1" "--port 0 --duration 0.1 --set avatar.laser.noise_m=0"; do
    # shellcheck disable=SC2086
    "$doppel" sim "$work/red.xml" $way 2>"$work/said" >/dev/null || fail "sim $way: $(<"$work/said")"
    [ "$(grep -cF "$warning" "$work/said")" = 1 ] || fail "sim $way does not say once: $warning"
done

# both wheels at 4 rad/s: 4 * 0.035 m/s as the robot's model has it; the first row is the beginning
run=(sim office --run 2 --every 0.5 --record 'avatar/[xy]' --record 'avatar/enc_*/angle' --put avatar/LeftWheel/speed=4 --put avatar/RightWheel/speed=4)
"$doppel" "${run[@]}" --out "$work/a" 2>"$work/said" || fail "run: $(<"$work/said")"
grep -q "results: $work/a/channels.csv" "$work/said" || fail "says: $(<"$work/said")"
[ "$(head -1 "$work/a/channels.csv")" = time,avatar/x,avatar/y,avatar/enc_left/angle,avatar/enc_right/angle ] || fail "$(head -1 "$work/a/channels.csv")"
[ "$(cut -d, -f1 "$work/a/channels.csv" | tr '\n' ' ')" = "time 0 0.5 1 1.5 2 " ] || fail "times: $(cut -d, -f1 "$work/a/channels.csv")"
python3 - "$work/a/channels.csv" <<'PY' || fail "the robot did not drive as its wheels turned"
import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
way = math.hypot(*(float(rows[-1][k]) - float(rows[0][k]) for k in ("avatar/x", "avatar/y")))
turned = float(rows[-1]["avatar/enc_left/angle"])
sys.exit(not (7.5 < turned < 8.0 and abs(way / turned - 0.035) < 0.001))
PY
python3 -c 'import json, sys; s = json.load(open(sys.argv[1])); sys.exit(not (s["duration_s"] == s["asked_s"] == 2 and s["rows"] == 5 and s["channels"] == 4))' \
    "$work/a/summary.json" || fail "summary: $(<"$work/a/summary.json")"
"$doppel" "${run[@]}" --out "$work/b" 2>/dev/null || fail "second run"
cmp "$work/a/channels.csv" "$work/b/channels.csv" || fail "two runs differ"
cmp "$work/a/summary.json" "$work/b/summary.json" || fail "two summaries differ"

# a laser that is told to turn: while the robot turns on the spot, early beams are behind and late ones ahead of those of one instant
for turns in 0 1; do
    "$doppel" sim office --run 2.045 --every 2.045 --record 'avatar/laser/ranges' --record avatar/twist --put avatar/LeftWheel/speed=-8 \
        --put avatar/RightWheel/speed=8 --put avatar/laser/turns=$turns --put avatar/laser/on=1 --out "$work/turns$turns" 2>"$work/said" ||
        fail "turns=$turns: $(<"$work/said")"
done
python3 - "$work"/turns[01]/channels.csv <<'PY' || fail "the laser does not turn as asked"
import csv, math, sys
def scan(file):
    row = list(csv.DictReader(open(file)))[-1]
    return [float(row[f"avatar/laser/ranges[{i}]"]) for i in range(682)], float(row["avatar/twist[1]"])
(still, rate), (turning, _) = map(scan, sys.argv[1:])
def shift(first):  # in beams, of 150 beams of the turning scan against the other
    def cost(k):
        return sum(min(abs(turning[i] - still[i + k]), 0.2) for i in range(first, first + 150))
    return min(range(-20, 21), key=cost)
for first in (30, 500):
    expected = rate * (first + 75 - 341) / 1024 * 0.1 * 1024 / (2 * math.pi)
    print(f"beams from {first}: shifted by {shift(first)}, expected {expected:.1f} at {rate:.2f} rad/s")
    if abs(rate) < 1.5 or abs(shift(first) - expected) > 1.5:
        sys.exit(1)
PY

# a folder has the results of its last run only, whichever command that was
"$doppel" run patrol --bind sim --clock sim --duration 1 --quiet --out "$work/b" 2>/dev/null || fail "a run into the folder"
[ ! -e "$work/b/channels.csv" ] || fail "channels of an earlier run beside a trace"
"$doppel" "${run[@]}" --out "$work/b" 2>/dev/null || fail "again"
[ ! -e "$work/b/trace.csv" ] && [ ! -e "$work/b/scans.csv" ] || fail "a trace of an earlier run beside channels: $(ls "$work/b")"

# a scan is recorded when it is asked for, and not before there is one
"$doppel" sim office --run 0.3 --every 0.05 --record avatar/laser/ranges --out "$work/scan" 2>/dev/null || fail "scan"
python3 - "$work/scan/channels.csv" <<'PY' || fail "scan: $(cut -c1-80 "$work/scan/channels.csv")"
import csv, sys
head, first, *rest = csv.reader(open(sys.argv[1]))
beams = [float(v) for v in rest[-1][1:]]
sys.exit(not (len(head) == len(beams) + 1 == 683 and set(first[1:]) == {""} and sum(0.2 < b < 5.6 for b in beams) > 300))
PY

# --set changes an attribute before it is read: in the world, of a robot, in the robot's file
"$doppel" sim office --list --set avatar.LeftWheel.max_speed=5 --set avatar.laser.max_range='3 m' >"$work/list" || fail "--list --set"
grep -qE '^avatar/LeftWheel/speed +number +in +rad/s +-5\.\.5 ' "$work/list" || fail "max_speed was not set: $(<"$work/list")"
grep -qE '^avatar/RightWheel/speed +number +in +rad/s +-22\.\.22 ' "$work/list" || fail "set of another wheel"
grep -qE '^avatar/laser/ranges .*0\.\.3 ' "$work/list" || fail "max_range was not set: $(<"$work/list")"
"$doppel" "${run[@]}" --set office.step_ms=2 --set avatar.wheel_scale_left=1.1 --out "$work/set" 2>"$work/said" || fail "run --set: $(<"$work/said")"
python3 - "$work/set" "$work/a" <<'PY' || fail "--set had no effect on a run"
import csv, json, sys
last = lambda folder: list(csv.DictReader(open(folder + "/channels.csv")))[-1]
steps = [json.load(open(folder + "/summary.json"))["steps"] for folder in sys.argv[1:]]
sys.exit(not (steps == [1000, 2000] and abs(float(last(sys.argv[1])["avatar/y"]) - float(last(sys.argv[2])["avatar/y"])) > 0.01))
PY
refuses 1 "set avatar.lazer.noise_m=0: error: this world has no entry 'avatar.lazer', did you mean 'avatar.laser'" office --list --set avatar.lazer.noise_m=0
refuses 1 "avatar.laser has no property 'noise', did you mean 'noise_m'" office --list --set avatar.laser.noise=0
refuses 1 "noise_m: 9 m is out of range, expected 0..1 m" office --list --set avatar.laser.noise_m=9
refuses 1 "expected ENTRY.PROPERTY=VALUE" office --list --set noise_m=9
refuses 1 "'screw_scale' is for machines, this robot is a mobile base" office --list --set avatar.screw_scale=2
refuses 1 "a seed is given for all of the world" office --list --set office.seed=2
refuses 1 "this world has no entry 'avatar.lazer'" office --port 0 --set avatar.lazer.noise_m=0 # also when served

# --param gives a parameter of the world's file another value: listed, run and served
for rows in 3 30; do # of 4 pillars, and 4 walls; an outline has 11 numbers
    "$doppel" sim pillars --list --param ROWS=$rows >"$work/list" || fail "--param ROWS=$rows"
    grep -q "^obstacles *vector\[$(((4 + 4 * rows) * 11))\]" "$work/list" || fail "ROWS=$rows: $(grep ^obstacles "$work/list")"
done
"$doppel" sim pillars --run 0.1 --param ROWS=30 --out "$work/param" 2>"$work/said" || fail "run --param: $(<"$work/said")"
"$doppel" sim pillars --port 0 --duration 0.1 --param ROWS=2 >/dev/null 2>"$work/said" || fail "serve --param: $(<"$work/said")"
sed 's/office.xml/pillars.xml/' "$profiles/apps/patrol.xml" >"$work/patrol.xml"
"$doppel" run "$work/patrol.xml" --bind sim --clock sim --duration 2 --quiet --out "$work/hall" 2>"$work/said" || fail "an application in the hall: $(<"$work/said")"
number "$(json "$work/hall/summary.json" WheelController.distance_m) > 0.1" || fail "the avatar did not move in the hall"
refuses 1 "--param ROW=2: error: this file has no parameter 'ROW', did you mean 'ROWS'?" pillars --list --param ROW=2
refuses 1 "--param ROW=2: error: this file has no parameter 'ROW', did you mean 'ROWS'?" pillars --port 0 --param ROW=2
refuses 1 "ROWS: found 'two', expected a number" pillars --run 1 --out "$work/none" --param ROWS=two
[ ! -e "$work/none" ] || fail "a world that is not read has results"
"$doppel" check pillars --param ROWS=7 --quiet || fail "check --param"
"$doppel" check pillars --param ROWS=7.5 --quiet 2>"$work/said" && fail "check accepts half a row"
grep -q "pillars.xml:.* count: found 7.5, expected a whole number" "$work/said" || fail "$(<"$work/said")"
"$doppel" check kobuki_urg --param N=1 --quiet 2>"$work/said" && fail "check accepts a parameter that a robot does not have"
grep -q "this file has no parameter 'N'" "$work/said" || fail "$(<"$work/said")"
"$doppel" check patrol --param N=1 --quiet 2>"$work/said" && fail "check accepts a parameter of an application"
grep -q "is not a world, robot or mechanism: only these have parameters (--param)" "$work/said" || fail "$(<"$work/said")"

refuses 1 "did you mean 'avatar/LeftWheel/speed'" office --run 1 --out "$work/c" --put avatar/LeftWeel/speed=1
refuses 1 "takes -22 to 22 rad/s, found '99'" office --run 1 --out "$work/c" --put avatar/LeftWheel/speed=99
refuses 1 "is an output of the world" office --run 1 --out "$work/c" --put avatar/x=1
refuses 1 "expected PATH=VALUE" office --run 1 --out "$work/c" --put avatar/x
refuses 1 "the world refuses it" office --run 1 --out "$work/c" --put "avatar/place=99999999 0 0"
refuses 1 "is not a channel that can be read" office --run 1 --out "$work/c" --record 'robot/*'
refuses 1 "is an input of the world" office --run 1 --out "$work/c" --record avatar/LeftWheel/speed
refuses 1 "did you mean 'office" ofice --list

# pictures: of the start, of the end of a run; the same again
for kind in svg png; do
    for again in 1 2; do
        "$doppel" sim office --run 0.5 --put avatar/LeftWheel/speed=4 --snapshot "$work/p$again.$kind" --show shapes,contacts,traces --look avatar ||
            fail "--snapshot p$again.$kind"
    done
    cmp "$work/p1.$kind" "$work/p2.$kind" || fail "two pictures differ"
    "$doppel" sim office --snapshot "$work/start.$kind" --look avatar || fail "--snapshot start.$kind"
    ! cmp -s "$work/p1.$kind" "$work/start.$kind" || fail "the robot has not moved in the picture"
done
xmllint --noout "$work/p1.svg" || fail "no SVG"
refuses 1 "expected a name that ends in .svg or .png" office --snapshot "$work/p.gif"
refuses 1 "expected shapes, joints, contacts, traces" office --snapshot "$work/p.png" --show walls
refuses 1 "expected AZIMUTH,ELEVATION" office --snapshot "$work/p.png" --view 30
refuses 1 "found '200,-95', .*-360 to 360 and -90 to 90" office --snapshot "$work/p.png" --view 200,-95
refuses 1 "has no robot 'nobody'" office --snapshot "$work/p.png" --look nobody
refuses 2 "need --snapshot" office --view 30,30
refuses 3 "cannot write" office --snapshot "$work/no/p.png"
[ ! -e "$work/p.png" ] || fail "a refused command leaves a picture"
# what a camera takes, in a file
yard=$source_dir/docs/mechanisms/yard.xml
for again in 1 2; do
    "$doppel" sim "$yard" --run 0.3 --image "mast/eye/image=$work/eye$again.png" --image "mast/depth/image=$work/depth$again.png" || fail "--image"
done
cmp "$work/eye1.png" "$work/eye2.png" && cmp "$work/depth1.png" "$work/depth2.png" || fail "two pictures of one camera differ"
head -c 8 "$work/eye1.png" | grep -q PNG || fail "no PNG"
refuses 1 "expected CHANNEL=FILE.png" "$yard" --run 0.3 --image mast/eye/image
refuses 1 "is not a picture" "$yard" --run 0.3 --image "mast/scan/ranges=$work/q.png"
refuses 1 "mast/ear/image" "$yard" --run 0.3 --image "mast/ear/image=$work/q.png"
refuses 3 "has no picture yet" "$yard" --run 0.05 --image "mast/eye/image=$work/q.png"
refuses 2 "needs --run" "$yard" --image "mast/eye/image=$work/q.png"
[ ! -e "$work/q.png" ] || fail "a refused command leaves a picture"
# between two steps nothing changes
refuses 1 "every 0.0001 s is shorter than a step of the world, 0.001 s" office --run 1 --every 0.0001 --out "$work/c"
refuses 1 "shorter than a step of the world" office --run 1 --every 1e-10 --out "$work/c"
refuses 2 "need --run" office --put avatar/LeftWheel/speed=1
refuses 2 "needs --out" office --run 1
refuses 2 "serves no clients" office --run 1 --out "$work/c" --lockstep
refuses 2 "step" office --run 1 --out "$work/c" --step 0.5
"$doppel" sim office --run 1 --step 0.05 --every 0.5 --out "$work/long_steps" 2>"$work/said" || fail "long steps: $(<"$work/said")"
grep -q "steps of 50 ms: wheels and contacts are computed wrongly with more than 10 ms" "$work/said" || fail "no warning of long steps: $(<"$work/said")"
"$doppel" sim empty --run 0.1 --out "$work/stale" 2>/dev/null || fail "a short run"
refuses 1 "" office --run 0.1 --put avatar/place=8,0,0 --out "$work/stale"
[ ! -e "$work/stale/summary.json" ] || fail "the results of an earlier run stand beside a refusal"
[ ! -e "$work/c" ] || fail "a refused run left a folder: $(ls "$work/c")"

# asked to end, it ends with whole files, however far apart its rows are
"$doppel" sim office --run 1e6 --every 1e5 --out "$work/long" 2>"$work/said" &
pids+=($!)
sleep 1
kill -TERM "${pids[-1]}"
gone() { ! kill -0 "${pids[-1]}"; }
until_true 5 gone || fail "it runs 5 s after SIGTERM"
wait "${pids[-1]}" || fail "exit $? after SIGTERM: $(<"$work/said")"
[ -s "$work/long/channels.csv" ] && [ -s "$work/long/summary.json" ] || fail "no whole files: $(ls "$work/long")"
echo "sim_alone: ok"

# a body that a force without measure throws away: the run says so, and does not go on with numbers that are none
mkdir -p "$work/nowhere"
cat >"$work/nowhere/m.xml" <<'XML'
<mechanism name="m">
  <RigidObject name="b0" mass="0.001"><position z="1"/><SphereShape radius="0.1"/></RigidObject>
  <Motor name="push" type="wrench" body="b0"/>
</mechanism>
XML
echo '<world name="w" step_ms="2"><robot name="r" model="m.xml"/></world>' >"$work/nowhere/w.xml"
"$doppel" sim "$work/nowhere/w.xml" --run 1 --put r/push/force_x=1e308 --out "$work/nowhere/out" >"$work/said" 2>&1
[ $? -eq 3 ] || fail "a world without numbers: $(<"$work/said")"
grep -q "the position of body . is not a number at 0\.[0-9]* s" "$work/said" || fail "does not say where it went: $(<"$work/said")"
