#!/usr/bin/env bash
# doppel map with a laser that scatters much: no wall has a second one beside it; with a quiet one: what stands 40 mm before a wall is on the map.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"

grep -v '<scatter' "$profiles/worlds/office_rooms.xml" | sed 's#</world>#  <box name="frame" x="0.6" y="-0.73" size_x="0.1" size_y="0.04" size_z="2"/>\n</world>#' >"$work/office_rooms.xml"
for noise in 0 20; do
    sed "s/noise_m=\"3 mm\"/noise_m=\"$noise mm\"/" "$profiles/robots/kobuki_urg.xml" >"$work/kobuki_$noise.xml"
    grep -q "noise_m=\"$noise mm\"" "$work/kobuki_$noise.xml" || fail "the noise of the laser is not $noise mm"
    for world in office corridor; do
        sed "s/kobuki_urg.xml/kobuki_$noise.xml/" "$profiles/worlds/$world.xml" >"$work/${world}_$noise.xml"
    done
done

map() { # WORLD SEED: the map of a recording of a minute, and what is said of it
    "$doppel" run patrol --bind sim --clock sim --duration 60 --seed "$2" --quiet --set WheelController.World="$top/$1.xml" \
        --set LaserScanner.World="$top/$1.xml" --set ScanRecorder.Interval=0.1 --set ScanRecorder.MaximumScans=4096 \
        --out "$work/out" 2>"$work/run.log" || fail "recording"
    "$doppel" map "$work/out" --output "$work/map.xml" >"$work/said" || fail "map"
    grep -o '[0-9]* walls, .*\|.*scatters.*' "$work/said"
}
neighbours() { python3 "$source_dir/tests/integration/slow/wall_neighbours.py" "$work/map.xml" "$@"; }
once() { # WORLD SEED [TEXT]: less than a metre of walls has a neighbour
    map "$1" "$2"
    neighbours
    number "$(neighbours | sed 's/ m .*//') < 1" || fail "walls are drawn twice"
    [ -z "${3:-}" ] || grep -q "$3" "$work/said" || fail "not said: $3"
}
quiet() {
    map office_0 1
    neighbours 0.6 -0.71 0.03 || fail "the frame before the wall is not on the map"
    grep -q "scatters by 0\.[0-9] mm" "$work/said" || fail "a quiet laser is said to scatter"
}
beside "what stands 40 mm before a wall is on the map of a quiet laser" quiet
beside "walls are drawn once, and noise of 20 mm is found" once office_20 1 "scatters by \(19\|20\|21\)\.[0-9] mm"
rows_told
beside "walls of a corridor are drawn once" once corridor_20 1
beside "walls of another drive are drawn once" once office_20 3
rows_end
