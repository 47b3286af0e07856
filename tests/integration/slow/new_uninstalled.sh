#!/usr/bin/env bash
# doppel new: projects build and pass their tests against the folder of the build.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/new_project.sh"
project "$build/meson-uninstalled" "$doppel" component way_log
project "$build/meson-uninstalled" "$doppel" application round_trip
project "$build/meson-uninstalled" "$doppel" driver rover2
