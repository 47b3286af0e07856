#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the shipped table of infrared sensors as C, so that no program depends on the path of the file.
Arguments: the table, the C file."""
import sys

rows = [line.split("#")[0].split() for line in open(sys.argv[1], encoding="utf-8")]
with open(sys.argv[2], "w", encoding="utf-8") as out:
    out.write('#include "ir_table.h"\n\nstatic const struct ir_row rows[] = {\n')
    out.writelines(f"    {{{mm}, {duty}}},\n" for mm, duty in filter(None, rows))
    out.write("};\n\nconst struct ir_table ir_table_shipped = {rows, sizeof rows / sizeof rows[0]};\n")
