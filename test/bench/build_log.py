"""Reading what builds and tests leave behind: ninja's log and its list of includes, and ctest's log."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import os
import pathlib
import re

TARGET = re.compile(r"(?:^|/)CMakeFiles/([^/]+)\.dir/")
STEP = re.compile(r"^\[\d+/\d+\] .*? (\S+\.o)$")
SOURCES = (".c", ".cc", ".cpp", ".cxx")
TEST = re.compile(r"^\d+/\d+ Testing: (?P<name>.*?)$.*?^Output:\n-+\n(?P<output>.*?)^<end of output>\nTest time = +(?P<seconds>[\d.]+) sec",
                  re.MULTILINE | re.DOTALL)
# A test case in the output of lit (with --time-tests), GoogleTest and pytest (with --durations).
LIT = re.compile(r"^(\d+\.\d+)s: (\w+ :: .*)$", re.MULTILINE)
GTEST = re.compile(r"^\[       OK \] (\S+?)(?:, where .*)? \((\d+) ms\)$", re.MULTILINE)
PYTEST = re.compile(r"^(\d+\.\d+)s (call|setup) +(.*)$", re.MULTILINE)


def steps(text):
    """{output: seconds} of .ninja_log; of an output that was made several times the last time counts."""
    found = {}
    for line in text.splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        found[output] = (int(end) - int(begin)) / 1e3
    return found


def once(text):
    """The same with one output of each step: one command may make several."""
    rows = {tuple(line.split("\t")[i] for i in (0, 1, 4)): line.split("\t")[3] for line in text.splitlines()[1:]}
    seconds = steps(text)
    return {output: seconds[output] for output in rows.values()}


def target_of(output):
    """The target of CMake that an output belongs to, as far as its path says."""
    if match := TARGET.search(output):
        return match[1]
    name = pathlib.PurePosixPath(output).name
    if name.endswith((".inc", ".inc.d")):
        return "TableGen"
    return re.sub(r"^lib|\.(a|so|cpython.*)$", "", name) if output.startswith(("bin/", "lib/")) else "other"


def by_target(text):
    """{target: {"steps", "seconds"}}, the longest first. Seconds are of one CPU as long as there were no more steps than CPUs."""
    totals = collections.defaultdict(lambda: {"steps": 0, "seconds": 0.0})
    for output, seconds in once(text).items():
        total = totals[target_of(output)]
        total["steps"] += 1
        total["seconds"] += seconds
    return dict(sorted(totals.items(), key=lambda item: -item[1]["seconds"]))


def includes(text, source, build):
    """{header of the source tree: how many objects read it} of `ninja -t deps`, the most included first. Paths may be relative to the
    build folder, as the compiler's cache makes them."""
    counts = collections.Counter()
    for line in text.splitlines():
        if not line.startswith("    "):
            continue
        path = pathlib.PurePosixPath(os.path.normpath(os.path.join(build, line.strip())))
        if path.is_relative_to(source) and path.suffix not in SOURCES and not path.relative_to(source).parts[0].startswith("build"):
            counts[str(path.relative_to(source))] += 1
    return dict(counts.most_common())


def objects(text):
    """The objects that `ninja -n` would make."""
    return [match[1] for line in text.splitlines() if (match := STEP.match(line))]


def tests(text):
    """{test: (seconds, output)} of ctest's LastTest.log."""
    return {match["name"]: (float(match["seconds"]), match["output"]) for match in TEST.finditer(text)}


def cases(test, output):
    """[(seconds, name)] of the cases that a test's output gives times of."""
    found = [(float(seconds), name) for seconds, name in LIT.findall(output)]
    found += [(int(milliseconds) / 1e3, f"{test}: {name}") for name, milliseconds in GTEST.findall(output)]
    return found + [(float(seconds), name + (" (set-up)" if phase == "setup" else "")) for seconds, phase, name in PYTEST.findall(output)]
