# SPDX-License-Identifier: Apache-2.0
"""What `doppel check` found in files with mistakes and hostile names, in three formats: editors.py TASKS_JSON, in a folder with gcc.txt, all.json and
all.sarif. Each line of gcc.txt is one that the problem matcher of VS Code reads; the others hold the same diagnostics, as LSP and SARIF want them."""
import json
import os
import re
import sys
import urllib.parse

pattern = json.load(open(sys.argv[1]))["tasks"][0]["problemMatcher"]["pattern"]
lines = open("gcc.txt", encoding="utf-8").read().split("\n")
assert lines.pop() == ""
found = [re.fullmatch(pattern["regexp"], line) for line in lines]
assert all(found), [line for line, match in zip(lines, found) if not match]
files = {match[pattern["file"]] for match in found}
for name in ["world.xml", "component.xml", "plan.xml", "star.json", "machine.xml", "unclosed.xml", "wide.xml", "nowhere.xml", "empty.xml",
             "a b%20\"c\".xml", "line\\x0aend.xml", "not\\xffutf8.xml", "ümlaut&<>.xml", "-dash.xml"]:
    assert name in files, (name, files)
assert {match[pattern["severity"]] for match in found} >= {"error", "warning"}

lines = open("gcc.txt", encoding="utf-8").read().splitlines()
URI = re.compile(r"(file://)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+")


def keys(thing, needed, allowed=()):
    assert set(needed) <= set(thing) <= set(needed) | set(allowed), (thing, needed)


def whole(value, least):
    assert isinstance(value, int) and not isinstance(value, bool) and value >= least, value


# LSP 3.17: PublishDiagnosticsParams, Diagnostic, Range, Position
files = json.load(open("all.json", encoding="utf-8"))
n = 0
for file in files:
    keys(file, ["uri", "diagnostics"])
    assert URI.fullmatch(file["uri"]) and file["uri"].startswith("file:///"), file["uri"]
    for diagnostic in file["diagnostics"]:
        keys(diagnostic, ["range", "severity", "code", "source", "message"])
        keys(diagnostic["range"], ["start", "end"])
        for position in diagnostic["range"].values():
            keys(position, ["line", "character"])
            whole(position["line"], 0)
            whole(position["character"], 0)
        start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
        assert (start["line"], start["character"]) <= (end["line"], end["character"])
        assert diagnostic["severity"] in (1, 2, 3) and diagnostic["source"] == "doppel"
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", diagnostic["code"]), diagnostic["code"]
        n += 1
assert n == len(lines), (n, len(lines))
by_name = {urllib.parse.unquote_to_bytes(f["uri"][7:]): f["diagnostics"] for f in files}
assert len(by_name) == len(files)
here = os.getcwdb() + b"/"
for name in [b"line\nend.xml", b"not\xffutf8.xml", "ümlaut&<>.xml".encode(), b'a b%20"c".xml', b"c:1:2.xml", b"-dash.xml"]:
    assert by_name[here + name], name
office = [d for name, d in by_name.items() if name.endswith(b"worlds/office.xml")]
assert office == [[]], office
# line 2: <ground><!-- ü😀 --></ground><büx/>: 28 characters, 29 units before the tag, <büx has 4
wide = [d for d in by_name[here + b"wide.xml"] if "büx" in d["message"]]
assert wide and wide[0]["range"] == {"start": {"line": 1, "character": 29}, "end": {"line": 1, "character": 33}}, by_name[here + b"wide.xml"]
star = by_name[here + b"star.json"]
text = open("star.json", encoding="utf-8").read().splitlines()
at = next(d["range"] for d in star if d["severity"] == 1)
assert "heavy" in text[at["start"]["line"]][at["start"]["character"]:at["end"]["character"]], (at, star)

# SARIF 2.1.0, sections 3.13 to 3.52: what is required, and the indices
log = json.load(open("all.sarif", encoding="utf-8"))
keys(log, ["$schema", "version", "runs"])
assert log["version"] == "2.1.0" and len(log["runs"]) == 1
run = log["runs"][0]
keys(run, ["tool", "results", "artifacts", "invocations", "columnKind"])
assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
driver = run["tool"]["driver"]
keys(driver, ["name", "version", "rules"])
assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
keys(run["invocations"][0], ["executionSuccessful", "exitCode"])
assert run["invocations"][0]["exitCode"] == 1
uris = [artifact["location"]["uri"] for artifact in run["artifacts"]]
assert len(set(uris)) == len(uris) and all(URI.fullmatch(uri) for uri in uris), uris
assert "line%0Aend.xml" in uris and "not%FFutf8.xml" in uris and "c%3A1%3A2.xml" in uris, uris
for result in run["results"]:
    keys(result, ["ruleId", "ruleIndex", "level", "message", "locations"])
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["level"] in ("none", "note", "warning", "error") and result["message"]["text"]
    place = result["locations"][0]["physicalLocation"]
    assert uris[place["artifactLocation"]["index"]] == place["artifactLocation"]["uri"]
    region = place.get("region")
    if region:
        keys(region, ["startLine", "startColumn", "endLine", "endColumn"])
        for value in region.values():
            whole(value, 1)
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
levels = [result["level"] for result in run["results"]]
assert levels == [line.split(": ")[1] for line in lines if re.search(r": (error|warning|note): ", line)] or len(levels) == len(lines)
