# shellcheck shell=bash
# The page of the guide is well-formed and needs nothing from outside; charts as files have the numbers of the trace; every scan is kept.
for page in out/patrol/report.html out/two.html; do
    xmllint --noout --nonet $page || fail "$page is not well-formed"
    grep -oE '(src|href)=|url\(|<script|https?://[^"]*' $page | grep -v '^http://www.w3.org/' && fail "$page asks for something outside"
done
for file in map.svg map.csv distance.svg distance.csv WheelController-1.csv; do
    [ -s out/charts/$file ] || fail "no $file: $(ls out/charts)"
done
xmllint --noout out/charts/*.svg || fail "a chart is not well-formed"
if command -v rsvg-convert >/dev/null; then
    [ "$(head -c 4 out/charts/map.png | tail -c 3)" = PNG ] || fail "no PNG"
else
    "$doppel" report out/patrol --charts out/charts 2>&1 | piped "install rsvg-convert" || fail "nobody says how to get PNG"
fi
python3 - <<'PY' || fail "the numbers of charts are not those of the trace"
import csv, glob, os
trace = list(csv.DictReader(open("out/patrol/trace.csv")))
def number(text):
    return None if text in ("", "nan", "inf", "-inf") else float(text)
checked = 0
for name in glob.glob("out/charts/*-*.csv"):
    rows = list(csv.DictReader(open(name)))
    owners = {os.path.basename(name).rsplit("-", 1)[0].replace("-", "."), os.path.basename(name).rsplit("-", 1)[0]}
    for column in rows[0]:
        keys = [o + "." + column for o in owners if o + "." + column in trace[0]]
        if column == "time, s":
            keys = ["t"]
        for key in keys[:1]:
            assert len(rows) == len(trace), name
            for r, t in zip(rows, trace):
                try:
                    same = number(r[column]) == number(t[key])
                except ValueError:
                    same = r[column] == t[key].strip('"')
                assert same, (name, key, r[column], t[key])
            checked += 1
assert checked > 40, checked
distance = list(csv.DictReader(open("out/charts/distance.csv")))
assert [number(r["true"]) for r in distance] == [number(t["sync.true_mm"]) for t in trace]
avatar = [r for r in csv.reader(open("out/charts/map.csv")) if r and r[0] == "avatar"]
known = [t for t in trace if number(t["sync.avatar_x"]) is not None]
assert abs(len(avatar) - len(known)) <= 1, (len(avatar), len(known))
assert float(avatar[-1][1]) == float(known[-1]["sync.avatar_x"]), avatar[-1]
PY
rows=$(($(wc -l <out/scans/scans.csv) - 1))
scans=$(json out/scans/summary.json LaserScanner.scans)
[ $rows -ge $((scans - 2)) ] || fail "$rows rows of $scans scans"
