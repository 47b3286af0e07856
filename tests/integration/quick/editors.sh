#!/usr/bin/env bash
# doppel check --format gcc, json and sarif: every kind of file, hostile names and bytes, positions in units of UTF-16, exit codes; what docs/editors shows
# for VS Code and Vim.
source "$(dirname "$0")/../lib.sh"
cp "$profiles/robots/kobuki_urg.xml" "$work/"
cd "$work" || exit 1

# check CODE FORMAT FILE...: output in $work/out
check() {
    local code=$1 format=$2 got
    shift 2
    "$doppel" check --format "$format" "$@" >"$work/out" 2>"$work/said"
    got=$?
    [ $got -eq "$code" ] || fail "exit $got, expected $code: doppel check --format $format $* ($(head -c 500 "$work/out" "$work/said"))"
    [ "$format" = text ] || [ "$code" = 2 ] || [ ! -s "$work/said" ] || fail "--format $format prints to stderr: $(<"$work/said")"
}

# files of all kinds with one mistake each, and one that is clean
sed 's/friction="1"/frictoin="1"/' "$profiles/worlds/empty.xml" >world.xml
sed 's/<usage>input</<usage>inptu</' "$profiles/components/RobotControl.xml" >component.xml
sed 's/timeout="5 s"/timeout="5 parsec"/; s/file="elevator_shaft"/file="elevator_shaft.xml"/' "$profiles/plans/elevator.xml" >plan.xml
sed 's/"mass": *[0-9][0-9.]*/"mass": "heavy"/' "$profiles/worlds/star/arm.json" >star.json
cp "$source_dir/docs/state-machines/"*.xml . 2>/dev/null
printf '<state_machine name="m"><state name="a"><transition to="b" after="1 s"/></state></state_machine>\n' >machine.xml
printf '<world name="w"><ground friction="two"/>' >unclosed.xml
# columns: 😀 is one character, four bytes, two units of UTF-16; ü one, two, one
printf '<world name="w">\n<ground><!-- ü😀 --></ground><büx/>\n</world>\n' >wide.xml
printf '<?xml version="1.0" encoding="UTF-16"?>\n<world name="w"><bix/></world>\n' | iconv -f UTF-8 -t UTF-16 >utf16.xml
: >empty.xml
bad=(world.xml component.xml plan.xml star.json machine.xml unclosed.xml wide.xml utf16.xml empty.xml nowhere.xml)
# names that no format may stumble over
odd=('a b%20"c".xml' $'line\nend.xml' $'not\xffutf8.xml' 'ümlaut&<>.xml' 'c:1:2.xml' '-dash.xml')
for name in "${odd[@]}"; do
    cp -- wide.xml "$name"
done
all=("${bad[@]}" "$profiles/worlds/office.xml")

check 0 gcc "$profiles/worlds/office.xml"
[ ! -s out ] || fail "a clean file has lines: $(<out)"
check 1 gcc "${all[@]}" -- "${odd[@]}"
python3 - "$source_dir/docs/editors/tasks.json" <<'PY' || fail "lines of gcc"
import json, re, sys
pattern = json.load(open(sys.argv[1]))["tasks"][0]["problemMatcher"]["pattern"]
lines = open("out", encoding="utf-8").read().split("\n")
assert lines.pop() == ""
found = [re.fullmatch(pattern["regexp"], line) for line in lines]
assert all(found), [line for line, match in zip(lines, found) if not match]
files = {match[pattern["file"]] for match in found}
for name in ["world.xml", "component.xml", "plan.xml", "star.json", "machine.xml", "unclosed.xml", "wide.xml", "nowhere.xml", "empty.xml",
             "a b%20\"c\".xml", "line\\x0aend.xml", "not\\xffutf8.xml", "ümlaut&<>.xml", "-dash.xml"]:
    assert name in files, (name, files)
assert {match[pattern["severity"]] for match in found} >= {"error", "warning"}
PY
cp out gcc.txt

# the same diagnostics in all formats, as LSP and SARIF want them
check 1 json "${all[@]}" -- "${odd[@]}"
cp out all.json
check 1 sarif "${all[@]}" -- "${odd[@]}"
cp out all.sarif
cat >judge.py <<'PY'
import json, os, re, urllib.parse

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
PY
python3 judge.py || fail "json or sarif is wrong"

# two runs print the same; warnings count with --strict; nothing found is a whole document too
check 1 sarif "${all[@]}" -- "${odd[@]}"
cmp out all.sarif || fail "two runs differ"
check 0 json world.xml
check 1 json --strict world.xml
check 0 sarif "$profiles/apps/patrol.xml"
python3 -c 'import json; run = json.load(open("out"))["runs"][0]; assert run["results"] == [] and len(run["artifacts"]) == 1' || fail "a clean file: $(<out)"
check 2 xml world.xml
grep -q "text" said || fail "an unknown format: $(<said)"
check 1 text world.xml component.xml
grep -q '^2 files: [1-9]' out || fail "text: $(<out)"
for format in gcc json sarif; do
    "$doppel" check --format $format component.xml >/dev/full 2>said && fail "--format $format: a full disk is no error"
    [ "$(wc -l <said)" = 1 ] && grep -q 'cannot write to standard output' said || fail "--format $format on a full disk: $(<said)"
done

# Vim reads the lines into its quickfix list
if command -v vim >/dev/null && vim --version | grep -q '+quickfix'; then
    mkdir -p root
    ln -sfn "$build" root/build
    cp component.xml root/
    (cd root && timeout 20 vim -u NONE -i NONE -es -c 'filetype on' -c "source $source_dir/docs/editors/doppel.vim" -c 'edit component.xml' -c 'setfiletype xml' -c 'silent make' \
        -c 'call writefile([string(map(filter(getqflist(), "v:val.valid"), {i, q -> [q.lnum, q.col, q.type]}))], "list")' -c 'qa!' </dev/null >/dev/null 2>&1)
    line=$(grep -n inptu component.xml | head -1 | cut -d: -f1)
    grep -qi "\[$line, [0-9]*, 'e'\]" root/list || fail "vim has: $(cat root/list)"
fi
