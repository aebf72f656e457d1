#!/usr/bin/env python3
"""Writes cases in the form of ONNX's node tests, with the results of ONNX Runtime.

They cover what ONNX's own cases do not: the com.microsoft ops, and the meanings that ops had before opset 13.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

RANDOM = np.random.default_rng(0)
TYPES = {"float32": TensorProto.FLOAT, "int32": TensorProto.INT32, "int64": TensorProto.INT64, "bool": TensorProto.BOOL}
MICROSOFT = "com.microsoft"


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def ints(high, *shape):
    return RANDOM.integers(0, high, shape).astype(np.int32)


class Case:
    """One node. Inputs are arrays (None: absent); `symbolic` names the dims of inputs by index."""

    def __init__(self, name, op, inputs, outputs=1, domain="", opset=17, symbolic=None, constants=(), **attributes):
        self.name, self.op, self.inputs, self.outputs = name, op, inputs, outputs
        self.domain, self.opset, self.symbolic = domain, opset, symbolic or {}
        self.constants, self.attributes = constants, attributes

    def model(self):
        names = [f"i{i}" if value is not None else "" for i, value in enumerate(self.inputs)]
        wanted = range(self.outputs) if isinstance(self.outputs, int) else self.outputs
        results = [f"o{i}" if i in wanted else "" for i in range(max(wanted) + 1)]
        node = helper.make_node(self.op, names, results, name="node", domain=self.domain, **self.attributes)
        values, constants = [], []
        for i, (name, array) in enumerate(zip(names, self.inputs)):
            if array is None:
                continue
            if i in self.constants:
                constants.append(numpy_helper.from_array(array, name))
                continue
            dims = self.symbolic.get(i, array.shape)
            values.append(helper.make_tensor_value_info(name, TYPES[array.dtype.name], dims))
        outputs = [onnx.ValueInfoProto(name=name) for name in results if name]
        imports = [helper.make_opsetid("", self.opset), helper.make_opsetid(MICROSOFT, 1)]
        graph = helper.make_graph([node], "case", values, outputs, constants)
        return helper.make_model(graph, opset_imports=imports, ir_version=8)

    def write(self, folder):
        model = self.model()
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        feeds = {value.name: self.inputs[int(value.name[1:])] for value in model.graph.input}
        data = folder / self.name / "test_data_set_0"
        data.mkdir(parents=True, exist_ok=True)
        onnx.save(model, folder / self.name / "model.onnx")
        for i, array in enumerate(feeds.values()):
            (data / f"input_{i}.pb").write_bytes(numpy_helper.from_array(array).SerializeToString())
        for i, array in enumerate(session.run(None, feeds)):
            (data / f"output_{i}.pb").write_bytes(numpy_helper.from_array(np.asarray(array)).SerializeToString())


B, S, H, N, D = 2, 5, 12, 3, 4
BATCH = {0: ["batch", "seq", H]}


def attention_cases():
    x, w, b = floats(B, S, H), floats(H, 3 * H), floats(3 * H)
    masks = {
        "no_mask": None,
        "ends": np.array([3, 5], np.int32),
        "ends_and_starts": np.array([3, 5, 1, 0], np.int32),
        "mask_2d": np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32),
        "mask_3d": np.tril(np.ones((B, S, S), np.int32)),
    }
    for name, mask in masks.items():
        # A mask of [2 * batch] is told from one of [batch] by its size: static there.
        symbolic = None if name == "ends_and_starts" else BATCH
        yield Case(f"ms_attention_{name}", "Attention", [x, w, b, mask], domain=MICROSOFT, num_heads=N, symbolic=symbolic)
    yield Case("ms_attention_causal", "Attention", [x, w, b], domain=MICROSOFT, num_heads=N, unidirectional=1)
    yield Case("ms_attention_scale", "Attention", [x, w, b], domain=MICROSOFT, num_heads=N, scale=0.3)
    yield Case("ms_attention_bias", "Attention", [x, w, b, None, None, floats(B, N, S, S)], domain=MICROSOFT, num_heads=N)
    yield Case("ms_attention_past", "Attention", [x, w, b, None, floats(2, B, N, 3, D)], 2, MICROSOFT, num_heads=N)
    yield Case("ms_attention_past_causal", "Attention", [x, w, b, None, floats(2, B, N, 3, D)], 2, MICROSOFT,
               num_heads=N, unidirectional=1)
    yield Case("ms_attention_sizes", "Attention", [x, floats(H, 2 * H + 6), floats(2 * H + 6)], domain=MICROSOFT,
               num_heads=N, qkv_hidden_sizes=[H, H, 6])


def multi_head_cases():
    q, k, v = floats(B, S, H), floats(B, 7, H), floats(B, 7, H)
    make = lambda name, inputs, outputs=1, **kw: Case(f"ms_multi_head_attention_{name}", "MultiHeadAttention", inputs,
                                                      outputs, MICROSOFT, num_heads=N, **kw)
    yield make("plain", [q, k, v], symbolic={0: ["batch", "seq", H], 1: ["batch", "keys", H], 2: ["b", "k", H]})
    yield make("projection_bias", [q, k, v, floats(3 * H)])
    yield make("mask", [q, k, v, None, np.array([[1] * 7, [1] * 4 + [0] * 3], np.int32)])
    yield make("score_bias", [q, k, v, None, None, floats(1, N, S, 7)])
    yield make("past", [q, floats(B, S, H), floats(B, S, H), None, None, None, floats(B, N, 3, D), floats(B, N, 3, D)], 3)


def norm_cases():
    x, skip, gamma, beta, bias = floats(B, S, H), floats(B, S, H), floats(H), floats(H), floats(H)
    make = lambda name, op, inputs, outputs=1, **kw: Case(f"ms_{name}", op, inputs, outputs, MICROSOFT, symbolic=BATCH, **kw)
    yield make("skip_layer_norm", "SkipLayerNormalization", [x, skip, gamma, beta])
    yield make("skip_layer_norm_bias", "SkipLayerNormalization", [x, skip, gamma, beta, bias], [0, 3], epsilon=1e-5)
    yield make("skip_layer_norm_no_beta", "SkipLayerNormalization", [x, skip, gamma])
    yield make("skip_simplified", "SkipSimplifiedLayerNormalization", [x, skip, gamma, bias], [0, 3])
    yield make("bias_gelu", "BiasGelu", [x, bias])
    yield make("gelu", "Gelu", [x])
    yield make("fast_gelu", "FastGelu", [x])
    yield make("fast_gelu_bias", "FastGelu", [x, bias])
    yield make("quick_gelu", "QuickGelu", [x], alpha=1.5)
    yield Case("simplified_layer_norm", "SimplifiedLayerNormalization", [x, gamma], epsilon=1e-6)
    words, places, segments = floats(20, H), floats(9, H), floats(2, H)
    ids, kinds, mask = ints(20, B, S), ints(2, B, S), np.array([[1, 1, 1, 0, 0], [1] * 5], np.int32)
    embed = lambda name, inputs, outputs: Case(f"ms_embed_layer_norm_{name}", "EmbedLayerNormalization", inputs, outputs,
                                               MICROSOFT, symbolic={0: ["batch", "seq"], 1: ["batch", "seq"]})
    yield embed("full", [ids, kinds, words, places, segments, gamma, beta, mask], [0, 1, 2])
    yield embed("no_segments", [ids, None, words, places, None, gamma, beta], [0, 1])
    yield embed("position_ids", [ids, kinds, words, places, segments, gamma, beta, None, ints(9, B, S)], [0, 1])


def position_cases():
    make = lambda name, op, inputs, **kw: Case(f"ms_{name}", op, inputs, domain=MICROSOFT, **kw)
    table, places = lambda width: floats(9, width), RANDOM.integers(0, 9, (B, S)).astype(np.int64)
    start = np.array([2], np.int64)
    x = floats(B, S, N * 8)
    yield make("rotary", "RotaryEmbedding", [x, places, table(4), table(4)], num_heads=N, symbolic={0: ["batch", "seq", N * 8], 1: ["batch", "seq"]})
    yield make("rotary_start", "RotaryEmbedding", [x, start, table(4), table(4)])
    yield make("rotary_interleaved", "RotaryEmbedding", [x, places, table(4), table(4)], interleaved=1)
    yield make("rotary_heads", "RotaryEmbedding", [floats(B, N, S, 8), places, table(4), table(4)])
    yield make("rotary_part", "RotaryEmbedding", [x, places, table(2), table(2)], num_heads=N, rotary_embedding_dim=4)


def product_cases():
    make = lambda name, a, b, **kw: Case(f"ms_fused_matmul_{name}", "FusedMatMul", [a, b], domain=MICROSOFT, **kw)
    yield make("alpha", floats(2, 3, 4), floats(2, 4, 5), alpha=0.5)
    yield make("trans", floats(2, 4, 3), floats(2, 5, 4), transA=1, transB=1)
    yield make("trans_batch_a", floats(3, 2, 4), floats(2, 4, 5), transBatchA=1)
    yield make("trans_batch_b", floats(2, 3, 4), floats(4, 2, 5), transBatchB=1)
    yield make("trans_both", floats(4, 2, 3), floats(2, 4, 5), transBatchA=1, transA=1)
    yield Case("ms_fused_gemm", "FusedGemm", [floats(3, 4), floats(5, 4), floats(5)], domain=MICROSOFT, transB=1,
               alpha=0.5, beta=2.0, activation="Relu")
    yield Case("gemm_7", "Gemm", [floats(4, 3), floats(4, 5), floats(3, 1)], opset=7, transA=1, beta=0.5)


def old_cases():
    x = floats(2, 3, 4)
    for op in ("Softmax", "LogSoftmax"):
        for opset, axis in ((7, 1), (11, 0), (11, -2), (12, 2)):
            yield Case(f"old_{op.lower()}_{opset}_axis_{axis + 9}", op, [x], opset=opset, axis=axis, symbolic={0: ["n", 3, "m"]})
    yield Case("old_clip_6", "Clip", [x], opset=7, min=-0.5, max=0.5)
    yield Case("old_unsqueeze_1", "Unsqueeze", [x], opset=7, axes=[0, 2])
    yield Case("old_unsqueeze_11", "Unsqueeze", [x], opset=11, axes=[-1, 0])
    yield Case("old_squeeze_1", "Squeeze", [floats(1, 3, 1)], opset=7, axes=[0])
    yield Case("old_squeeze_all", "Squeeze", [floats(1, 3, 1)], opset=11)
    yield Case("old_slice_1", "Slice", [x], opset=7, starts=[1, -3], ends=[9, -1], axes=[1, 2])
    yield Case("old_split_2", "Split", [x], 2, opset=7, axis=2, split=[1, 3])
    yield Case("old_split_equal", "Split", [x], 2, opset=11, axis=-1, symbolic={0: ["n", 3, 4]})
    yield Case("old_pad_2", "Pad", [x], opset=7, pads=[0, 1, 0, 1, 0, 2], value=0.5)
    yield Case("old_dropout_7", "Dropout", [x], opset=7)
    yield Case("old_mean_8", "Mean", [x, x, floats(4)], opset=8)
    yield Case("old_batch_norm_9", "BatchNormalization", [x, floats(3), floats(3), floats(3), abs(floats(3))], opset=9)
    yield Case("old_flatten_9", "Flatten", [x], opset=9, axis=2)
    yield Case("old_layer_norm", "LayerNormalization", [x, floats(4), floats(4)], 3, opset=17, axis=-1)
    for op in ("Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "SumSquare", "LogSumExp"):
        yield Case(f"old_reduce_{op.lower()}", f"Reduce{op}", [x], opset=11, axes=[-1, 0], keepdims=0, symbolic={0: ["n", 3, "m"]})
    yield Case("celu_12", "Celu", [x], opset=12, alpha=2.0)
    for op in ("Elu", "Selu", "HardSigmoid", "Softsign", "Softplus"):
        yield Case(f"old_{op.lower()}", op, [x], opset=7)
    yield Case("gather_negative", "Gather", [x, np.array([-1, 0], np.int64)], opset=11, axis=1)
    yield Case("old_hardmax_11", "Hardmax", [x], opset=11, axis=1)
    yield Case("old_prelu_9", "PRelu", [x, floats(4)], opset=9)
    yield Case("cumsum_blocks", "CumSum", [floats(3, 300), np.array(1, np.int64)], opset=14, constants=(1,), reverse=1)
    yield Case("top_k_of_long_rows", "TopK", [floats(2, 300), np.array([3], np.int64)], 2, constants=(1,))
    yield Case("top_k_by_rank", "TopK", [floats(2, 300), np.array([200], np.int64)], 2, constants=(1,), largest=0)
    yield Case("einsum_ellipsis", "Einsum", [floats(2, 3, 4), floats(2, 4, 6)], equation="...ij,...jk")
    yield Case("trilu_upper", "Trilu", [x, np.array(1, np.int64)], opset=14, constants=(1,))


def write_all(folder):
    cases = [*attention_cases(), *multi_head_cases(), *norm_cases(), *position_cases(), *product_cases(), *old_cases()]
    for case in cases:
        case.write(folder)
    return len(cases)


if __name__ == "__main__":
    print(f"{write_all(pathlib.Path(sys.argv[1]))} cases")
