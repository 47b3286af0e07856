#!/usr/bin/env bash
# What a command does not use it does not load: Cairo, LAPACK and libzmq, which need some forty libraries, come as modules when a picture is
# drawn, eigenvalues are asked for, or a world is served or joined. A module that is not there is told.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
loaded=$(ldd "$doppel" | awk '{ print $1 }')
n=$(wc -l <<<"$loaded")
[ "$n" -le 20 ] || fail "$n libraries: $loaded"
grep -E 'cairo|lapack|blas|gfortran|zmq|assimp|libX|xcb' <<<"$loaded" && fail "loads what few commands use"
maps() { # the libraries that a command has loaded at its end
    LD_DEBUG=files "$@" 2>&1 >/dev/null | grep -c "calling init: .*lib$library"
}
library=cairo
[ "$(maps "$doppel" version)" -eq 0 ] || fail "version loads Cairo"
[ "$(maps "$doppel" sim office --run 0.01 --snapshot a.svg)" -gt 0 ] || fail "a picture without Cairo"
library=zmq
[ "$(maps "$doppel" run patrol --bind sim --clock sim --duration 0.1 --quiet)" -eq 0 ] || fail "a run in its own world loads libzmq"
