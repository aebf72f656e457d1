#!/usr/bin/env python3
"""Does what Kiln's errors say. Every model of exporter-models, new-architectures and bug-reports is compiled without flags and, where
it comes with inputs, run with them; where either is an error, the options that its `fix` names are tried one after the other, alone and with
those that warnings name, and the results are compared with those that come with the model. Prints a table of all refusals; --table writes it.

  build/venv/bin/python test/conformance/refusals.py --kiln build/bin/kiln --data ../shared/data --work build/conformance

`right`: with the option the model gives the results that it should. `compiles`: there are none to compare with. `invalid`: ONNX Runtime
refuses the model, too. `unsupported`: the error names no option, and says why. `misleading`: an option was named and did not work;
the exit status is then 1.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import dataclasses
import pathlib
import subprocess
import sys
import tarfile

import numpy as np
import onnxruntime
from advice import error_of, options_of

ARCHIVES = ("bug-reports.tar.xz", "exporter-models.tar.xz", "new-architectures.tar.xz")
TOLERANCE = 2e-3
# A mask of the lowest number of f16 that is added twice is minus infinity in f16, as in ONNX Runtime; the sample expects sums in f64.
UNJUDGED = ("bug-reports/f16-sentinel-f16-model-twice",)


@dataclasses.dataclass
class Refusal:
    model: str
    code: str
    message: str
    fix: str
    option: str
    outcome: str


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--data", type=pathlib.Path, required=True, help=f"the folder of {', '.join(ARCHIVES)}")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="where they are unpacked")
    parser.add_argument("--table", type=pathlib.Path, help="write the table here")
    return parser.parse_args()


def cases(model):
    """Inputs and expected outputs, by number, of the sample's one case; None where it has none of its own."""
    inputs, outputs = model.with_name("inputs.npz"), model.with_name("expected.npz")
    return (dict(np.load(inputs)), dict(np.load(outputs))) if inputs.exists() and outputs.exists() else None


def is_near(found, expected):
    if found.shape != expected.shape:
        return False
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    scale = 1 + np.abs(expected[np.isfinite(expected)]).max(initial=0)
    return np.allclose(found / scale, expected / scale, rtol=0, atol=TOLERANCE, equal_nan=True)


class Trial:
    """Compiles a model, and runs it with its case."""

    def __init__(self, settings, model):
        sys.path.insert(0, str(settings.kiln.resolve().parents[1] / "python"))
        import kiln

        self.kiln, self.program, self.model, self.warnings = kiln, settings.kiln, model, ""
        self.case = None if str(model.parent).endswith(UNJUDGED) else cases(model)
        self.package = settings.work / "refusals.kiln"

    def error(self, options):
        """(code, message, fix), or None where all is right."""
        command = [self.program, "compile", self.model, "-o", self.package, *options]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600)
        self.warnings = "\n".join(line for line in done.stderr.splitlines() if line.startswith("warning: "))
        if done.returncode:
            return error_of(done.stderr) or ("E0900", done.stderr, "")
        if not self.case:
            return None
        inputs, expected = self.case
        try:
            session = self.kiln.Session(self.package)
            wanted = {tensor.name for tensor in session.inputs}
            found = list(session.run({name: value for name, value in inputs.items() if name in wanted}).values())
        except self.kiln.Error as error:
            return error_of(str(error))
        wrong = [i for i, value in enumerate(found) if str(i) in expected and not is_near(value, expected[str(i)])]
        return ("wrong", f"outputs {wrong}", "") if wrong else None


def runs_elsewhere(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception:  # its errors have no common class
        return False
    return True


def refusal_of(settings, model, name):
    """None for a model that compiles, and runs if it can."""
    trial = Trial(settings, model)
    error = trial.error([])
    if not error:
        return None
    code, message, fix = error
    refusal = Refusal(name, code, message, fix, "", "unsupported" if runs_elsewhere(model) else "invalid")
    named = options_of(fix)
    for option in named + [first + second for first in named for second in options_of(trial.warnings)]:
        refusal.option = " ".join(option)
        if trial.error(option) is None:
            refusal.outcome = "right" if trial.case else "compiles"
            return refusal
        refusal.outcome = "misleading"
    return refusal


def unpack(settings):
    """(path, name) of all models."""
    for name in ARCHIVES:
        folder = settings.work / name.split(".")[0]
        with tarfile.open(settings.data / name) as archive:
            archive.extractall(folder)
        for path in sorted(folder.rglob("*.onnx")):
            yield path, str(path.relative_to(folder)).removesuffix("/model.onnx")


def table(refusals, count):
    lines = ["# Refused models, and their errors' advice", "", "Made by `test/conformance/refusals.py`, which says what the columns mean: "
             f"{count} models, {len(refusals)} refused.", "", "| model | error | fix | option | outcome |", "| --- | --- | --- | --- | --- |"]  # fmt: skip
    for refusal in refusals:
        cells = (refusal.model, f"{refusal.code}: {refusal.message}", refusal.fix, refusal.option, refusal.outcome)
        lines.append("| " + " | ".join(cell.replace("|", "/").replace("\n", " ") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    settings = arguments()
    settings.work.mkdir(parents=True, exist_ok=True)
    models = list(unpack(settings))
    refusals = [refusal for path, name in models if (refusal := refusal_of(settings, path, name))]
    text = table(refusals, len(models))
    for archive in ARCHIVES:
        text = text.replace(f"{settings.work / archive.split('.')[0]}/", "")
    if settings.table:
        settings.table.write_text(text)
    print(text)
    return any(refusal.outcome in ("misleading", "wrong") or refusal.code in ("wrong", "E0900") for refusal in refusals)


if __name__ == "__main__":
    sys.exit(main())
