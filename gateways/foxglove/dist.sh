#!/bin/sh
# Prints the assembler's text that takes the files of the page into the library: dist.sh NAME=FILE...
echo '    .section .rodata'
for pair; do
    echo "# $(cksum <"${pair#*=}")" # a file that differs makes a text that differs: the build sees it
    name=foxglove_dist_${pair%%=*}
    printf '    .global %s, %s_end\n    .hidden %s, %s_end\n%s:\n    .incbin "%s"\n%s_end:\n    .byte 0\n' "$name" "$name" "$name" "$name" "$name" "${pair#*=}" "$name"
done
echo '    .section .note.GNU-stack,"",%progbits'
