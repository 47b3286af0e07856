#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""results.py TESTLOG: counts the checks of a run of `meson test`, and prints what failed.

TESTLOG is the .json that meson writes. A test that speaks TAP counts once for each of its cases, every other test once. Of each failed test:
the failed cases and why, or the last lines that it printed. The last line is "PASSED FAILED SKIPPED"; the exit code is 1 if anything failed
or nothing passed."""
import json
import re
import sys

LAST_LINES = 40
CASE_LINES = 12
passed = failed = skipped = 0
for line in open(sys.argv[1]):
    test = json.loads(line)
    out, result = test.get("stdout", ""), test["result"]
    good = result in ("OK", "EXPECTEDFAIL")
    if result == "SKIP":
        skipped += 1
        continue
    cases = re.findall(r"^(not )?ok\b(.*)$", out, re.M)
    skips = sum("# skip" in words.lower() for _, words in cases)
    bad = sum(bool(wrong) for wrong, _ in cases)
    passed += len(cases) - bad - skips if cases else good
    skipped += skips
    failed += bad if bad else not good
    if good:
        continue
    print(f"{test['name']}: {result} after {test['duration']:.1f} s, exit code {test['returncode']}")
    if bad:
        on = 0
        for row in out.splitlines():
            on = CASE_LINES if row.startswith("not ok") else 0 if row.startswith("ok") else on - 1
            if on > 0:
                print("   ", row)
    for text in (out if not bad else "", test.get("stderr", "")):
        for row in text.splitlines()[-LAST_LINES:]:
            print("   ", row)
print(passed, failed, skipped)
sys.exit(1 if failed or not passed else 0)
