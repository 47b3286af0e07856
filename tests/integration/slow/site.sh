#!/usr/bin/env bash
# The documents as a site: every page is in it, every link goes somewhere, nothing is fetched from outside.
source "$(dirname "$0")/../lib.sh"
/usr/bin/python3 -c 'import mkdocs' 2>/dev/null || skip "mkdocs is not installed"
command -v doxygen >/dev/null || skip "doxygen is not installed"
"$source_dir/tools/site/build" "$work/site" --program "$doppel" >"$work/said.log" 2>&1 || fail "the site"
[ "$(wc -l <"$work/said.log")" = 1 ] || fail "warnings: $(head "$work/said.log")"
html=$work/site/html
for page in index start/concepts guides/localization reference/worlds design/runtime notebook/transparency/index; do
    [ -s "$html/$page.html" ] || fail "$page is not in the site"
done
grep -q 'SafeRadius' "$html/reference/components.html" || fail "the reference lacks properties of components"
grep -q 'TickRad' "$html/reference/drivers-wheel_controller.html" || fail "the reference lacks properties of drivers"
grep -q 'in a &lt;robot_model&gt;: &lt;laser&gt;' "$html/reference/sensors.html" || fail "the reference lacks sensors of worlds"
grep -q 'table motor' "$html/reference/actuators.html" || fail "the reference lacks actuators of worlds"
grep -q 'signal/logic' "$html/reference/signals.html" || fail "the reference lacks signals of worlds"
grep -q 'subsystem/multibody' "$html/reference/subsystems.html" || fail "the reference lacks subsystems"
grep -q -- '--bind' "$html/reference/commands.html" || fail "the reference lacks options of commands"
grep -q 'by a damped Newton method on all rows of a loop' "$html/api/html/multibody_8h.html" || fail "the C API lacks comments"
python3 - "$html/search/search_index.json" <<'PY' || fail "the index for searching lacks pages"
import json, sys
places = {doc["location"].split("#")[0] for doc in json.load(open(sys.argv[1]))["docs"]}
assert {"reference/star.html", "reference/components.html", "start/troubleshooting.html"} <= places, sorted(places)[:20]
PY
# links between pages of the site: files and headings
python3 - "$html" <<'PY' || fail "links that go nowhere"
import html.parser, pathlib, sys, urllib.parse
root = pathlib.Path(sys.argv[1])
class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(text)
    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        self.links += [attributes[key] for key in ("href", "src") if attributes.get(key)]
pages = {file: Page(file.read_text()) for file in root.rglob("*.html") if root / "api" not in file.parents}
bad, n = [], 0
for file, page in pages.items():
    for link in page.links:
        url = urllib.parse.urlsplit(link)
        if url.scheme or url.netloc or file.name == "404.html":
            continue
        n += 1
        target = (file.parent / urllib.parse.unquote(url.path)).resolve() if url.path else file
        if not target.exists():
            bad.append((file.name, link))
        elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].ids:
            bad.append((file.name, link))
print(n, "links")
sys.exit(print(*bad[:10], sep="\n") or 1 if bad else 0)
PY
echo ok
