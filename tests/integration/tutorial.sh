#!/usr/bin/env bash
# The guides in docs cannot drift: each block marked `<!-- file: F -->` is a part of F, word for word (a line "..." leaves lines
# out); each command of the console blocks is run, in order and in one shell, and prints what is shown (console_blocks.py).
source "$(dirname "$0")/lib.sh"
# a root as the reader has it, wherever the build folder is and with nothing in the source tree written
export PYTHONDONTWRITEBYTECODE=1
blocks=$source_dir/tests/integration/console_blocks.py
cd "$source_dir" || exit 1
mkdir "$work/root"
ln -s "$source_dir"/{avatar_sim,clients,docs,profiles,runtime,tests} "$work/root/"
ln -s "$build" "$work/root/build"
export PATH=$build:$PATH # some pages call the installed program
documents=(tutorial race-car motion-planner worlds look-ahead look-ahead-worlds mechanisms controllers machines elevator-unit own-sensors own-subsystems modbus test-plans urdf
    observers state-machines star multibody joints editors concepts loop reports)
# the tests that run these documents
declare -A elsewhere=([README.md]=readme [docs/python.md]=python [docs/teleop.md]=teleop [docs/first-driver.md]=install)

# ---- no document has commands that no test runs, unless it says why ----
for path in README.md docs/*.md docs/*/*.md; do
    case $path in docs/decisions/*) continue ;; esac
    name=${path#docs/}
    [[ " ${documents[*]} " != *" ${name%.md} "* ]] || continue
    if [ -n "${elsewhere[$path]:-}" ]; then
        grep -q "${path##*/}" "tests/integration/${elsewhere[$path]}.sh" || fail "$path: ${elsewhere[$path]}.sh does not read it"
        continue
    fi
    python3 "$blocks" . "$path" --list >"$work/unrun.log" || fail "$path: no test runs these commands, and no mark says why"
done

cd "$work/root" || exit 1
drifted=()
for document in "${documents[@]}"; do
    python3 "$blocks" "$work/root" "docs/$document.md" || drifted+=("$document")
done
[ ${#drifted[@]} -eq 0 ] || fail "has drifted: ${drifted[*]}"
