# The log of a real robot, in $log; a test without it is skipped. Sourced after lib.sh.
log=$source_dir/../shared/data/mines_urg04lx_exp1.dat
[ -e "$log" ] || log=/work/shared/data/mines_urg04lx_exp1.dat
[ -e "$log" ] || skip "there is no ../shared/data/mines_urg04lx_exp1.dat: no log of a real robot"
