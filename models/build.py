#!/usr/bin/env python3
"""Builds ONNX models of the BERT family and of decoders.

  build.py minilm --weights DIR -o minilm.onnx     all-MiniLM-L6-v2 from its checkpoint folder
  build.py checkpoint DIR -o model.onnx            any BERT checkpoint (config.json, model.safetensors)
  build.py bert-base --seed 0 -o f.onnx            the shape of BERT-base with seeded weights
  build.py minilm-shape --seed 0 -o f.onnx         the shape of MiniLM with seeded weights
  build.py tinylm --spelling gqa -o tinylm.onnx    tinylm, the byte-level model that ships with the project
  build.py llama DIR -o model.onnx                 any Llama checkpoint (config.json, model.safetensors)
  build.py llama-110m --dtype f32 -o f.onnx        a Llama of 110 million parameters with seeded weights
  build.py llama-1b --external -o f.onnx           a Llama of 1.1 billion parameters; its weights are written in blocks
  build.py llama-70b --no-weights -o f.onnx        a Llama of 70 billion parameters without their values, for kiln estimate
  build.py small qwen3 -o f.onnx                   a small model of a family with seeded weights
  build.py gpt2 --layers 2 -o f.onnx               the shape of GPT-2 with seeded weights

Decoders come in three spellings: `past` (keys and values as past and present, everything in parts, as torch.onnx.export and
optimum write it), `gqa` (com.microsoft GroupQueryAttention, onnxruntime-genai) and `scatter` (opset 24, TensorScatter).
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import dataclasses
import pathlib
import sys

import numpy as np

from bert import config as shapes
from bert import encoder, save, weights
from decoder import config as decoder_shapes
from decoder import gpt2, gqa, past, scatter
from decoder import weights as decoder_weights

SPELLINGS = {"past": past.build, "gqa": gqa.build, "scatter": scatter.build}
DECODERS = {
    "llama-110m": decoder_shapes.LLAMA_110M,
    "llama-1b": decoder_shapes.LLAMA_1B,
    "llama-70b": decoder_shapes.LLAMA_70B,
}
DTYPES = {"bf16": decoder_weights.BF16, "f32": np.dtype(np.float32)}
TINYLM = pathlib.Path(__file__).resolve().parent / "tinylm"


def main():
    arguments = parse_arguments()
    try:
        model, initializers = arguments.make(arguments)
        save.save(model, initializers, arguments.output, arguments.external, arguments.no_weights)
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
    add_decoders(commands)
    return parser.parse_args()


def add_output(commands, name, make):
    command = commands.add_parser(name)
    command.set_defaults(make=make)
    command.add_argument("-o", "--output", required=True)
    command.add_argument("--external", action="store_true", help="weights beside the model, in OUTPUT.data")
    command.add_argument("--no-weights", action="store_true", help="the same without writing OUTPUT.data: shapes alone")
    return command


def add_command(commands, name, load):
    command = add_output(commands, name, make_encoder)
    command.set_defaults(load=load)
    command.add_argument("--decomposed-norm", action="store_true", help="spell LayerNormalization in parts")
    command.add_argument("--pooler", action="store_true", help="add pooler_output")
    return command


def add_decoders(commands):
    add_decoder(commands, "tinylm", make_checkpoint).set_defaults(folder=TINYLM)
    add_decoder(commands, "llama", make_checkpoint).add_argument("folder", metavar="DIR")
    for name, config in DECODERS.items():
        add_seed(add_decoder(commands, name, make_decoder), config)
    small = add_decoder(commands, "small", make_small)
    small.add_argument("family", choices=sorted(decoder_shapes.FAMILIES))
    add_seed(small, decoder_shapes.FAMILIES["llama"])
    add_seed(add_output(commands, "gpt2", make_gpt2), decoder_shapes.Gpt2Config())


def add_decoder(commands, name, make):
    command = add_output(commands, name, make)
    command.add_argument("--spelling", choices=SPELLINGS, default="past")
    return command


def add_seed(command, config):
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--layers", type=int, default=config.layers)
    command.add_argument("--dtype", choices=DTYPES, default="bf16", help="of the stored weights; all compute in f32")
    command.set_defaults(config=config)


def make_encoder(arguments):
    config, values, outputs = arguments.load(arguments)
    return encoder.build(config, values, outputs, arguments.decomposed_norm)


def make_checkpoint(arguments):
    config = decoder_shapes.read_config(arguments.folder)
    return SPELLINGS[arguments.spelling](config, decoder_weights.read_checkpoint(arguments.folder))


def make_decoder(arguments):
    config = dataclasses.replace(arguments.config, layers=arguments.layers)
    values = decoder_weights.seeded(config, arguments.seed, DTYPES[arguments.dtype])
    return SPELLINGS[arguments.spelling](config, values)


def make_small(arguments):
    arguments.config = decoder_shapes.FAMILIES[arguments.family]
    return make_decoder(arguments)


def make_gpt2(arguments):
    config = dataclasses.replace(arguments.config, layers=arguments.layers)
    return gpt2.build(config, decoder_weights.gpt2_seeded(config, arguments.seed, DTYPES[arguments.dtype]))


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
