"""Models of attention with a mask that is computed and with ops behind it, for the tests of their fusion."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses

import numpy as np
import onnx
from onnx import TensorProto, helper

# Nodes that compute `mask` from slope [1, H, 1, 1], the positions rows [S, 1] and columns [1, T], keep [B, 1, S, T],
# bias [B, H, S, T] and line [1, 1, 1, T], in the type T of the model.
MASKS = {
    "none": "",
    "slope": "distance = Sub(columns, rows)  near = Cast<to = T>(distance)  mask = Mul(near, slope)",
    "window": "distance = Sub(columns, rows)  far = Abs(distance)  close = Less(far, limit)  mask = Where(close, zero, lowest)",
    "keep": "mask = Where(keep, zero, lowest)",
    "keep_bias": "kept = Where(keep, zero, lowest)  mask = Add(kept, bias)",
    "scaled_bias": "mask = Mul(bias, two)",
    "line": "mask = Mul(line, two)",
    "expensive": "distance = Sub(columns, rows)  near = Cast<to = T>(distance)  steep = Mul(near, slope)  wave = Sin(steep)  mask = Cos(wave)",
}
FUSED_MASKS = ("none", "slope", "window", "keep", "keep_bias", "scaled_bias")

# Nodes that compute `y` from the attention's result a [B, H, S, D], gate of its shape, columnBias [D], merged [B, S, H
# * D] and pair [2, B, H, S, D].
BEHIND = {
    "scale": "y = Mul(a, two)",
    "cast": "wide = Cast<to = 1>(a)  y = Mul(wide, wide_two)",
    "gate": "g = Sigmoid(gate)  y = Mul(a, g)",
    "bias": "y = Add(a, columnBias)",
    "merged_gate": "t = Transpose<perm = [0, 2, 1, 3]>(a)  r = Reshape(t, dims)  g = Sigmoid(merged)  y = Mul(r, g)",
    "merged_residual": "t = Transpose<perm = [0, 2, 1, 3]>(a)  r = Reshape(t, dims)  y = Add(r, merged)",
    "residual_split": "y0 = Add(a, gate)  t = Transpose<perm = [0, 2, 1, 3]>(y0)  y = Reshape(t, dims)",
    "two_users": "u = Relu(a)  y = Transpose<perm = [0, 2, 1, 3]>(a)",
    "broadcast": "w = Unsqueeze(a, first)  y = Add(w, pair)",
}
FUSED_BEHIND = tuple(name for name in BEHIND if name not in ("cast", "two_users", "broadcast"))


@dataclasses.dataclass
class FusedAttention:
    kind: str
    queries: int
    keys: int
    depth: int
    mask: str = "none"
    behind: str = "scale"
    batch: int = 2
    heads: int = 2
    causal: bool = False

    def constants(self):
        element = {"FLOAT": np.float32, "FLOAT16": np.float16}.get(self.kind, np.float32)
        numbers = {"zero": 0.0, "two": 2.0, "lowest": -60000.0}
        slope = (0.5 ** np.arange(1, self.heads + 1)).reshape(1, -1, 1, 1)
        arrays = {name: np.array(value, element) for name, value in numbers.items()} | {"slope": slope.astype(element)}
        tensors = []
        for name, array in arrays.items():
            tensors.append(helper.make_tensor(name, getattr(TensorProto, self.kind), array.shape, array.flatten().tolist()))
        integers = {"limit": np.array(7), "first": np.array([0]),
                    "dims": np.array([self.batch, self.queries, self.heads * self.depth])}
        tensors += [onnx.numpy_helper.from_array(array.astype(np.int64), name) for name, array in integers.items()]
        return [*tensors, onnx.numpy_helper.from_array(np.float32(2), "wide_two")]

    def model(self):
        b, h, s, t, d = self.batch, self.heads, self.queries, self.keys, self.depth
        shapes = {"q": [b, h, s, d], "k": [b, h, t, d], "v": [b, h, t, d], "bias": [b, h, s, t], "line": [1, 1, 1, t],
                  "gate": [b, h, s, d], "columnBias": [d], "merged": [b, s, h * d], "pair": [2, b, h, s, d],
                  "keep": [b, 1, s, t], "rows": [s, 1], "columns": [1, t]}
        types = {"keep": "bool", "rows": "int64", "columns": "int64"}
        element = getattr(TensorProto, self.kind)
        masked = ", mask" if MASKS[self.mask] else ""
        name = {"FLOAT": "float", "FLOAT16": "float16", "BFLOAT16": "bfloat16"}[self.kind]
        text = f"""<ir_version: 10, opset_import: ["" : 23]>
g ({", ".join(f"{types.get(x, name)}{dims} {x}" for x, dims in shapes.items())}) => ()
{{
  {MASKS[self.mask].replace("to = T", f"to = {element}").replace("  ", chr(10))}
  a = Attention<is_causal = {int(self.causal)}>(q, k, v{masked})
  {BEHIND[self.behind].replace("  ", chr(10))}
}}
"""
        model = onnx.parser.parse_model(text)
        model.graph.initializer.extend(self.constants())
        used = {x for node in model.graph.node for x in node.input}
        kept = [x for x in model.graph.input if x.name in used]
        del model.graph.input[:]
        model.graph.input.extend(kept)
        kept = [x for x in model.graph.initializer if x.name in used]
        del model.graph.initializer[:]
        model.graph.initializer.extend(kept)
        outputs = ["y", "u"] if self.behind == "two_users" else ["y"]
        out = TensorProto.FLOAT if self.behind == "cast" else element
        model.graph.output.extend(helper.make_tensor_value_info(name, out, None) for name in outputs)
        return onnx.shape_inference.infer_shapes(model)
