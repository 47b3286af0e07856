#!/usr/bin/env bash
# doppel map with a laser that scatters much: no wall has a second one beside it; with a quiet one: what stands 40 mm before a wall is on the map.
source "$(dirname "$0")/../lib.sh"

grep -v '<scatter' "$profiles/worlds/office_rooms.xml" | sed 's#</world>#  <box name="frame" x="0.6" y="-0.73" size_x="0.1" size_y="0.04" size_z="2"/>\n</world>#' >"$work/office_rooms.xml"
for noise in 0 20; do
    sed "s/noise_m=\"3 mm\"/noise_m=\"$noise mm\"/" "$profiles/robots/kobuki_urg.xml" >"$work/kobuki_$noise.xml"
    grep -q "noise_m=\"$noise mm\"" "$work/kobuki_$noise.xml" || fail "the noise of the laser is not $noise mm"
    for world in office corridor; do
        sed "s/kobuki_urg.xml/kobuki_$noise.xml/" "$profiles/worlds/$world.xml" >"$work/${world}_$noise.xml"
    done
done

map() { # WORLD SEED
    "$doppel" run patrol --bind sim --clock sim --duration 60 --seed "$2" --quiet --set WheelController.World="$work/$1.xml" \
        --set LaserScanner.World="$work/$1.xml" --set ScanRecorder.Interval=0.1 --set ScanRecorder.MaximumScans=4096 \
        --out "$work/$1" 2>"$work/run.log" || fail "recording: $(<"$work/run.log")"
    "$doppel" map "$work/$1" --output "$work/$1_map.xml" >"$work/said" || fail "map of $1"
    echo "$1, seed $2: $(grep -o '[0-9]* walls, .*' "$work/said"); $(python3 "$source_dir/tests/integration/slow/wall_neighbours.py" "$work/$1_map.xml")"
    grep scatters "$work/said"
}
below() { # MOST: metres of walls with a neighbour
    number "$(python3 "$source_dir/tests/integration/slow/wall_neighbours.py" "$work/${1}_map.xml" | sed 's/ m .*//') < $2" || fail "$1: walls are drawn twice"
}

map office_0 1
python3 "$source_dir/tests/integration/slow/wall_neighbours.py" "$work/office_0_map.xml" 0.6 -0.71 0.03 || fail "the frame before the wall is not on the map"
grep -q "scatters by 0\.[0-9] mm" "$work/said" || fail "a quiet laser is said to scatter"
map office_20 1
below office_20 1
grep -q "scatters by \(19\|20\|21\)\.[0-9] mm" "$work/said" || fail "the noise of 20 mm is not found"
map corridor_20 1
below corridor_20 1
map office_20 3
below office_20 1
echo "map_noise: ok"
