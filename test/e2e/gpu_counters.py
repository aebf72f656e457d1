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
# Of targets that few kernels differ on.
OTHER_DEVICES = {"sm_120a": "sim:rtx5090"}
BYTES = {"FLOAT": 4, "FLOAT16": 2, "BFLOAT16": 2}
SECTOR = 32
CONFIG = re.compile(r"config = #tile\.(\w+)_config<([^>]*)>")
FIELD = re.compile(r"(\w+) = (-?\d+)\b")
LIST = re.compile(r"(\w+) = \[([\d, ]*)\]")
# What the loops have in them that wait for operands.
WAITS = re.compile(r"cp\.async\.wait_group|mbarrier\.try_wait")


@dataclasses.dataclass
class Launch:
    """One launch: its counters, the lines of its PTX, and its config as (kind, numbers and lists of them by name)."""

    counters: dict
    text: list
    kind: str
    config: dict

    @property
    def bytes(self):
        return self.counters["global"]["bytes"]

    @property
    def distinct(self):
        """Bytes of the sectors that were touched at all."""
        return self.counters["global"]["distinct_sectors"] * SECTOR

    @property
    def efficiency(self):
        """Of the sectors that single accesses touch, the part that was asked for."""
        return self.bytes / (self.counters["global"]["sectors"] * SECTOR)

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

    def main_loops(self):
        """Those that wait for operands, not the loop over tiles of results around them. Where the loop is written out,
        everything up to the ticket of blocks that share K, if they do."""
        assert any(WAITS.search(line) for line in self.text)
        found = [(a, b) for a, b in self.loops() if any(WAITS.search(line) for line in self.text[a - 1 : b])]
        found = [(a, b) for a, b in found if not any(a < c and d < b for c, d in found)]
        ticket = next((n for n, line in enumerate(self.text, 1) if "atom.acq_rel" in line), len(self.text))
        return found or [(1, ticket)]

    def conflicts_in_main_loops(self):
        loops = self.main_loops()
        return {
            self.text[line - 1].strip(): count
            for line, count in self.counters["shared"]["conflict_lines"]
            if any(a <= line <= b for a, b in loops)
        }


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
    # One order of warps: what is counted depends on none.
    at = ["--dims", dims] if dims else []
    tool.call("run", package, "--device", {**DEVICES, **OTHER_DEVICES}[target], *at, env={**driver, "KILN_SIM_COUNTERS": str(where)})
    texts = [path.read_text() for path in (folder / "ptx" / target).glob("*.ptx")]
    configs = CONFIG.findall(kernels(folder / "ir"))
    kind, numbers = configs[0] if configs else ("", "")
    config = {name: int(value) for name, value in FIELD.findall(numbers)}
    config |= {name: [int(value) for value in values.split(",")] for name, values in LIST.findall(numbers)}
    launches = []
    for line in where.read_text().splitlines():
        counters = json.loads(line)
        [text] = [text for text in texts if re.search(rf"\.entry {counters['kernel']}\b", text)]
        launches.append(Launch(counters, text.splitlines(), kind, config))
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
