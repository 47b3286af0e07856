#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The corpora of the fuzzers.

corpus.py FOLDER                writes FOLDER/FUZZER/NAME: what make_*.py make and the files of corpus/FUZZER.txt, byte for byte
corpus.py --add FUZZER FILE...  adds files to corpus/FUZZER.txt

In corpus/FUZZER.txt `=== NAME` begins a file; it ends before the line break in front of the next. What is not printable is written as \\xNN, a \\ as \\\\.
"""
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SEPARATOR = "\n=== "


def escaped(data):
    text = "".join(chr(c) if 32 <= c < 127 and c != 92 or c == 10 else "\\\\" if c == 92 else f"\\x{c:02x}" for c in data)
    return re.sub(r"^===", r"\\x3d==", text, flags=re.M)


def plain(text):
    return re.sub(r"\\(?:\\|x(..))", lambda m: chr(int(m[1], 16)) if m[1] else "\\", text).encode("latin-1")


def add(fuzzer, *files):
    with open(HERE / "corpus" / f"{fuzzer}.txt", "a", encoding="ascii") as table:
        for file in map(pathlib.Path, files):
            table.write(f"{SEPARATOR}{file.name}\n{escaped(file.read_bytes())}")


def write(folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    for table in (HERE / "corpus").glob("*.txt"):
        (folder / table.stem).mkdir(parents=True)
        for block in table.read_text(encoding="ascii").split(SEPARATOR)[1:]:
            name, _, text = block.partition("\n")
            (folder / table.stem / name).write_bytes(plain(text))
    for make in HERE.glob("make_*_corpus.py"):
        subprocess.run([sys.executable, make, folder], check=True)


match sys.argv[1:]:
    case ["--add", fuzzer, file, *more] if (HERE / f"fuzz_{fuzzer}.c").is_file():
        add(fuzzer, file, *more)
    case [folder] if not folder.startswith("-"):
        write(folder)
    case words:
        sys.exit(f"corpus.py: found {words}, expected FOLDER, or --add FUZZER FILE... with the FUZZER of a fuzz_FUZZER.c")
