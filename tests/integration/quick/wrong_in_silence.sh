#!/usr/bin/env bash
# A run that goes badly does not read as sound: a hall larger than the laser's reach, a robot that is told its start, and an avatar that
# follows odometry to a wrong place. What went wrong is said last and in red on a terminal, and first by the report; nothing else is coloured.
source "$(dirname "$0")/../lib.sh"
value() { # FOLDER KEY
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1] + "/summary.json")).get(sys.argv[2]))' "$work/$1" "$2"
}
at_most() { # FOLDER KEY NUMBER
    python3 -c 'import sys; sys.exit(not float(sys.argv[1]) <= float(sys.argv[2]))' "$(value "$1" "$2")" "$3" ||
        fail "$1: $2 is $(value "$1" "$2"), expected at most $3"
}
run() { # NAME ARGS...
    local name=$1
    shift
    "$doppel" run patrol --clock sim --quiet --out "$work/$name" "$@" >"$work/$name.log" 2>&1 || fail "run $*"
}

# ---- the hall: one wall is in sight for long, which would not show a wrong place; the messages of the Localizer are used all the same
plan=$source_dir/tests/integration/worlds/hall.xml
truth=$source_dir/tests/integration/worlds/hall_truth.xml
run hall --bind twin --duration 40 --set "WheelController.simulation.World=$plan" --set "LaserScanner.simulation.World=$plan" \
    --set "Localizer.World=$plan" --set "WheelController.hardware.World=$truth" --set "LaserScanner.hardware.World=$truth"
[ "$(value hall sync.localizer_refused)" = 0 ] || fail "$(value hall sync.localizer_refused) messages were refused"
[ "$(value hall sync.pose_source)" = localizer ] || fail "the avatar follows $(value hall sync.pose_source)"
at_most hall sync.true_max_mm 100
[ "$(value hall sync.interval_held)" = 1.0 ] || fail "the interval held the truth in $(value hall sync.interval_held)"
grep -q "^problem: UNKNOWN for .* s of 40.0 s" "$work/hall.log" || fail "no word of UNKNOWN"
grep "^problem" "$work/hall.log" | grep -qv UNKNOWN && fail "a sound pose: $(grep ^problem "$work/hall.log")"

# ---- a told start: where the seed puts the robot
run drawn --bind twin --duration 1 --seed 2
python3 - "$work/drawn/trace.csv" >"$work/start.xml" <<'PY'
import csv, sys
row = next(csv.DictReader(open(sys.argv[1])))
print("<binding_profile><name>start</name><world_properties>")
for name, column in ("x", "true_x"), ("y", "true_y"), ("yaw", "true_theta"):
    print(f'<property entry="avatar" name="{name}">{row["WheelController.hardware." + column]}</property>')
print("</world_properties></binding_profile>")
PY
run told --bind twin --bind "$work/start.xml" --duration 20 --seed 2
at_most told sync.true_max_mm 30

# ---- odometry alone: metres off, and the avatar meets a wall
run off --bind twin_odometry --duration 40
last=$(grep -n "^problem: " "$work/off.log" | head -n 1)
[[ $last == *"the avatar was up to "*" m from the real robot, "*" at the end (true distance)" ]] || fail "said first: $last"
grep -q "^problem: DIVERGED for .* s of 40.0 s" "$work/off.log" || fail "no word of DIVERGED"
grep -q "^problem: 'avatar' touched 'wall" "$work/off.log" || fail "no word of the wall"
sed -n '/^problem/,$p' "$work/off.log" | grep -v "^problem\|^results: " && fail "something is between the problems and the results"
[ "$(tr -d '\n\t' <"$work/off.log" | LC_ALL=C grep -c '[[:cntrl:]]')" = 0 ] || fail "control characters in a pipe"
"$doppel" run patrol --bind twin_odometry --clock sim --quiet --duration 40 >"$work/bare.log" 2>&1 # no folder of results
diff <(grep ^problem "$work/off.log") <(grep ^problem "$work/bare.log") || fail "without --out other problems are told"

# on a terminal: red, and nothing after it
terminal() { # NAME=VALUE: what a run on a terminal of its own says of its problems
    env TERM=xterm "$@" python3 - "$doppel" <<'PY'
import os, pty, subprocess, sys
master, slave = pty.openpty()
command = [sys.argv[1], "run", "patrol", "--bind", "twin_odometry", "--clock", "sim", "--quiet", "--duration", "40"]
child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
os.close(slave)
out = b""
try:
    while data := os.read(master, 4096):
        out += data
except OSError:
    pass  # the other end is closed
child.wait()
print("\n".join(line for line in out.decode().replace("\r", "").split("\n") if "problem" in line))
PY
}
red=$'\033[31m' plain=$'\033[0m'
said=$(terminal NO_COLOR=)
[[ $said == "$red"problem:*"$plain" ]] || fail "on a terminal: $(cat -v <<<"$said")"
for off in NO_COLOR=1 TERM=dumb; do
    said=$(terminal "$off")
    [[ $said == problem:* && $said != *$'\033'* ]] || fail "with $off: $(cat -v <<<"$said")"
done

# ---- the report: before the table, and on the page before all figures
"$doppel" report --table "$work/told" "$work/off" >"$work/table.log" 2>&1 || fail "report --table"
[[ $(head -n 1 "$work/table.log") == "problem: off: the avatar was up to "* ]] || fail "the table begins with $(head -n 1 "$work/table.log")"
grep -q "problem: told" "$work/table.log" && fail "a sound run has a problem"
"$doppel" report "$work/off" >"$work/page.log" 2>&1 || fail "report"
python3 - "$work/off/report.html" <<'PY' || fail "the page"
import sys
page = open(sys.argv[1]).read()
trouble, figures = page.index('<p class="trouble"><b>off</b>: the avatar was up to'), page.index('<div class="figures">')
assert page.index("</h1>") < trouble < figures
assert ".trouble,.trouble td,.trouble th{color:#b3261e}" in page
PY
echo "a hall, a told start, odometry alone: all told"
