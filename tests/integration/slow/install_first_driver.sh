#!/usr/bin/env bash
# The page of a first driver (docs/first-driver.md), word by word, with an installed Doppel.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/installed.sh"
command -v meson >/dev/null || skip "no meson"
mkdir "$home/first" && chmod 777 "$home/first"
cp "$source_dir/docs/first-driver.md" "$source_dir/tests/integration/console_blocks.py" "$home"
installed env -C "$home/first" python3 "$home/console_blocks.py" . "$home/first-driver.md" >"$work/first.log" 2>&1 || fail "docs/first-driver.md"
! grep -q "to catch up" "$home/first/rover/build/meson-logs/testlog.txt" || fail "docs/first-driver.md: the avatar is slower than the Synchronizer needs"
