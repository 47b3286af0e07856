#!/usr/bin/env bash
# The guides in docs cannot drift: each block marked `<!-- file: F -->` is a part of F, word for word (a line "..." leaves lines
# out); each command of the console blocks is run, in order and in one shell, and prints what is shown.
source "$(dirname "$0")/lib.sh"
# a root as the reader has it, wherever the build folder is and with nothing in the source tree written
export PYTHONDONTWRITEBYTECODE=1
mkdir "$work/root"
ln -s "$source_dir"/{avatar_sim,clients,docs,profiles,runtime,tests} "$work/root/"
ln -s "$build" "$work/root/build"
drifted=()
for document in docs/tutorial.md docs/race-car.md docs/motion-planner.md docs/worlds.md docs/mechanisms.md docs/controllers.md docs/machines.md docs/elevator-unit.md docs/own-sensors.md docs/own-subsystems.md docs/modbus.md docs/test-plans.md docs/urdf.md docs/observers.md docs/state-machines.md docs/star.md docs/multibody.md docs/joints.md docs/editors.md; do
    python3 "$source_dir/tests/integration/console_blocks.py" "$work/root" $document || drifted+=("$document")
done
[ ${#drifted[@]} -eq 0 ] || fail "has drifted: ${drifted[*]}"
