# After the commands of docs/guides/localization.md: a robot that nobody has calibrated (wheels 3 % and 2 % off) and its avatar. With the Localizer the avatar
# stands where the robot stands; without one the run does not say that it does; a robot that starts elsewhere is found. Two worlds, simulated time.
run() { # NAME BINDING SECONDS SETS...
    "$doppel" run patrol --bind "$2" --clock sim --quiet --duration "$3" --out "$work/$1" "${@:4}" >"$work/$1.log" 2>&1 || fail "run $1"
}
value() { # NAME KEY
    json "$work/$1/summary.json" "$2"
}

run twin twin 60
number "$(value twin loc.true_rms_mm) < 5" || fail "localized $(value twin loc.true_rms_mm) mm from the truth"
number "$(value twin sync.true_rms_mm) < 15" || fail "the avatar is $(value twin sync.true_rms_mm) mm from the robot"
number "$(value twin sync.interval_held) > 0.95" || fail "the published interval holds the true distance too seldom"
number "$(value twin sync.fidelity) > 0.9" || fail "fidelity $(value twin sync.fidelity)"
for scale in left:0.97 right:1.02; do
    number "abs($(value twin "loc.scale_${scale%:*}") - ${scale#*:}) < 0.003" || fail "scale $scale is not identified"
done
[ "$(value twin sync.pose_source)" = '"localizer"' ] || fail "pose_source"

run odometry twin_odometry 60
[ "$(value odometry sync.fidelity)" = null ] || fail "fidelity without a Localizer"
[ "$(value odometry sync.pose_source)" = '"odometry"' ] || fail "pose_source without a Localizer"
number "$(value odometry sync.true_rms_mm) > 200" || fail "odometry by the data sheet was too good for this test"

# The guide has a wrong start of the avatar; here the robot starts elsewhere.
sed 's/axle_scale="1.02"/axle_scale="1.02" x="1.6" y="0.2" yaw="0.3"/' "$profiles/worlds/office_truth.xml" >"$work/elsewhere.xml"
run elsewhere twin 30 --set "WheelController.hardware.World=$work/elsewhere.xml" --set "LaserScanner.hardware.World=$work/elsewhere.xml"
grep -q 'Localizer: .* -> LOST' "$work/elsewhere.log" || fail "a wrong start was not noticed"
[ "$(value elsewhere loc.state)" = '"TRACKING"' ] || fail "the robot was not found"
number "$(value elsewhere sync.true_final_mm) < 30" || fail "the avatar is $(value elsewhere sync.true_final_mm) mm from the robot at the end"
number "$(value elsewhere sync.teleports) == 1" || fail "the avatar was not put on the robot once"

# Its motors answer 0.3 s late: nobody says whether commands or poses are, and the scans fit the odometry (docs/design/localizer.md).
sed 's/latency_ms="60"/latency_ms="300"/' "$profiles/worlds/office_truth.xml" >"$work/late.xml"
run late twin 60 --set "WheelController.hardware.World=$work/late.xml" --set "LaserScanner.hardware.World=$work/late.xml"
number "$(value late sync.true_rms_mm) < 15" || fail "the avatar of a robot that answers late is $(value late sync.true_rms_mm) mm from it"
number "$(value late sync.interval_held) > 0.95" || fail "a robot that answers late: the interval holds the true distance too seldom"
