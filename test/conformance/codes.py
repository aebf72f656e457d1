"""Codes of quantized activations, which two right programs may round to different sides of a tie.

A value of 25.500004 scales has code 26, and one of 25.499996 has code 25. Two programs that differ in the last bit of an
f32 sum can so differ by a whole code, and in everything behind it by more than any rounding of f32 explains.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

NEAR = 1e-4  # scales: how near to the middle of two codes a value is that may have either


def show(path, result):
    """Writes the model with the codes, scales and inputs of its DynamicQuantizeLinear as outputs; [(input, codes, scale)]
    in the order of the nodes, which is topological."""
    import onnx

    model = onnx.load(path)
    nodes = [node for node in model.graph.node if node.op_type == "DynamicQuantizeLinear"]
    types = {}
    for node in nodes:
        types[node.input[0]] = types[node.output[1]] = onnx.TensorProto.FLOAT
        types[node.output[0]] = onnx.TensorProto.UINT8
    known = {value.name for value in [*model.graph.input, *model.graph.output]}
    for name, type in types.items():
        if name not in known:
            model.graph.output.append(onnx.helper.make_tensor_value_info(name, type, None))
    onnx.save(model, result)
    return [(node.input[0], node.output[0], node.output[1]) for node in nodes]


def first_difference_is_tie(quantized, found, expected):
    """Both map names to arrays. The first tensor of codes that differs does so by one, and only near ties."""
    import numpy as np

    for value, code, scale in quantized:
        differ = found[code] != expected[code]
        if not differ.any():
            continue
        step = np.abs(found[code].astype(int) - expected[code])[differ]
        exact = expected[value][differ] / expected[scale]
        return bool((step == 1).all() and (np.abs(exact - np.floor(exact) - 0.5) < NEAR).all())
    return False


def with_exact_sums(model):
    """The model with every MatMulInteger in double precision. ONNX Runtime adds pairs of products of unsigned and signed
    integers in 16 bits, which saturate, on CPUs without VNNI: there it is no judge."""
    from onnx import TensorProto, helper

    nodes = []
    for node in model.graph.node:
        if node.op_type != "MatMulInteger":
            nodes.append(node)
            continue
        output, factors = node.output[0], []
        for index in (0, 1):
            wide, zero, factor = (f"{output}_{index}_{role}" for role in ("wide", "zero", "factor"))
            nodes.append(helper.make_node("Cast", [node.input[index]], [wide], to=TensorProto.DOUBLE))
            if len(node.input) > index + 2 and node.input[index + 2]:
                nodes.append(helper.make_node("Cast", [node.input[index + 2]], [zero], to=TensorProto.DOUBLE))
                nodes.append(helper.make_node("Sub", [wide, zero], [factor]))
            else:
                factor = wide
            factors.append(factor)
        nodes.append(helper.make_node("MatMul", factors, [output + "_sums"]))
        nodes.append(helper.make_node("Cast", [output + "_sums"], [output], to=TensorProto.INT32))
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model
