"""Which cases of a function an ordinary run has.

A function of test/e2e is one behaviour, and its parameters make many cases of it. An ordinary run takes as many cases of each as
SECONDS pay for, and at least one. Functions that take longer than LONG, or whose file sets up packages for that long, take turns:
they are dealt out among as many runs as it takes to spend no more than LONG_SECONDS on them in each.

Which cases a run has depends on the commit, so that those that it leaves out come with another commit; a number given by
--case-seed or KILN_CASE_SEED decides it instead, and the numbers that follow take the other cases in turn. costs.json has the CPU
seconds of each function, as all_cases.py measured them.

`--all-cases` runs every case, `--left-out-cases` the ones that an ordinary run with the same number leaves out.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import math
import os
import pathlib
import subprocess

SEED = "KILN_CASE_SEED"
COSTS = pathlib.Path(__file__).resolve().parent / "costs.json"
SECONDS = 0.5  # CPU seconds for the cases of a function
LONG = 3.0
LONG_SECONDS = 90.0
UNKNOWN = {"seconds": SECONDS, "setup": 0.0, "cases": 0}
FEW = 3  # with fewer cases, the setup of one case cannot be told from that shared by all


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
    part = "those that an ordinary run leaves out" if config.getoption("--left-out-cases") else "some of each function, long ones in turn"
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


def seconds_of_case(cost):
    return cost["seconds"] + (cost["setup"] if cost["cases"] < FEW else 0)


def chosen(cases, seconds, seed):
    """Every n-th case, so that they cost little; the same ones of functions with equal parameters, which share fixtures."""
    count = max(1, min(len(cases), int(SECONDS / max(seconds, 1e-3))))
    parts = -(-len(cases) // count)
    return cases[seed % parts :: parts]


def long_groups(costs_of):
    """{what takes turns: its seconds}, of {function: cost}: a file, where its functions share what takes long, or a function."""
    setups = {}
    for function, cost in costs_of.items():
        file = function.split("::")[0]
        setups[file] = setups.get(file, 0) + cost["setup"]
    groups = {}
    for function, cost in costs_of.items():
        file = function.split("::")[0]
        seconds = cost["setup"] + cost["seconds"]
        if setups[file] > LONG:
            groups[file] = groups.get(file, 0) + seconds
        elif seconds > LONG:
            groups[function] = seconds
    return groups


def turns(groups):
    """Lists of groups, one for each run in turn, that take about equally long."""
    count = max(1, math.ceil(sum(groups.values()) / LONG_SECONDS))
    dealt = [(0.0, number, []) for number in range(count)]
    for name in sorted(groups, key=lambda name: (-groups[name], name)):
        seconds, number, names = min(dealt)
        dealt[dealt.index((seconds, number, names))] = (seconds + groups[name], number, [*names, name])
    return [names for _, _, names in dealt]


def numbers(functions, known, seed):
    """{function: the number that chooses its cases}, without those whose turn it is not. What takes turns counts its own ones, or
    a function with two cases that runs every second time would have the same one each time."""
    groups = long_groups({function: known.get(function, UNKNOWN) for function in functions})
    dealt = turns(groups)
    now = set(dealt[seed % len(dealt)])
    found = {}
    for function in functions:
        group = next((name for name in (function, function.split("::")[0]) if name in groups), None)
        if group is None:
            found[function] = seed
        elif group in now:
            found[function] = seed // len(dealt)
    return found


def select(config, items):
    """Takes the cases away that do not belong to this run."""
    if config.getoption("--all-cases"):
        return
    known, groups = costs(), by_function(items)
    kept = set()
    for function, number in numbers(groups, known, int(os.environ[SEED])).items():
        kept.update(chosen(groups[function], seconds_of_case(known.get(function, UNKNOWN)), number))
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
