# A served world that somebody outside of it works with. Sourced after lib.sh, not run.

# serve NAME ARGUMENTS...: `doppel sim`; sets $world (its pid), $address (of the world) and $port (for controllers, or Modbus masters)
serve() {
    local name=$1
    shift
    start "$name" "$doppel" sim "$@" --port 0
    world=$last
    until_true 10 grep -qE "^(controllers|modbus masters) at" "$work/$name.log" || fail "no world"
    address=$(sed -n 's|^serving .* at \(tcp://[^,]*\),.*|\1|p' "$work/$name.log")
    port=$(sed -nE 's#^(controllers|modbus masters) at tcp://.*:##p' "$work/$name.log")
}

# say ARGUMENTS...: `doppel world`; what it prints goes to $work/said
say() { timeout 60 "$doppel" world "$address" "$@" >"$work/said" 2>&1; }

# until_world CONDITION: it holds within 20 s; then the world goes on
until_world() {
    say until "$1" --timeout 20 || fail "until $1: $(<"$work/said")"
    say run || fail "run: $(<"$work/said")"
}

# refused CODE TEXT COMMAND...: it ends with this code and says why
refused() {
    timeout 20 "${@:3}" >"$work/said" 2>&1
    local code=$?
    [ $code -eq "$1" ] || fail "exit code $code, expected $1: ${*:3}: $(<"$work/said")"
    grep -q -- "$2" "$work/said" || fail "no '$2' in: $(<"$work/said")"
}
