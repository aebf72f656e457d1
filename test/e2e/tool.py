"""Calling the kiln program and judging how it ended."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import os
import pathlib
import re
import subprocess

import pytest

# Progress lines of steps that take seconds, which depend on the machine and its load.
PROGRESS = re.compile(r"^\[ *\d+\.\d s\] .*\n", re.MULTILINE)
ERROR = re.compile(r"^error: (KILN-E\d{4}): (.*)$", re.MULTILINE)


def binary(name="kiln"):
    return pathlib.Path(os.environ["KILN_BIN"]) / name


@dataclasses.dataclass
class Outcome:
    status: int
    stdout: str
    stderr: str

    @property
    def code(self):
        """The code of the first error, "KILN-E0123"; None if there is none."""
        match = ERROR.search(self.stderr)
        return match.group(1) if match else None

    @property
    def message(self):
        match = ERROR.search(self.stderr)
        return match.group(2) if match else ""


def call(*arguments, status=0, timeout=300, **options):
    """Runs kiln; fails the test unless it ends with `status` (None: any status, but no signal)."""
    command = [str(binary()), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout, **options)
    outcome = Outcome(done.returncode, done.stdout, PROGRESS.sub("", done.stderr))
    assert done.returncode >= 0, f"{command} was ended by signal {-done.returncode}\n{done.stderr}"
    if status is not None:
        assert done.returncode == status, f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}"
    return outcome


def assert_verified(package, devices, environment):
    """kiln verify finds every kernel equal to the reference, without a word of the simulator's detectors."""
    for device in devices:
        outcome = call("verify", package, "--device", device, env=environment)
        assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr


def data_file(name):
    """A file of the test data; skips the test where it is absent."""
    path = pathlib.Path(os.environ["KILN_TEST_DATA"]) / name
    if not path.exists():
        pytest.skip(f"{path} is absent (KILN_TEST_DATA names the folder of the test data)")
    return path


def assert_error(outcome, code, *words, status=3, parts=("expected ", "found ", "fix: ")):
    """The one shape every error has: code, exit status, what was expected and found, a fix, and the words that name
    the place."""
    text = outcome.stderr
    assert outcome.status == status, f"exit status {outcome.status}, expected {status}:\n{text}"
    assert outcome.code == code, text
    for part in (*parts, *words):
        assert part in outcome.message, f"{part!r} is not in: {outcome.message}"
    assert len(ERROR.findall(text)) >= 1 and "Traceback" not in text
