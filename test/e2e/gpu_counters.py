"""What kernels of small models cost on the simulated GPU, by its counters, for the tests that pin it."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import json
import re

import numpy as np
import onnx
import tool
from onnx import TensorProto, helper

DEVICES = {"sm_80": "sim:a100", "sm_90a": "sim:h200"}
# Devices of targets on which few kernels differ.
OTHER_DEVICES = {"sm_120a": "sim:rtx5090"}
BYTES = {"FLOAT": 4, "FLOAT16": 2, "BFLOAT16": 2}
SECTOR = 32
CONFIG = re.compile(r"config = #tile\.(\w+)_config<([^>]*)>")
FIELD = re.compile(r"(\w+) = (-?\d+)\b")


@dataclasses.dataclass
class Launch:
    """One launch: its counters, and the lines of its PTX."""

    counters: dict
    text: list

    @property
    def bytes(self):
        return self.counters["global"]["bytes"]

    @property
    def distinct(self):
        """Bytes of the sectors that were touched at all."""
        return self.counters["global"]["distinct_sectors"] * SECTOR

    @property
    def tensor_flops(self):
        return self.counters["flops"].get("tensor", 0)

    def loops(self):
        """(first, last) line of each loop, by its branch backwards."""
        labels = {}
        for number, line in enumerate(self.text, 1):
            if label := re.match(r"(\$L\w+):", line):
                labels[label[1]] = number
        for number, line in enumerate(self.text, 1):
            branch = re.search(r"\bbra(?:\.uni)?\s+(\$L\w+)", line)
            if branch and labels[branch[1]] <= number:
                yield labels[branch[1]], number


def kernels(folder):
    """The code of the kernels that a compile left there, line by line: what graph.kernel says of them is left out."""
    code = (folder / "3-code.mlir").read_text()
    return "\n".join(line for line in code.splitlines() if "graph.kernel" not in line)


def measure(model, folder, driver, target, *options, dims=None):
    """Compiles a model and runs it once, at `dims` (NAME=VALUE,...) if it has symbols: its launches in order."""
    package, where = folder / "counted.kiln", folder / "counters.json"
    tool.call("compile", model, "-o", package, "--target", target, "--save-temps", folder / "ir", *options)
    tool.call("inspect", package, "--ptx", folder / "ptx")
    where.unlink(missing_ok=True)
    # A single order of warps: counters do not depend on it.
    at = ["--dims", dims] if dims else []
    tool.call("run", package, "--device", {**DEVICES, **OTHER_DEVICES}[target], *at, env={**driver, "KILN_SIM_COUNTERS": str(where)})
    texts = [path.read_text() for path in (folder / "ptx" / target).glob("*.ptx")]
    launches = []
    for line in where.read_text().splitlines():
        counters = json.loads(line)
        [text] = [text for text in texts if re.search(rf"\.entry {counters['kernel']}\b", text)]
        launches.append(Launch(counters, text.splitlines()))
    return launches


def write_model(path, nodes, inputs, outputs, kind="FLOAT", constants=(), opset=17):
    """`nodes`: (op, inputs, output, attributes); `inputs` and `outputs`: dims by name; what is not listed has the type
    `kind`."""
    element = getattr(TensorProto, kind)
    graph = helper.make_graph(
        [helper.make_node(op, sources, [output], **attributes) for op, sources, output, attributes in nodes],
        "counted",
        [helper.make_tensor_value_info(name, element, dims) for name, dims in inputs.items()],
        [helper.make_tensor_value_info(name, element, dims) for name, dims in outputs.items()],
        [onnx.numpy_helper.from_array(np.asarray(array), name) for name, array in dict(constants).items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9), path)
    return path


def ceil(a, b):
    return -(-a // b)
