# SPDX-License-Identifier: Apache-2.0
"""Tables of single changes of the tree: blocks of a name in brackets and lines "KEY WORDS", among them `file`, `from` (text that stands in the file
once) and `to` (the text in its place). In a table that is `escaped`, \\n in them is a new line."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def read(path, escaped=False):
    """[{name, file, from, to, ...}]"""
    found = []
    for line in path.read_text().splitlines():
        if line.startswith("[") and line.endswith("]"):
            found.append({"name": line[1:-1]})
        elif line and not line.startswith("#"):
            key, words = line.split(" ", 1)
            found[-1][key] = words.strip().replace("\\n", "\n") if escaped else words.strip()
    return found


def changed(change):
    """The text of its file with the change, or None: the text does not stand there once."""
    path = ROOT / change["file"]
    text = path.read_text() if path.exists() else ""
    return text.replace(change["from"], change["to"]) if text.count(change["from"]) == 1 else None


def stale(path, changes):
    """What is wrong with a table, a line each."""
    for change in changes:
        if changed(change) is None:
            file = ROOT / change["file"]
            n = file.read_text().count(change["from"]) if file.exists() else 0
            yield f"{path.relative_to(ROOT)}: [{change['name']}]: its text stands {n} times in {change['file']}, expected once"
