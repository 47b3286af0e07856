# The results of the guide's plans: a step that failed has a trace, what could not be judged is an error, limits follow from parameters.
source "$source_dir/tests/integration/plans/plans.sh"
out=$work/root/out

judge "$out/barrier" 'summary["exit"] == 4 and steps[1]["trace"] == "trace-1-02.csv" and "trace" not in steps[2]'
judge "$out/barrier" 'junit.find("testsuite").get("failures") == "1" and "angle is 0.21" in junit.find(".//failure").get("message")'
python3 - "$out/barrier/trace-1-02.csv" <<'PY' || fail "the trace is not what it should be"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
position = [float(row["barrier/hinge/position"]) for row in rows]
good = len(rows) > 1000 and float(rows[0]["time"]) == 0 and float(rows[1]["step_time"]) < float(rows[-1]["step_time"]) == 2
sys.exit(not (good and 0.2 < max(position) < 0.23 and rows[-1]["barrier/hinge/voltage"] == "20"))
PY

judge "$out/none" '[s["verdict"] for s in steps] == ["error", "skipped", "skipped"] and summary["errors"] == 1 and summary["exit"] == 1'
judge "$out/none" 'len(junit.findall(".//error")) == 1 and "no_such_program" in junit.find(".//error").get("message") and junit.get("errors") == "1"'
judge "$out/none" 'junit.find("testsuite").get("errors") == "1" and int(junit.get("tests")) > 0'

judge "$out/nine" '[m for m in steps[3]["measures"] if "distance" in m["name"]][0]["good"]'
judge "$out/nine" '17 < [m for m in steps[3]["measures"] if "time of travel" in m["name"]][0]["value"] < 19.5'
