"""What every lint needs: the files of the checkout and a way to report."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Headers of earlier versions stay as they were.
_KEPT = pathlib.Path("test/compat/headers")
_SKIPPED = {".git", "__pycache__", ".pytest_cache", ".cache", ".vscode", ".idea"}


def files(*suffixes, under=""):
    """The source files with one of the suffixes (all without), sorted, as paths relative to the root."""
    found = []
    for path in sorted((ROOT / under).rglob("*")):
        relative = path.relative_to(ROOT)
        if relative.parts[0].startswith("build") or _SKIPPED & set(relative.parts) or _KEPT in relative.parents:
            continue
        if path.is_file() and (not suffixes or path.suffix in suffixes):
            found.append(relative)
    return found


def read(path):
    return (ROOT / path).read_text(errors="replace")


def finish(problems, checked):
    """Ends a lint: prints the problems, or what was found in order."""
    for problem in problems:
        print(problem)
    print(f"{checked}: {f'{len(problems)} problems' if problems else 'in order'}")
    sys.exit(1 if problems else 0)
