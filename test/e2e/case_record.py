"""Writes one line of JSON per case to the file that --case-record names: its outcome, the reason, and the seconds of its phases, by
the clock and of CPUs. Programs that a test starts count once they have ended."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import pathlib

import pytest


def add_options(parser):
    parser.getgroup("cases").addoption("--case-record", type=pathlib.Path, metavar="FILE", help="append each case's outcome and seconds")


def configure(config):
    """With xdist the first process alone hears of all cases, and the others measure."""
    path = config.getoption("--case-record")
    if path:
        config.pluginmanager.register(CpuClock())
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(path))


def reason_of(report):
    """What a skip says, or the last line of a failure."""
    if report.passed:
        return ""
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped: ")
    crash = getattr(report.longrepr, "reprcrash", None)
    return (crash.message if crash else str(report.longrepr)).strip().split("\n")[0]


def cpu_seconds():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class CpuClock:
    def __init__(self):
        self.last = cpu_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self):
        """Each phase ends with its report, and the next one begins."""
        report = yield
        now = cpu_seconds()
        report.cpu, self.last = now - self.last, now
        return report


class Recorder:
    def __init__(self, path):
        self.path, self.rows = path, {}

    def pytest_runtest_logreport(self, report):
        row = self.rows.setdefault(report.nodeid, {"case": report.nodeid, "outcome": "passed", "reason": ""})
        row[report.when], row[f"cpu_{report.when}"] = round(report.duration, 3), round(report.cpu, 3)
        if report.failed or (report.skipped and row["outcome"] == "passed"):
            row["outcome"], row["reason"] = report.outcome, reason_of(report)
        if report.when == "teardown":
            with self.path.open("a") as file:
                file.write(json.dumps(self.rows.pop(report.nodeid)) + "\n")
