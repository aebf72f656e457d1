#!/usr/bin/env python3
"""Writes model.safetensors, in bf16, from a checkpoint of train.py.

  export.py FOLDER/checkpoint.npz -o model.safetensors
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from decoder import config, weights

FOLDER = pathlib.Path(__file__).resolve().parent


def read(path):
    """The mean of the last weights of a checkpoint: it is better than the weights of the last step."""
    stored = np.load(path)
    found = {key.removeprefix("mean/"): stored[key] for key in stored.files if key.startswith("mean/")}
    weights.check(found, weights.shapes(config.read_config(FOLDER)))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("-o", "--output", default=FOLDER / "model.safetensors")
    arguments = parser.parse_args()
    weights.write_checkpoint(arguments.output, read(arguments.checkpoint))


if __name__ == "__main__":
    main()
