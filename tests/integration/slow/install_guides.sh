#!/usr/bin/env bash
# The pages of who begins with an installed Doppel (docs/start/first-driver.md, docs/start/commander.md), word by word, in a folder outside of the tree.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/installed.sh"
command -v meson >/dev/null || skip "no meson"
cp "$source_dir/docs/start/first-driver.md" "$source_dir/docs/start/commander.md" "$source_dir/tests/integration/console_blocks.py" "$home"
for page in first-driver commander; do
    mkdir "$home/$page" && chmod 777 "$home/$page"
    installed env -C "$home/$page" python3 "$home/console_blocks.py" . "$home/$page.md" >"$work/$page.log" 2>&1 || fail "docs/start/$page.md"
done
! grep -q "to catch up" "$home/first-driver/rover/build/meson-logs/testlog.txt" || fail "docs/start/first-driver.md: the avatar is slower than the Synchronizer needs"
