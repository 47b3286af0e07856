#!/usr/bin/env bash
# The dashboard in a real browser (Debian's Chromium, headless): a recording that `doppel view` serves and a run that `--view` serves. The built page
# is that of its sources. Without Chromium, npm or its registry this test is skipped.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
command -v chromium >/dev/null || skip "Chromium is not installed (tools/install-deps)"
command -v npm >/dev/null || skip "npm is not installed"
cp -r "$source_dir"/clients/page/{src,public,tests,index.html,package.json,package-lock.json,tsconfig.json,vite.config.js} .
timeout 180 npm ci --silent --ignore-scripts >npm.txt 2>&1 || skip "npm does not give the packages of clients/page/package-lock.json: $(tail -n 1 npm.txt)"
npm run --silent build >build.log 2>&1 || fail "the page cannot be built"
diff -r dist "$source_dir/clients/page/dist" >build.log 2>&1 || fail "clients/page/dist is not what its sources make: npm ci && npm run build there"
[ "$(du -sb dist | cut -f 1)" -lt 1200000 ] || fail "the page is larger than 1.2 MB"
"$doppel" run patrol --bind twin --clock sim --duration 30 --seed 3 --quiet --record run.mcap >run.log 2>&1 || fail "no recording"
echo nothing >nothing.mcap
"$doppel" view nothing.mcap >wrong.log 2>&1
[ $? -eq 1 ] && grep -qx "doppel view: nothing.mcap: error: it does not begin as an MCAP file does" wrong.log || fail "a file that is no recording"
start view "$doppel" view run.mcap
view=$last
"$doppel" run patrol --bind twin --clock sim --duration 30 --seed 3 --quiet --set Synchronizer.Strategy=none --record none.mcap >none.log 2>&1 || fail "no second recording"
"$doppel" report --interactive run.mcap --output report.html >report.log 2>&1 || fail "no page with the recording inside"
start pair "$doppel" view run.mcap none.mcap
pair=$last
start live "$doppel" run patrol --bind twin --clock sim --quiet --view 0
live=$last
until_true 20 grep -q "^view: http" view.log || fail "no address"
until_true 20 grep -q "^view: http" live.log || fail "no address"
until_true 20 grep -q "^view: http" pair.log || fail "no address"
timeout 300 node tests/page.mjs run.mcap "$(sed -n 's/^view: \(http.*\)/\1/p' view.log)" "$(sed -n 's/^view: \(http.*\)/\1/p' live.log)" "$work" >page.log 2>&1 || fail "the page: $(tail -n 3 page.log)"
timeout 300 node tests/acceptance.mjs "$doppel" run.mcap "$(sed -n 's/^view: \(http.*\)/\1/p' view.log)" none.mcap "$(sed -n 's/^view: \(http.*\)/\1/p' pair.log)" "$work/report.html" >acceptance.log 2>&1 ||
    fail "the page: $(tail -n 3 acceptance.log)"
kill -INT "$pair" && wait "$pair" || fail "view of two ended with $?"
kill -INT "$view" && wait "$view" || fail "view ended with $?"
kill -INT "$live" && wait "$live" || fail "the run ended with $?"
