# After the commands of docs/guides/look-ahead-worlds.md: a robot that drives by its laser alone touches what each hall is named after, and the experiment says
# so; with the look-ahead it touches nothing, nor does a robot that differs from its avatar. A limit that is missed is exit code 4.
experiment=$source_dir/tests/experiments/look_ahead
export DOPPEL=$doppel

# touches HALL NAME: in two of two seeds a thing of that name is touched
touches() {
    "$experiment" --without --world "$1" --seeds 2 --minutes 5 --jobs 1 --verbose >"$work/$1.log" 2>&1 || fail "$1: exit code $?"
    [ "$(grep -c "^$1, seed [12], without: touched .*$2 [0-9]*[,;]" "$work/$1.log")" = 2 ] || fail "$1: something else is touched"
    grep -q "^| $1 *| 2 of 2 " "$work/$1.log" || fail "$1: no row"
}
touches benches 'bench [1-4]'
touches tables 'table [1-4]'
touches glass '\(glass wall\|glass door\|show case\)'
touches ramp '\(ramp\|stage\)'

# in half a second nothing is reached
"$experiment" --without --world benches --seeds 1 --minutes 0.01 --jobs 1 >"$work/short.log" 2>&1
[ $? = 4 ] || fail "a limit that is missed is not told"
grep -q '^missed: benches: only 0 of 1 seeds' "$work/short.log" || fail "the limit is not named"

# avoids NAME OPTION...: touched without look-ahead, not with it
avoids() {
    local name=$1
    shift
    "$experiment" "$@" --world glass --seeds 1 --jobs 1 --verbose >"$work/$name.log" 2>&1 || fail "$name: exit code $?"
    grep -q '^glass, seed 1, with: touched nothing; .* looks [1-9]' "$work/$name.log" || fail "$name: with look-ahead"
    grep -q '^| glass *| 1 of 1 *|.*| 0 of 1 *| 0 ' "$work/$name.log" || fail "$name: no row"
}
avoids ahead --minutes 3
avoids twin --minutes 2 --twin

# what touched the robot, and not what touched another one: of the run of the guide
python3 - out/glass/summary.json <<'PY' || fail "summary.json"
import json, sys
s = json.load(open(sys.argv[1]))
of = s["contacts"]["unseen_glass/avatar"]
assert len(s["contacts"]) == 1, s["contacts"]
assert sum(one["n"] for one in of.values()) == s["world.contacts"] > 0, (of, s["world.contacts"])
assert all(0 < one["first_s"] <= 300 for one in of.values()), of
PY
