# shellcheck shell=bash
# Which python3 is called. Where it is a script that looks for one at every call (pyenv: 0.4 s of CPU each; a test makes up to a hundred), it looks
# once, and the folder of what it has found goes first in PATH. Sourced, not run.
if [ "$(head -c 2 "$(command -v python3)" | tr -d '\0')" = '#!' ]; then
    PATH=$(dirname "$(python3 -c 'import sys; print(sys.executable)')"):$PATH
    export PATH
fi
