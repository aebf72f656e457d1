#!/usr/bin/env python3
"""Adds ONNX's multi-device annotations (IR 11) to an encoder or decoder, as a framework that shards models writes them.

  annotate.py model.onnx -o annotated.onnx --devices 4 --stages 2

Weights of the first products of a block (query, key, value, gate, up, the first of a feed-forward network) are sharded by
columns, those of the second ones (output projections) by rows, all others are replicated. Layers are divided into stages of
equally many layers, and each stage has `devices / stages` devices.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import sys

import onnx

COLUMNS = re.compile(r"(query|key|value|intermediate/dense|q_proj|k_proj|v_proj|gate_proj|up_proj)(/|$)")
ROWS = re.compile(r"(output/dense|o_proj|down_proj)(/|$)")
LAYER = re.compile(r"(?:layers?|h|block)[./](\d+)")
IR_VERSION = 11
NAME = "devices"


def annotate(model, devices, stages=1):
    """Annotates a ModelProto in place for a configuration named NAME."""
    if devices < 1 or stages < 1 or devices % stages:
        raise ValueError(f"{stages} stages do not divide {devices} devices")
    model.ir_version = max(model.ir_version, IR_VERSION)
    model.configuration.add(name=NAME, num_devices=devices)
    layers = [int(found[1]) for node in model.graph.node if (found := LAYER.search(node.name))]
    count = max(layers, default=0) + 1
    weights = {tensor.name: tensor for tensor in model.graph.initializer}
    stage = 0
    for node in model.graph.node:
        if found := LAYER.search(node.name):
            stage = int(found[1]) * stages // count
        elif layers and "embed" not in node.name and stage:
            stage = stages - 1  # behind the last layer
        own = node.device_configurations.add(configuration_id=NAME)
        if stages > 1:
            own.pipeline_stage = stage
        group = range(stage * (devices // stages), (stage + 1) * (devices // stages))
        for name in node.input:
            if name in weights and devices > stages:
                add_spec(own, weights[name], node, list(group))


def add_spec(own, weight, node, group):
    """How one weight of a node is divided among a group of devices."""
    spec = own.sharding_spec.add(tensor_name=weight.name)
    rank, axis = len(weight.dims), None
    if COLUMNS.search(node.name):
        axis = rank - 1  # a bias, too
    elif ROWS.search(node.name) and rank == 2:
        axis = 0
    if axis is None or not weight.dims:
        spec.device.append(-1)
        spec.index_to_device_group_map.add(key=-1, value=group)
        return
    spec.device.extend(group)
    dim = spec.sharded_dim.add(axis=axis)
    dim.simple_sharding.add(dim_value=weight.dims[axis], num_shards=len(group))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--devices", type=int, required=True)
    parser.add_argument("--stages", type=int, default=1)
    arguments = parser.parse_args()
    try:
        model = onnx.load(arguments.model)
        annotate(model, arguments.devices, arguments.stages)
        onnx.save(model, arguments.output)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
