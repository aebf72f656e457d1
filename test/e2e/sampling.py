"""Which cases of a function an ordinary run has.

A function of test/e2e is one behaviour, and its parameters make many cases of it. An ordinary run takes as many cases of each as
SECONDS pay for, and at least one. Which ones depends on the commit, so that those that a run leaves out come with another commit;
a number given by --case-seed or KILN_CASE_SEED decides it instead, and the numbers that follow take the other cases in turn.
costs.json has the CPU seconds of each, as all_cases.py measured them.

`--all-cases` runs every case, `--left-out-cases` the ones that an ordinary run with the same number leaves out.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import pathlib
import subprocess

SEED = "KILN_CASE_SEED"
COSTS = pathlib.Path(__file__).resolve().parent / "costs.json"
SECONDS = 2.0  # of CPUs, for the cases of a function
UNKNOWN = {"seconds": SECONDS, "setup": 0.0}


def add_options(parser):
    group = parser.getgroup("cases")
    group.addoption("--all-cases", action="store_true", help="run all cases of every function")
    group.addoption("--left-out-cases", action="store_true", help="run the cases that an ordinary run leaves out")
    group.addoption("--case-seed", type=int, metavar="N", help=f"choose cases by this number (default: ${SEED}, or the commit)")


def configure(config):
    """Decides the number once: the processes of xdist inherit it."""
    given = config.getoption("--case-seed")
    if given is not None:
        os.environ[SEED] = str(given)
    elif not os.environ.get(SEED):
        os.environ[SEED] = str(seed_of_commit())


def seed_of_commit():
    """A number made of the commit's hash; 0 where there is no repository."""
    command = ["git", "-C", str(COSTS.parent), "rev-parse", "HEAD"]
    try:
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout[:8], 16)
    except (OSError, subprocess.CalledProcessError):
        return 0


def title(config):
    """How to repeat the choice, for the first lines of a run."""
    if config.getoption("--all-cases"):
        return "cases: all"
    part = "those that an ordinary run leaves out" if config.getoption("--left-out-cases") else "some of each function"
    return f"cases: {part}; {SEED}={os.environ[SEED]} repeats the choice, --all-cases runs all"


def costs():
    return json.loads(COSTS.read_text()) if COSTS.exists() else {}


def function_of(item):
    """file.py::function, whatever folder pytest was started in."""
    return f"{item.path.name}::{item.nodeid.split('::', 1)[1].split('[')[0]}"


def by_function(items):
    groups = {}
    for item in items:
        groups.setdefault(function_of(item), []).append(item)
    return groups


def chosen(cases, seconds, seed):
    """Every n-th case, so that they cost little; the same ones of functions with equal parameters, which share fixtures."""
    count = max(1, min(len(cases), int(SECONDS / max(seconds, 1e-3))))
    parts = -(-len(cases) // count)
    return cases[seed % parts :: parts]


def select(config, items):
    """Takes the cases away that do not belong to this run."""
    if config.getoption("--all-cases"):
        return
    known, seed = costs(), int(os.environ[SEED])
    kept = set()
    for function, cases in by_function(items).items():
        kept.update(chosen(cases, known.get(function, UNKNOWN)["seconds"], seed))
    if config.getoption("--left-out-cases"):
        kept = set(items) - kept
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def sort_by_cost(items):
    """Puts the files that take longest first: xdist gives each file to a process, and the last ones should be short."""
    known, totals = costs(), {}
    for function, cases in by_function(items).items():
        cost = known.get(function, UNKNOWN)
        file = function.split("::")[0]
        totals[file] = totals.get(file, 0) + cost["setup"] + cost["seconds"] * len(cases)
    items.sort(key=lambda item: (-totals[item.path.name], item.path.name))
