#!/usr/bin/env bash
# No document has commands that no test runs, unless it says why. The documents of documents.txt are run by document.sh.
source "$(dirname "$0")/../lib.sh"
blocks=$source_dir/tests/integration/console_blocks.py
mapfile -t documents <"$source_dir/tests/integration/documents.txt"
# the tests that run these documents
declare -A elsewhere=([README.md]=slow/readme [docs/guides/python.md]=slow/python_document [docs/start/first-driver.md]=slow/install_guides [docs/start/commander.md]=slow/install_guides [docs/start/tutorial.md]=clock/install_tutorial)
cd "$source_dir" || exit 1
for path in README.md docs/*.md docs/*/*.md docs/*/*/*.md; do
    name=${path#docs/}
    [[ " ${documents[*]} " != *" ${name%.md} "* ]] || continue
    if [ -n "${elsewhere[$path]:-}" ]; then
        grep -q "${path##*/}" "tests/integration/${elsewhere[$path]}.sh" || fail "$path: ${elsewhere[$path]}.sh does not read it"
        continue
    fi
    python3 "$blocks" . "$path" --list >"$work/unrun.log" || fail "$path: no test runs these commands (tests/integration/documents.txt), and no mark says why"
done
