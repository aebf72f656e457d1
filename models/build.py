#!/usr/bin/env python3
"""Builds ONNX models of the BERT family.

  build.py minilm --weights DIR -o minilm.onnx     all-MiniLM-L6-v2 from its checkpoint folder
  build.py checkpoint DIR -o model.onnx            any BERT checkpoint (config.json, model.safetensors)
  build.py bert-base --seed 0 -o f.onnx            the shape of BERT-base with seeded weights
  build.py minilm-shape --seed 0 -o f.onnx         the shape of MiniLM with seeded weights
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import dataclasses
import sys

from bert import config as shapes
from bert import encoder, save, weights


def main():
    arguments = parse_arguments()
    try:
        config, values, outputs = arguments.load(arguments)
        model, initializers = encoder.build(config, values, outputs, arguments.decomposed_norm)
        save.save(model, initializers, arguments.output, arguments.external)
    except (OSError, KeyError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    return 0


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="MODEL")
    minilm = add_command(commands, "minilm", load_checkpoint)
    minilm.add_argument("--weights", required=True, dest="folder", metavar="DIR")
    checkpoint = add_command(commands, "checkpoint", load_checkpoint)
    checkpoint.add_argument("folder", metavar="DIR")
    add_seeded(commands, "bert-base", shapes.BERT_BASE, shapes.Outputs())
    add_seeded(commands, "minilm-shape", shapes.MINILM, shapes.Outputs(sentence=True, normalize=True))
    return parser.parse_args()


def add_command(commands, name, load):
    command = commands.add_parser(name)
    command.set_defaults(load=load)
    command.add_argument("-o", "--output", required=True)
    command.add_argument("--decomposed-norm", action="store_true", help="spell LayerNormalization in parts")
    command.add_argument("--external", action="store_true", help="weights beside the model, in OUTPUT.data")
    command.add_argument("--pooler", action="store_true", help="add pooler_output")
    return command


def add_seeded(commands, name, config, outputs):
    command = add_command(commands, name, load_seeded)
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--layers", type=int, default=config.layers)
    command.set_defaults(config=config, outputs=outputs)


def load_checkpoint(arguments):
    outputs = dataclasses.replace(shapes.read_outputs(arguments.folder), pooler=arguments.pooler)
    return shapes.read_config(arguments.folder), weights.read_checkpoint(arguments.folder), outputs


def load_seeded(arguments):
    config = dataclasses.replace(arguments.config, layers=arguments.layers)
    outputs = dataclasses.replace(arguments.outputs, pooler=arguments.pooler)
    return config, weights.seeded(config, arguments.seed, arguments.pooler), outputs


if __name__ == "__main__":
    sys.exit(main())
