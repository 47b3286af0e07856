#!/usr/bin/env bash
# A guide in docs cannot drift: each block marked `<!-- file: F -->` is a part of F, word for word (a line "..." leaves lines
# out); each command of the console blocks is run, in order and in one shell, and prints what is shown (console_blocks.py).
# `document.sh BUILD SHELF/NAME` follows docs/SHELF/NAME.md. Then guides/NAME.sh, if there is one, checks more in the same folder: $PWD is the reader's root, with
# what the commands of the guide have left in it.
source "$(dirname "$0")/lib.sh"
name=${2:?name of a document}
[ -f "$source_dir/docs/$name.md" ] || fail "docs/$name.md is not there"
# a root as the reader has it, wherever the build folder is and with nothing in the source tree written
export PYTHONDONTWRITEBYTECODE=1
mkdir "$work/root"
ln -s "$source_dir"/{avatar_sim,clients,docs,profiles,runtime,tests} "$work/root/"
ln -s "$build" "$work/root/build"
export PATH=$build:$PATH # some pages call the installed program
cd "$work/root" || exit 1
python3 "$source_dir/tests/integration/console_blocks.py" "$work/root" "docs/$name.md" || fail "docs/$name.md has drifted"
# what is checked beyond what the guide shows, in the folder of its commands
[ ! -f "$source_dir/tests/integration/guides/${name#*/}.sh" ] || source "$source_dir/tests/integration/guides/${name#*/}.sh"
