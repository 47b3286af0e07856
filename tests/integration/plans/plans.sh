# What the tests of `doppel test` share. Sourced after lib.sh, not run. They work in the source tree, as a reader does.
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$source_dir/clients/python
cd "$source_dir" || exit 1
plans=docs/guides/plans
cart=tests/integration/plans/cart.xml
master="python3 tests/integration/plans/master.py {modbus_port}"

does() { # CODE ARGUMENTS...: of `doppel test`; what is printed goes to $said
    local code=$1 got
    shift
    timeout 60 "$doppel" test "$@" >"$work/said" 2>&1
    got=$?
    said=$(<"$work/said")
    [ $got -eq "$code" ] || fail "exit $got, expected $code: doppel test $*: $said"
}

says() { # TEXT...
    for text in "$@"; do
        grep -qF -- "$text" <<<"$said" || fail "no '$text' in: $said"
    done
}

refuses() { # CODE TEXT ARGUMENTS...: `doppel test` ends with this code and says why
    does "$1" "${@:3}"
    says "$2"
}

judge() { # FOLDER PYTHON: a condition on `summary`, its `steps`, and `junit`
    python3 - "$@" <<'PY' || fail "not so: $2"
import json, sys, xml.etree.ElementTree as ET
folder, condition = sys.argv[1:]
summary = json.load(open(folder + "/summary.json"))
junit = ET.parse(folder + "/junit.xml").getroot()
steps = [step for run in summary["runs"] for step in run["steps"]]
sys.exit(not eval(condition))
PY
}
