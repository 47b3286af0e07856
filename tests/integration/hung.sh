# A run whose component hangs for a minute in one of its callbacks. Sourced after lib.sh.
export DOPPEL_PLUGIN_PATH=$build/tests/support/trouble

# hung WHERE DRIVER ARGUMENT...: the run, when it hangs there. Its process is $last, its log run.log. DRIVER: mock, kobuki, or avatar of a served world
hung() {
    local driver="<property name=\"ApiName\">$2</property>" world=
    case $2 in
        kobuki) driver+="<property name=\"Address\">$work/kobuki</property>" ;;
        avatar)
            world=$profiles/worlds/empty.xml
            driver+='<property name="ip">127.0.0.1</property><property name="WheelDiameter">0.07</property>
                <property name="AxleDistance">0.23</property><property name="R_Motor_Name">RightWheel</property>
                <property name="L_Motor_Name">LeftWheel</property>'
            ;;
    esac
    drive_with_trouble "$work/app.xml" "$driver" "$world"
    start run "$doppel" run "$work/app.xml" --set Trouble.For=60 --set Trouble.Where="$1" --quiet "${@:3}"
    until_true 10 grep -q "Trouble: this is my last line" "$work/run.log" || fail "it does not come to $1"
}
# left WHERE: two requests end it; it says where it hung
left() {
    local begun said
    said=$(grep -c "Trouble: $1 has not returned" "$work/run.log")
    kill "$last"
    until_true 5 told_again "$1" "$said" || fail "the first request is not answered"
    kill -0 "$last" 2>/dev/null || fail "the first request ends it although $1 hangs"
    begun=$EPOCHREALTIME
    kill "$last"
    wait "$last"
    [ $? -eq 3 ] || fail "exit code"
    number "$EPOCHREALTIME - $begun < 1" || fail "it ends long after the second request"
    grep -q "^error: Trouble in $1 did not return" "$work/run.log" || fail "who hangs is not told"
}
told_again() { # WHERE TIMES
    [ "$(grep -c "Trouble: $1 has not returned" "$work/run.log")" -gt "$2" ]
}
