"""Models whose weights ONNX Runtime's kernels take in few bits."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx
from onnx import helper, numpy_helper

BLOCK = 32


def to_matmul_nbits(source, target, bits=4, accuracy_level=4):
    """Every MatMul of an f32 weight as com.microsoft MatMulNBits: blocks of 32 along K with zero points, rounded to nearest.

    With accuracy level 4 ONNX Runtime quantizes activations to 8 bits as well, which is its fastest kernel.
    """
    model = onnx.load(source)
    weights = {tensor.name: tensor for tensor in model.graph.initializer}
    nodes, used = [], set()
    for node in model.graph.node:
        if node.op_type == "MatMul" and node.input[1] in weights:
            weight = numpy_helper.to_array(weights[node.input[1]]).astype(np.float32)
            if weight.ndim == 2 and weight.shape[0] % BLOCK == 0:
                used.add(node.input[1])
                node = _node(model.graph, node, weight, bits, accuracy_level)
        nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    still_read = {name for node in nodes for name in node.input}
    kept = [tensor for tensor in model.graph.initializer if tensor.name in still_read or tensor.name not in used]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    if not any(opset.domain == "com.microsoft" for opset in model.opset_import):
        model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, target)


def _node(graph, node, weight, bits, accuracy_level):
    k, n = weight.shape
    blocks = weight.T.reshape(n, k // BLOCK, BLOCK)
    low, high = np.minimum(blocks.min(2), 0), np.maximum(blocks.max(2), 0)
    top = 2**bits - 1
    scales = np.maximum((high - low) / top, 1e-12).astype(np.float32)
    zeros = np.clip(np.round(-low / scales), 0, top).astype(np.uint8)
    codes = np.clip(np.round(blocks / scales[..., None]) + zeros[..., None], 0, top).astype(np.uint8)
    if bits == 4:
        codes = codes[..., 0::2] | codes[..., 1::2] << 4
        pairs = np.pad(zeros, ((0, 0), (0, zeros.shape[1] % 2)))
        zeros = pairs[:, 0::2] | pairs[:, 1::2] << 4
    names = []
    for suffix, array in (("codes", codes), ("scales", scales.reshape(-1)), ("zeros", zeros.reshape(-1))):
        names.append(f"{node.input[1]}_{node.name}_{suffix}")
        graph.initializer.append(numpy_helper.from_array(array, names[-1]))
    return helper.make_node("MatMulNBits", [node.input[0], *names], node.output, name=node.name, domain="com.microsoft", K=k, N=n,
                            bits=bits, block_size=BLOCK, accuracy_level=accuracy_level)
