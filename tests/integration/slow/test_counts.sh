#!/usr/bin/env bash
# tools/test counts what was run, fails if anything did not run, and leaves nothing behind when it is stopped. A small project stands for this one.
source "$(dirname "$0")/../lib.sh"
source "$source_dir/tests/integration/rows.sh"
tree="$work/small project"
mkdir -p "$tree/tests/support" "$tree/tools"
cp "$source_dir/tools/test" "$tree/tools"
cp "$source_dir"/tests/support/{has_options.py,targets.py,results.py,python.sh} "$tree/tests/support"
ln -s /bin/true "$tree/tools/install-deps"
echo "option('tests', type: 'boolean', value: false)" >"$tree/meson_options.txt"
cat >"$tree/meson.build" <<'MESON'
project('small')
bash = find_program('bash')
test('good', bash, args: ['-c', 'exit 0'], suite: 'quick')
test('also good', bash, args: ['-c', 'exit 0'], suite: 'quick')
test('bad', bash, args: ['-c', 'exit 1'])
test('not here', bash, args: ['-c', 'exit 77'])
test('ends meson', bash, args: ['-c', 'kill -9 $PPID'])
test('endless', bash, args: ['-c', 'echo $$ >"$0/endless.pid"; exec sleep 1000', meson.project_source_root()], timeout: 0)
MESON

# ends CODE WORDS PATTERN...: how a run ends
ends() {
    local code
    (cd / && "$tree/tools/test" "${@:3}") >"$work/said" 2>&1
    code=$?
    [ "$code" = "$1" ] || fail "exit code $code, expected $1: $(cat "$work/said")"
    grep -qE "$2" "$work/said" || fail "expected '$2', found: $(cat "$work/said")"
}

stopped() {
    "$tree/tools/test" endless >"$work/said" 2>&1 &
    local run=$! sleeper
    until_true 20 test -s "$tree/endless.pid" || fail "it does not begin: $(cat "$work/said")"
    sleeper=$(cat "$tree/endless.pid")
    kill -TERM "$run"
    wait "$run"
    [ $? = 143 ] || fail "exit code: $(cat "$work/said")"
    grep -q "stopped by a signal" "$work/said" || fail "it does not say that it was stopped: $(cat "$work/said")"
    ! kill -0 "$sleeper" 2>/dev/null || fail "a test is left"
}

damaged() {
    local file=$1
    cp "$tree/build/$file" "$work/whole"
    head -c 100 "$work/whole" >"$tree/build/$file"
    ends 1 "JSONDecodeError" good
    cp "$work/whole" "$tree/build/$file"
}

full() {
    local log="$tree/build/meson-logs/matching-tests.txt"
    ln -sf /dev/full "$log"
    ends 1 "meson ended with code" good
    rm "$log"
}

# of a first run that was stopped
half_configured() {
    rm "$tree/build/build.ninja"
    ends 0 " 0 failed, 0 skipped" good
}

check "a pattern that matches two" ends 0 "^[0-9]+ passed, 0 failed, 0 skipped" good
check "a name that no test has" ends 2 "found 'godo', expected" good godo
check "one fails, one is left out" ends 1 ", 1 failed, 1 skipped" good bad "not here"
check "meson is killed" ends 1 "no test was run" "ends meson"
check "a stopped run" stopped
check "a log that fills the disk" full
check "a stopped setup" half_configured
check "a damaged list of the tests" damaged meson-info/intro-tests.json
rows_end
