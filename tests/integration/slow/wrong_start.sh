#!/usr/bin/env bash
# The robot starts elsewhere in the office than its avatar, also where a copy of the corridor or of a room looks nearly the same. From
# 10 s on the published interval of the error holds the true one, if an interval is published at all. After 30 s the robot is found,
# or the Localizer says that it does not know. And a robot that starts where it is said to is not doubted.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"

# What the seed scatters depends on where the robot starts: the same boxes stand where they are for a robot at the origin.
python3 - "$profiles/worlds/office_rooms.xml" >"$work/rooms.xml" <<'EOF'
import re, sys
boxes = """
6.4191355314134739 -2.2165914827565123 0.46085673457853377 0.3621865800590669 0.03665727798074192
6.0002510539789906 2.477431981038519 0.35232187712627899 0.36500208108447668 2.5223292857930204
1.4368303234719324 -2.5081453667383604 0.32845770811129021 0.43847889404128326 -1.4820524917825277
1.8670363266228822 2.4144481778602858 0.33960638509937063 0.35094794825351439 -2.7549362153588928
-2.2946276200698179 2.3777904780470172 0.31198396947412638 0.36789525711982929 1.5569498260839314
-5.828518538406902 -2.0040158164179758 0.47733755750387624 0.30672701474374786 0.67330661431694327
"""
posts = """
-2.0680943893356041 -3.0857953361658321 0.14976839630016991
-6.3065683467704687 1.9279155769392018 0.16977811523836223
-6.2505690357812682 -3.1092208141441944 0.11430076306985956
"""
text, n = re.subn(r" *<scatter [^\n]*\n", "", open(sys.argv[1]).read())
assert n == 2
for row in boxes.split("\n")[1:-1]:
    box = '<box x="%s" y="%s" size_x="%s" size_y="%s" size_z="0.6" yaw="%s"/>\n'
    text = text.replace("</world>", box % tuple(row.split()) + "</world>")
for row in posts.split("\n")[1:-1]:
    text = text.replace("</world>", '<cylinder x="%s" y="%s" radius="%s" height="0.8"/>\n</world>' % tuple(row.split()))
sys.stdout.write(text)
EOF
[ -s "$work/rooms.xml" ] || fail "the rooms could not be made"

run() { # X Y YAW
    cp "$top/rooms.xml" "$work"
    sed "s/axle_scale=\"1.02\"/& x=\"$1\" y=\"$2\" yaw=\"$3 deg\"/; s/office_rooms.xml/rooms.xml/" \
        "$profiles/worlds/office_truth.xml" >"$work/truth.xml"
    "$doppel" run patrol --bind twin --clock sim --quiet --duration 31 --out "$work/run" \
        --set "WheelController.hardware.World=$work/truth.xml" --set "LaserScanner.hardware.World=$work/truth.xml" \
        >"$work/run.log" 2>&1 || fail "run"
}

# Prints what is wrong: an interval from 10 s on that does not hold the true distance, a robot that is not found after 30 s.
judge() {
    awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { t = $at["t"]; true_mm = $at["sync.true_mm"]; limit = $at["sync.error_limit_mm"]; state = $at["loc.state"] }
        t >= 10 && limit != "nan" && limit != "" && true_mm > limit { held_not++ }
        t >= 30 && true_mm >= 50 && state != "AMBIGUOUS" && state != "LOST" { not_found++ }
        END {
            if (t < 30.5) print "no results until 30 s"
            if (held_not) print held_not " intervals do not hold the true distance"
            if (not_found) print "not found after 30 s, state " state ", " true_mm " mm"
        }' "$work/run/trace.csv"
}

wrong() { # X Y YAW
    run "$@"
    local said=$(judge)
    [ -z "$said" ] || fail "$said"
    [ "$(json "$work/run/summary.json" loc.state)" != '"TRACKING"' ] || touch "$work/found"
}
right() {
    run 0 0 0
    [ -z "$(judge)" ] || fail "$(judge)"
    ! grep -q 'Localizer: TRACKING -> ' "$work/run.log" || fail "it was doubted"
}
enough() {
    local found=$(find "$top" -name found | wc -l)
    [ "$found" -ge 11 ] || fail "only $found of 13 robots were found"
}
starts=("0 0 90" "0 0 180" "-1.2 0.2 0" "-1.2 0.2 90" "-1.2 0.2 180" "4 0 0" "4 0 180" "-4 0.1 0" "-4 0.1 180" "-2 3 0" "6 -3 180" "-6 -2.5 0" "-6 -2.5 90")
for i in "${!starts[@]}"; do
    read -r x y yaw <<<"${starts[i]}"
    beside "a start at $x $y, $yaw deg" wrong "$x" "$y" "$yaw"
    [ $((i % 2)) -eq 0 ] || rows_told
done
beside "a right start is not doubted" right
rows_told
check "most robots are found" enough
rows_end
