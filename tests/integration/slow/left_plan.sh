#!/usr/bin/env bash
# A wall of the plan is not there, and the robot drives through the gap and out of the plan, where other walls stand. Inside there are always
# places that fit a wall or two by chance: none of them is taken for the robot's. Simulated time.
source "$(dirname "$0")/../lib.sh"
walls='<wall x1="-5" y1="-4" x2="4" y2="-5"/><wall x1="4" y1="-5" x2="6" y2="1"/><wall x1="1" y1="2" x2="2" y2="6"/>
  <wall x1="2" y1="6" x2="-5" y2="5"/><wall x1="-5" y1="5" x2="-5" y2="-4"/>
  <box name="table" x="-3" y="3" size_x="1" size_y="0.5" size_z="1" yaw="0.3"/><cylinder name="bin" x="2" y="-3" radius="0.3" height="1"/>
  <box name="shelf" x="-3.5" y="-2" size_x="0.6" size_y="1.2" size_z="1" yaw="1"/><cylinder name="plant" x="0.2" y="4" radius="0.2" height="1"/>
  <box name="stool" x="3.5" y="-0.5" size_x="0.5" size_y="0.5" size_z="1" yaw="0.7"/>'
world() { # NAME WALL ROBOT
    printf '<?xml version="1.0"?>\n<world name="%s" step_ms="1" seed="1">\n  <ground friction="0.8"/>\n  %s\n  %s\n  <robot model="kobuki_urg.xml" %s/>\n</world>\n' \
        "$1" "$walls" "$2" "$3" >"$work/$1.xml"
}
world plan '<wall x1="6" y1="1" x2="1" y2="2"/>' 'name="avatar"'
world real '<wall x1="8" y1="3" x2="-1" y2="4.5"/>' 'name="robot" wheel_scale_left="0.97" wheel_scale_right="1.02" axle_scale="1.02"
    latency_ms="60" lag_ms="50" speed_noise="0.01" laser_noise_m="10 mm" laser_dropout="0.002"'
sed 's/<world file="office.xml"/<world file="plan.xml"/' "$profiles/apps/patrol.xml" >"$work/app.xml"

for seed in 1 2; do
    "$doppel" run "$work/app.xml" --bind twin --clock sim --quiet --seed "$seed" --duration 40 --out "$work/run" \
        --set "WheelController.hardware.World=$work/real.xml" --set "LaserScanner.hardware.World=$work/real.xml" >"$work/run.log" 2>&1 ||
        fail "run $seed"
    said=$(awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        {
            limit = $at["sync.error_limit_mm"]; x = $at["WheelController.hardware.true_x"]; y = $at["WheelController.hardware.true_y"]
            left += y > 2.5 - x / 5 && x > 1.3; unknown += $at["sync.state"] == "UNKNOWN"
        }
        limit != "nan" && limit != "" && $at["sync.true_mm"] > limit { held_not++ }
        END {
            if (!left) print "the robot stayed in the plan"
            if (!unknown) print "it was always claimed to be known"
            if (held_not) print held_not " intervals do not hold the true distance"
        }' "$work/run/trace.csv")
    [ -z "$said" ] || fail "seed $seed: $said"
done
