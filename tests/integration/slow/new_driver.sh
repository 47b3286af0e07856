#!/usr/bin/env bash
# doppel new driver: projects of drivers build without a warning, pass their tests and run, against an installed Doppel.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/new_project.sh"
project "$installed" "$doppel_installed" driver rover
project "$installed" "$doppel_installed" driver tilt --class imu
project "$installed" "$doppel_installed" driver arm --class joints
