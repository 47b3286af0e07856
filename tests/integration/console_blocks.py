#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Follows a document word by word: console_blocks.py ROOT DOCUMENT, both from where the reader is. `console_blocks.py ROOT DOCUMENT --list`
runs nothing: it prints the commands in blocks without a marker, and its exit code is 1 if there are any.

- A block marked `<!-- file: F -->` is a part of ROOT/F after the last command, word for word (a line "..." leaves lines out).
- A block marked `<!-- write: F -->` is a file that the reader writes: F gets it, where the shell is at that point.
- Each command of the console blocks is run, in order and in one shell, and prints what is shown. A line "..." stands for any lines,
  "..." in a line for any text.
- A block marked `<!-- not run: REASON -->` is skipped.
Exit code 1 if anything differs."""
import pathlib
import re
import shlex
import subprocess
import sys

root, document = pathlib.Path(sys.argv[1]), sys.argv[2]
lines = (root / document).read_text().splitlines()
MARK = "\x1e"
failures = []


def blocks():
    """(line number, language, (kind, text) of the marker, text lines) of each fenced block"""
    marker, start = (None, None), None
    for number, line in enumerate(lines, 1):
        found = re.fullmatch(r"<!-- (file|write|not run): (.+) -->", line)
        if start is None and found:
            marker = found.groups()
        elif line.startswith("```") and start is None:
            start, language = number, line[3:]
        elif line == "```":
            yield start, language, marker, lines[start : number - 1]
            marker, start = (None, None), None
    if start is not None:
        failures.append(f"{start}: a block without end")


def pattern(text, inline):
    """A regular expression for lines: a line "..." is any lines; inside a line it is any text if `inline`"""
    parts = []
    for line in text:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        elif inline:
            parts.append(".*".join(map(re.escape, line.rstrip().split("..."))) + r"\s*?\n")
        else:
            parts.append(re.escape(line) + r"\n")
    return "".join(parts)


def check_file(number, name, text):
    if not re.search(r"(?:\A|(?<=\n))" + pattern(text, False), (root / name).read_text()):
        failures.append(f"{number}: this is not what {name} holds")


def commands(text):
    """(command, lines shown) of a console block"""
    found = []
    for line in text:
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


COMMAND = re.compile(r"(?:\$ |(?:build/)?doppel |tools/|meson |cc |sudo )")


def unmarked():
    """(line number, text) of commands in fenced blocks without a marker and in indented blocks"""
    for number, _, (kind, _), text in blocks():
        yield from ((number + i, line) for i, line in enumerate(text, 1) if kind is None and COMMAND.match(line))
    fenced = False
    for number, line in enumerate(lines, 1):
        fenced ^= line.startswith("```")
        if not fenced and line.startswith("    ") and COMMAND.match(line.strip()):
            yield number, line.strip()


if "--list" in sys.argv:
    found = list(unmarked())
    for number, line in found:
        print(f"{document}:{number}: {line}")
    sys.exit(1 if found else 0)

shown = []
files = []
n_files = 0
parts = {}  # of files, in the order of the document
for number, language, (kind, name), text in blocks():
    if kind == "not run":
        continue
    if kind == "file":
        files.append((number, name, text))
        parts.setdefault(name, []).append("\n".join(text))
        n_files += 1
    elif kind == "write":
        shown.append((number, "printf '%%s\\n' %s >%s" % (shlex.quote("\n".join(text)), shlex.quote(name)), []))
        n_files += 1
    elif language == "console":
        shown += [(number, *command) for command in commands(text)]
    else:
        failures.append(f"{number}: neither a console block nor marked with its file")

script = "mark() { local code=$?; printf '\\n" + MARK + "'; return $code; }\n"
script += "".join(f"{command}\nmark\n" for _, command, _ in shown)
done = subprocess.run(["bash", "-c", script], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
outputs = done.stdout.split("\n" + MARK)
for file in files:
    check_file(*file)
# "<!-- whole: F -->": the blocks of F are all of it, with an empty line between two
for number, line in enumerate(lines, 1):
    found = re.fullmatch(r"<!-- whole: (\S+) -->", line)
    if found and "\n\n".join(parts.get(found.group(1), [])) + "\n" != (root / found.group(1)).read_text():
        failures.append(f"{number}: the blocks of {found.group(1)} are not all of it")
for (number, command, expected), output in zip(shown, outputs):
    got = output if output.endswith("\n") or not output else output + "\n"
    if not re.fullmatch(pattern(expected, True), got):
        failures.append(f"{number}: $ {command}\n--- shown\n" + "\n".join(expected) + f"\n--- printed\n{got}")
if len(outputs) != len(shown) + 1:
    failures.append(f"{len(outputs) - 1} of {len(shown)} commands ran")
for failure in failures:
    print(f"{document}:{failure}")
print(f"{document}: {n_files} file blocks, {len(shown)} commands, {len(failures)} differ")
sys.exit(1 if failures or not shown else 0)
