"""Of functions with many cases, all of which take long, an ordinary run has some: those marked `sampled` keep every
fourth case, and one at least. `pytest --all-cases` runs all of them, as all_cases.py does for docs/benchmarks/cases.md."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import zlib

EVERY = 4


def add_option(parser):
    parser.addoption("--all-cases", action="store_true", help="run all cases of functions marked sampled")


def configure(config):
    config.addinivalue_line("markers", f"sampled: an ordinary run has every {EVERY}th case (--all-cases: all)")


def select(config, items):
    """Takes the others away. Which ones stay depends on the function's name alone, so every worker finds the same."""
    if config.getoption("--all-cases", default=False):
        return
    groups = {}
    for item in items:
        if item.get_closest_marker("sampled"):
            groups.setdefault(item.nodeid.split("[")[0], []).append(item)
    left_out = set()
    for function, cases in groups.items():
        first = zlib.crc32(function.encode()) % min(EVERY, len(cases))
        left_out |= {*cases} - {*cases[first::EVERY]}
    gone = [item for item in items if item in left_out]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=gone)
    config.left_out_cases = len(gone)


def finish_line(config):
    gone = getattr(config, "left_out_cases", 0)
    return f"{gone} cases of functions marked sampled are left out (--all-cases runs them)" if gone else ""
