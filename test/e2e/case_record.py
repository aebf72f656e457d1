"""Writes one line of JSON per case to the file that --case-record names: its outcome, the reason, and the seconds of its phases."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib


def add_options(parser):
    parser.getgroup("cases").addoption("--case-record", type=pathlib.Path, metavar="FILE", help="append each case's outcome and seconds")


def configure(config):
    """With xdist the first process alone hears of all cases."""
    path = config.getoption("--case-record")
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


class Recorder:
    def __init__(self, path):
        self.path, self.rows = path, {}

    def pytest_runtest_logreport(self, report):
        row = self.rows.setdefault(report.nodeid, {"case": report.nodeid, "outcome": "passed", "reason": ""})
        row[report.when] = round(report.duration, 3)
        if report.failed or (report.skipped and row["outcome"] == "passed"):
            row["outcome"], row["reason"] = report.outcome, reason_of(report)
        if report.when == "teardown":
            with self.path.open("a") as file:
                file.write(json.dumps(self.rows.pop(report.nodeid)) + "\n")
