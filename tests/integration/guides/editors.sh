# shellcheck shell=bash
# What `doppel check --format` prints of every kind of file, hostile names and bytes (editors.py), twice the same, and what vim reads of it.
mkdir odd
cp "$profiles/robots/kobuki_urg.xml" odd
cd odd || exit 1
# files of all kinds with one mistake each, and one that is clean
sed 's/friction="1"/frictoin="1"/' "$profiles/worlds/empty.xml" >world.xml
sed 's/<usage>input</<usage>inptu</' "$profiles/components/RobotControl.xml" >component.xml
sed 's/timeout="5 s"/timeout="5 parsec"/; s/file="elevator_shaft"/file="elevator_shaft.xml"/' "$profiles/plans/elevator.xml" >plan.xml
sed 's/"mass": *[0-9][0-9.]*/"mass": "heavy"/' "$profiles/worlds/star/arm.json" >star.json
cp "$source_dir/docs/guides/state-machines/"*.xml . 2>/dev/null
printf '<state_machine name="m"><state name="a"><transition to="b" after="1 s"/></state></state_machine>\n' >machine.xml
printf '<world name="w"><ground friction="two"/>' >unclosed.xml
# columns: 😀 is one character, four bytes, two units of UTF-16; ü one, two, one
printf '<world name="w">\n<ground><!-- ü😀 --></ground><büx/>\n</world>\n' >wide.xml
printf '<?xml version="1.0" encoding="UTF-16"?>\n<world name="w"><bix/></world>\n' | iconv -f UTF-8 -t UTF-16 >utf16.xml
: >empty.xml
bad=(world.xml component.xml plan.xml star.json machine.xml unclosed.xml wide.xml utf16.xml empty.xml nowhere.xml)
# names that no format may stumble over
odd=('a b%20"c".xml' $'line\nend.xml' $'not\xffutf8.xml' 'ümlaut&<>.xml' 'c:1:2.xml' '-dash.xml')
for name in "${odd[@]}"; do
    cp -- wide.xml "$name"
done
all=("${bad[@]}" "$profiles/worlds/office.xml" -- "${odd[@]}")

# found CODE FORMAT FILE: of all files, and nothing to stderr
found() {
    "$doppel" check --format "$2" "${all[@]}" >"$3" 2>said.log
    [ $? -eq "$1" ] && [ ! -s said.log ] || fail "doppel check --format $2: $(head -c 500 said.log)"
}
found 1 gcc gcc.txt
found 1 json all.json
found 1 sarif all.sarif
found 1 sarif again.sarif
cmp all.sarif again.sarif || fail "two runs differ"
python3 "$source_dir/tests/integration/guides/editors.py" "$source_dir/docs/guides/editors/tasks.json" || fail "not what tools want"

# Vim reads the lines into its quickfix list
if command -v vim >/dev/null && vim --version | piped '+quickfix'; then
    mkdir reader
    ln -s "$build" reader/build
    cp component.xml reader/
    (cd reader && timeout 20 vim -u NONE -i NONE -es -c 'filetype on' -c "source $source_dir/docs/guides/editors/doppel.vim" -c 'edit component.xml' -c 'setfiletype xml' -c 'silent make' \
        -c 'call writefile([string(map(filter(getqflist(), "v:val.valid"), {i, q -> [q.lnum, q.col, q.type]}))], "list")' -c 'qa!' </dev/null >/dev/null 2>&1)
    line=$(grep -n inptu component.xml | head -1 | cut -d: -f1)
    grep -qi "\[$line, [0-9]*, 'e'\]" reader/list || fail "vim has: $(cat reader/list)"
fi
