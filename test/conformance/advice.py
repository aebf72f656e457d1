"""What an error of Kiln says to do, as options of kiln compile."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

ERROR = re.compile(r"(?:^|error: )KILN-(E\d{4}): (.*)", re.MULTILINE)
OPTION = re.compile(r"--[a-z][a-z-]*(?: [A-Za-z_][^\s;()]*=[^\s;()]*)?")


def error_of(text):
    """Code, message and fix of the first error in what a program printed; None without one."""
    found = ERROR.search(text)
    if not found:
        return None
    message, _, fix = found[2].partition("; fix: ")
    return found[1], message, fix


def options_of(fix):
    """Lists of options, each a way that a fix names: `--dims n=1`, `--no-state`, `--freeze c=true`."""
    return [option.rstrip(",.").split(" ") for option in OPTION.findall(fix)]
