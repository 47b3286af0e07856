#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""has_options.py BUILD OPTION...: whether BUILD is configured with these options, each -DNAME=VALUE or --NAME=VALUE (exit code 1 if not)."""
import json
import sys

build, *options = sys.argv[1:]
with open(f"{build}/meson-info/intro-buildoptions.json") as file:
    has = {option["name"]: str(option["value"]) for option in json.load(file)}
for option in options:
    name, value = option.removeprefix("-D").removeprefix("--").split("=", 1)
    if has.get(name, "").lower() != value.lower():
        sys.exit(1)
