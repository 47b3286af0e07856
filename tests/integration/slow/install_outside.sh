#!/usr/bin/env bash
# A component, a program and types outside of the tree: pkg-config is enough.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/installed.sh"
own="$home/my robot"
mkdir "$own" && chmod 777 "$own"
cp "$source_dir"/docs/start/tutorial/lap* "$source_dir"/docs/start/tutorial/profiles/*.xml "$source_dir/tests/integration/install/world_time.cpp" "$own"
# shellcheck disable=SC2016
installed sh -ec 'cd "my robot"
    eval "cc -std=c17 -Wall -Wextra -Werror -shared -fPIC lap_timer.c lap.c -o component-lap_timer.so $(pkg-config --cflags --libs doppel)"
    eval "c++ -std=c++17 -Wall -Wextra -Wno-missing-field-initializers -Werror world_time.cpp -o world_time $(pkg-config --cflags --libs doppel-avatar)"
    eval "cc -std=c17 -shared -fPIC lap_timer.c lap.c -o component-lap_timer.so $(pkg-config --cflags --libs doppel)"
' >"$work/own.log" 2>&1 || fail "building outside of the tree"
installed env DOPPEL_PLUGIN_PATH="$own" doppel run "$own/laps.xml" --set WheelController.ApiName=mock --clock sim --duration 60 --quiet --out laps >"$work/laps.log" 2>&1 ||
    fail "a component outside of the tree"
grep -q "LapTimer: lap 1" "$work/laps.log" || fail "no lap"
[ "$(installed env LD_LIBRARY_PATH="$libdir" "$own/world_time" office)" = 1.000 ] || fail "a program outside of the tree"
for variable in plugindir profiledir schemadir protodir; do
    folder=$(installed pkg-config --variable=$variable doppel | sed 's/\\//g')
    [ -d "$folder" ] || fail "pkg-config: $variable is $folder"
done
generate=$(installed pkg-config --variable=generate_types doppel | sed 's/\\//g')
printf 'syntax = "proto3";\npackage doppel;\n// A thing.\nmessage Thing {\n  double x = 1;  // [m]\n}\n' >"$own/thing.proto"
installed python3 "$generate" --proto_path="$own" --headers="$own" "$own/thing.proto" >"$work/types.log" 2>&1 || fail "types of one's own"
[ -s "$own/thing.h" ] || fail "no header of a type of one's own"
