"""python -m kiln: the kiln program, or what the package knows without it; `generate` with --tokenizer FILE takes and prints
text for any model that has a tokenizer.json."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import sys

from . import compiler, errors, help, runtime_version, text


def main(arguments):
    if arguments[:1] == ["help"] and len(arguments) == 2 and errors.number(arguments[1]) is not None:
        print(help(arguments[1]), end="")
        return
    if arguments[:1] == ["generate"] and any(word.split("=")[0] == "--tokenizer" for word in arguments):
        return text.main(arguments[1:])
    try:
        program = compiler.find()
    except errors.Error:
        if arguments not in (["version"], ["--version"]):
            raise
        print(f"kiln {runtime_version()} (runtime only)")
        return
    os.execv(program, [program, *arguments])


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except errors.Error as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
