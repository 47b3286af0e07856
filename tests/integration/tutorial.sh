#!/usr/bin/env bash
# The guides in docs cannot drift: each block marked `<!-- file: F -->` is a part of F, word for word (a line "..." leaves lines
# out); each command of the console blocks is run, in order and in one shell, and prints what is shown.
source "$(dirname "$0")/lib.sh"
# a root as the reader has it, wherever the build folder is and with nothing in the source tree written
export PYTHONDONTWRITEBYTECODE=1
mkdir "$work/root"
ln -s "$source_dir"/{avatar_sim,clients,docs,profiles,runtime,tests} "$work/root/"
ln -s "$build" "$work/root/build"
cat >"$work/check.py" <<'PYTHON'
import pathlib
import re
import subprocess
import sys

root, document = pathlib.Path(sys.argv[1]), sys.argv[2]
lines = (root / document).read_text().splitlines()
MARK = "\x1e"
failures = []


def blocks():
    """(line number, language, file of the marker or None, text lines) of each fenced block"""
    marker, start = None, None
    for number, line in enumerate(lines, 1):
        found = re.fullmatch(r"<!-- file: (\S+) -->", line)
        if start is None and found:
            marker = found.group(1)
        elif line.startswith("```") and start is None:
            start, language = number, line[3:]
        elif line == "```":
            yield start, language, marker, lines[start : number - 1]
            marker, start = None, None
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


shown = []
n_files = 0
parts = {}  # of files, in the order of the document
for number, language, name, text in blocks():
    if name:
        check_file(number, name, text)
        parts.setdefault(name, []).append("\n".join(text))
        n_files += 1
    elif language == "console":
        shown += [(number, *command) for command in commands(text)]
    else:
        failures.append(f"{number}: neither a console block nor marked with its file")

# "<!-- whole: F -->": the blocks of F are all of it, with an empty line between two
for number, line in enumerate(lines, 1):
    found = re.fullmatch(r"<!-- whole: (\S+) -->", line)
    if found and "\n\n".join(parts.get(found.group(1), [])) + "\n" != (root / found.group(1)).read_text():
        failures.append(f"{number}: the blocks of {found.group(1)} are not all of it")

script = "mark() { local code=$?; printf '\\n" + MARK + "'; return $code; }\n"
script += "".join(f"{command}\nmark\n" for _, command, _ in shown)
done = subprocess.run(["bash", "-c", script], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
outputs = done.stdout.split("\n" + MARK)
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
PYTHON
drifted=()
for document in docs/tutorial.md docs/race-car.md docs/motion-planner.md docs/worlds.md docs/look-ahead-worlds.md docs/mechanisms.md docs/controllers.md docs/machines.md docs/elevator-unit.md docs/own-sensors.md docs/own-subsystems.md docs/modbus.md docs/test-plans.md docs/urdf.md docs/observers.md docs/state-machines.md docs/star.md docs/multibody.md docs/joints.md docs/editors.md; do
    python3 "$work/check.py" "$work/root" $document || drifted+=("$document")
done
[ ${#drifted[@]} -eq 0 ] || fail "has drifted: ${drifted[*]}"
