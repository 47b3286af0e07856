#!/usr/bin/env python3
"""Writes the templates of `doppel new` as a C table. usage: embed.py --list TEMPLATES | TEMPLATES OUTPUT. A file's first folder
is its template; a line "@part NAME" in a comment stands for the file NAME in `parts`."""
import pathlib
import re
import sys


def files_of(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


if sys.argv[1] == "--list":
    print("\n".join(files_of(pathlib.Path(sys.argv[2]))))
    sys.exit()
folder, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
PART = re.compile(r"^(?:/\*|#) @part (\S+)(?: \*/)?\n", re.M)


def quoted(line):
    return '"' + "".join({"\\": "\\\\", '"': '\\"', "\n": "\\n", "?": "\\?"}.get(c, c) for c in line) + '"'


rows = []
for name in files_of(folder):
    path = folder / name
    kind, _, rest = name.partition("/")
    if kind == "parts":
        continue
    text = PART.sub(lambda part: (folder / "parts" / part[1]).read_text(), path.read_text())
    lines = "\n".join("     " + quoted(line) for line in text.splitlines(keepends=True)) or '     ""'
    mode = "true" if path.stat().st_mode & 0o100 else "false"
    rows.append(f'    {{"{kind}", "{rest}", {mode},\n{lines}}},\n')
output.write_text(
    '/* Made by tools/new/embed.py. */\n#include "new_templates.h"\n\nconst struct new_template new_templates[] = {\n'
    + "".join(rows)
    + "};\nconst size_t n_new_templates = sizeof new_templates / sizeof new_templates[0];\n"
)
