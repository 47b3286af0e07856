#!/usr/bin/env bash
# The tutorial (docs/start/tutorial.md), word by word, with an installed Doppel in a folder outside of the tree.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/installed.sh"
command -v meson >/dev/null || skip "no meson"
mkdir "$home/reader" && chmod 777 "$home/reader"
cp "$source_dir/docs/start/tutorial.md" "$source_dir/tests/integration/console_blocks.py" "$home"
installed env -C "$home/reader" python3 "$home/console_blocks.py" . "$home/tutorial.md" >"$work/tutorial.log" 2>&1 || fail "docs/start/tutorial.md"
cat "$work/tutorial.log"
