"""com.microsoft DynamicQuantizeMatMul: against its definition in f64 and against ONNX Runtime, on the host and on simulated GPUs."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import numpy as np
import onnx
import onnxruntime
import pytest
import tool
from onnx import TensorProto, helper, numpy_helper

DOMAIN = "com.microsoft"


class Product:
    """y = DynamicQuantizeMatMul(x, b, ...), x [*rows, k] in f32."""

    def __init__(self, path, rows, k, n, kind, columns, zero, bias, seed=0):
        rng = np.random.default_rng([seed, k, n])
        shape = (n,) if columns else ()
        # ONNX Runtime adds pairs of s8 products in 16 bits on CPUs without VNNI, where larger values could saturate.
        low, high = (-64, 64) if kind == np.int8 else (0, 256)
        self.weights = {"b": rng.integers(low, high, (k, n)).astype(kind), "bs": rng.uniform(0.01, 0.1, shape).astype(np.float32)}
        if zero:
            self.weights["bz"] = rng.integers(max(low, -20), 20, shape).astype(kind)
        if bias:
            self.weights["bias"] = rng.standard_normal(n).astype(np.float32)
        self.x = (rng.standard_normal((*rows, k)) + rng.choice((0, 1))).astype(np.float32)
        names = ["x", "b", "bs", "bz" if zero else "", *(["bias"] if bias else [])]
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [*rows, size]) for name, size in (("x", k), ("y", n))]
        graph = helper.make_graph([helper.make_node("DynamicQuantizeMatMul", names, ["y"], "product", domain=DOMAIN)], "g", values[:1], values[1:],
                                  [numpy_helper.from_array(np.asarray(array), name) for name, array in self.weights.items()])
        self.path = path
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)], ir_version=9), path)

    def defined(self):
        """The definition (DynamicQuantizeLinear of all of x, MatMulInteger, scales, bias), and the rounding of f32 that it leaves."""
        low, high = np.float32(min(0, self.x.min())), np.float32(max(0, self.x.max()))
        scale = (high - low) / np.float32(255)
        zero = np.clip(np.round((np.float32(0) - low) / scale), 0, 255)
        codes = np.clip(np.round(self.x / scale) + zero, 0, 255).astype(np.float64)
        right = (self.weights["b"].astype(np.float64) - self.weights.get("bz", 0)) * self.weights["bs"].astype(np.float64) * scale.astype(np.float64)
        result = (codes - zero) @ right
        return result + self.weights.get("bias", 0), 1e-6 * np.abs(result) + 1e-6

    def of_onnxruntime(self):
        return onnxruntime.InferenceSession(self.path, providers=["CPUExecutionProvider"]).run(None, {"x": self.x})[0]

    def run(self, target, device, environment=None):
        folder = self.path.parent
        tool.call("compile", self.path, "-o", folder / "m.kiln", "-q", "--target", target)
        np.save(folder / "x.npy", self.x)
        tool.call("run", folder / "m.kiln", "--device", device, "-i", f"x=@{folder / 'x.npy'}", "-o", f"y=@{folder / 'y.npy'}", env=environment)
        return np.load(folder / "y.npy")

    def check(self, found):
        expected, limit = self.defined()
        assert np.isfinite(found).all() and (np.abs(found - expected) <= limit).all(), np.abs(found - expected).max()
        # At a tie, ONNX Runtime may round to the other quantized value.
        other = self.of_onnxruntime()
        step = np.float32(max(0, self.x.max()) - min(0, self.x.min())) / 255
        centred = np.abs((self.weights["b"].astype(np.float64) - self.weights.get("bz", 0)) * self.weights["bs"])
        assert (np.abs(found - other) <= limit + step * centred.max(axis=0)).all()
        assert np.mean(np.abs(found - other) <= 2 * limit) > 0.9


@pytest.mark.parametrize("kind", [np.int8, np.uint8])
@pytest.mark.parametrize("columns", [False, True], ids=["tensor", "columns"])
@pytest.mark.parametrize("zero", [False, True], ids=["no zero point", "zero points"])
@pytest.mark.parametrize("bias", [False, True], ids=["no bias", "bias"])
@pytest.mark.parametrize("target", ["native", "x86-64-v3"])
def test_every_combination_of_inputs(tmp_path, kind, columns, zero, bias, target):
    product = Product(tmp_path / "m.onnx", (3,), 64, 33, kind, columns, zero, bias)
    product.check(product.run(target, "cpu"))


# Odd sizes, sizes of several blocks, and sizes whose sums f32 does not represent exactly (the limits are 514 and 1024).
SIZES = [((1,), 1, 1), ((3,), 5, 7), ((9,), 33, 17), ((2, 3), 20, 40), ((1,), 514, 16), ((4,), 515, 31), ((2,), 1024, 1), ((5,), 1040, 48)]


@pytest.mark.parametrize("rows, k, n", SIZES)
@pytest.mark.parametrize("kind", [np.int8, np.uint8])
def test_sizes(tmp_path, rows, k, n, kind):
    product = Product(tmp_path / "m.onnx", rows, k, n, kind, True, kind == np.uint8, True)
    product.check(product.run("native", "cpu"))


@pytest.mark.parametrize("target", gpu_counters.DEVICES)
@pytest.mark.parametrize("rows, k, n", [((1,), 64, 37), ((17,), 96, 16), ((2, 3), 20, 7)])
@pytest.mark.parametrize("schedule", ["eager,forward", "late,random,7"])
def test_gpus(driver, tmp_path, target, rows, k, n, schedule):
    product = Product(tmp_path / "m.onnx", rows, k, n, np.int8, True, True, True)
    environment = {**driver, "KILN_SIM_SCHEDULE": schedule, "KILN_SIM_CHECK": "all"}
    product.check(product.run(target, gpu_counters.DEVICES[target], environment))


@pytest.mark.parametrize("number", [0.0, 1.5, -2.0])
def test_activations_of_one_number(tmp_path, number):
    """Zeros have a range of nothing, and scale to zero."""
    product = Product(tmp_path / "m.onnx", (3,), 32, 8, np.int8, False, True, True)
    product.x[:] = number
    if number:
        product.check(product.run("native", "cpu"))
    else:
        np.testing.assert_array_equal(product.run("native", "cpu"), np.broadcast_to(product.weights["bias"], (3, 8)))
