# SPDX-License-Identifier: Apache-2.0
"""document_paths.py ROOT: each path of the form tests/..., tools/..., docs/... or profiles/... that a document or the README of a folder names in backquotes exists. In a path,
`*` and `...` stand for anything, `{a,b}` for each of them; words in capitals and `<words>` stand for anything where there is no such file. A page about a
project of the reader's own names paths in there: they are beside the page or in the folder of its name, the page has the reader write them (`<!-- write: F -->`), or
`doppel new` writes them, of a driver `rover`."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
documents = [root / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")]
documents += sorted(root.glob("docs/**/*.md"))
for folder in ("avatar_sim", "components", "drivers", "gateways", "math", "motion", "packaging", "profiles", "raycast", "runtime", "tests", "tools"):
    documents += [path for path in sorted((root / folder).glob("**/README.md")) if "templates" not in path.parts]
PATH = re.compile(r"(?:tests|tools|docs|profiles)/[^\s`'\"|;,]*(?:\{[^}]*\}[^\s`'\"|;,]*)*")


def expanded(text):
    """Without {a,b}"""
    found = re.search(r"\{([^{}]*)\}", text)
    if not found:
        return [text]
    return [each for part in found[1].split(",") for each in expanded(text[: found.start()] + part.strip() + text[found.end() :])]


def exists(folder, text):
    pattern = text.replace("...", "*")
    loose = re.sub(r"<[^>]*>|(?<![A-Za-z])[A-Z_]*[A-Z]+[A-Z_]*(?![A-Za-z])", "*", pattern)
    return any(next(folder.glob(each.strip("/")), None) for each in (pattern, loose))


n = 0
bad = []
for document in documents:
    text = document.read_text()
    written = re.findall(r"^<!-- write: (.+) -->$", text, re.M)
    own = [path for path in document.with_suffix("").glob("*") if path.is_dir()] + [document.parent, document.with_suffix("")]
    own += [root / "tools/new/templates" / kind for kind in ("driver", "component-commander")]
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.startswith("```")
        if fenced:
            continue
        for quoted in re.findall(r"`([^`]+)`", line):
            for word in re.findall(r"(?:^|(?<=[\s(=]))" + PATH.pattern, quoted):
                word = re.sub(r"[.:)]+$|:\d+$", "", word) if not word.endswith("...") else word
                for path in expanded(word):
                    n += 1
                    there = path in written or any(exists(folder, path.replace("/rover", "/template_name")) for folder in own)
                    if not there and not exists(root, path):
                        bad.append(f"{document.relative_to(root)}:{number}: {path}")
print("\n".join(bad) or f"{n} paths in {len(documents)} documents")
sys.exit(1 if bad or n < 100 else 0)
