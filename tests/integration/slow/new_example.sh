#!/usr/bin/env bash
# The worked example of the tutorial, which began as a project of `doppel new`, builds and passes its tests.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/new_project.sh"
cp -r "$source_dir/docs/start/tutorial/create2" "$work/projects/create2"
PKG_CONFIG_PATH=$installed meson setup --werror "$work/projects/create2/build" "$work/projects/create2" >"$work/create2.log" 2>&1 || fail "create2"
meson test -C "$work/projects/create2/build" --print-errorlogs >"$work/create2.log" 2>&1 || fail "create2: its tests"
