"""Small models, as ONNX text, and inputs for them."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx
import onnx.parser

HEADER = '<ir_version: 9, opset_import: ["" : 17]>\n'


def parse(text):
    return onnx.parser.parse_model(HEADER + text)


def write(path, text):
    onnx.save(parse(text), path)
    return path


def _matrix(name, rows, columns, seed):
    values = np.random.default_rng(seed).standard_normal(rows * columns).round(3)
    return f"float[{rows},{columns}] {name} = {{{','.join(map(str, values))}}}"


def _vector(name, size, seed):
    values = np.random.default_rng(seed).standard_normal(size).round(3)
    return f"float[{size}] {name} = {{{','.join(map(str, values))}}}"


MLP = f"""mlp (float[batch,seq,8] x) => (float[batch,seq,8] y)
<{_matrix("w1", 8, 24, 1)}, {_vector("b1", 24, 2)}, {_matrix("w2", 24, 8, 3)}, {_vector("scale", 8, 4)}, {_vector("shift", 8, 5)}>
{{
  [hidden] h = MatMul(x, w1)
  [bias] hb = Add(h, b1)
  [act] a = Relu(hb)
  [out] o = MatMul(a, w2)
  [residual] r = Add(o, x)
  [norm] y = LayerNormalization <axis = -1> (r, scale, shift)
}}"""

# A row takes 5 million multiplications, so tests can make runs as long as needed.
SLOW = f"""slow (float[rows,256] x) => (float[rows,256] y, float[rows,256] half)
<{_matrix("w", 256, 256, 1)}, float small = {{0.05}}, float two = {{0.5}}>
{{
  {"".join(f"m{i} = MatMul({f't{i - 1}' if i else 'x'}, w) s{i} = Mul(m{i}, small) t{i} = Tanh(s{i}) " for i in range(40))}
  y = Identity(t39)
  half = Mul(t19, two)
}}"""

ELEMENTWISE = """elementwise (float[batch,seq] x, float[seq] y) => (float[batch,seq] z)
{
  a = Add(x, y)
  b = Mul(a, x)
  c = Tanh(b)
  d = Sub(c, y)
  z = Exp(d)
}"""

SOFTMAX = """softmax (float[batch,seq,seq] x) => (float[batch,seq,seq] y, float[batch,seq] m)
{
  y = Softmax <axis = -1> (x)
  m = ReduceMax <axes = [-1], keepdims = 0> (y)
}"""

TRANSPOSED = """transposed (float[batch,seq,6] x) => (float[batch,3,seq,2] y)
<int64[4] shape = {0, 0, 3, 2}>
{
  r = Reshape (x, shape)
  y = Transpose <perm = [0, 2, 1, 3]> (r)
}"""

EMBEDDING = f"""embedding (int64[batch,seq] ids) => (float[batch,4] y)
<{_matrix("table", 20, 4, 7)}>
{{
  e = Gather <axis = 0> (table, ids)
  y = ReduceMean <axes = [1], keepdims = 0> (e)
}}"""

COMPARED = """compared (float[n] x, float[n] y) => (bool[n] less, float[n] larger, int64[n] whole)
{
  less = Less (x, y)
  larger = Where (less, y, x)
  whole = Cast <to = 7> (larger)
}"""

POWERS = """powers (int64[n] x, int32[n] w) => (int64[n] square, int64[n] root, int32[n] cube)
<float two = {2}, float half = {0.5}, float three = {3}>
{
  square = Pow (x, two)
  root = Pow (x, half)
  cube = Pow (w, three)
}"""

FIXED = """fixed (float[3,5] x) => (float[3,1] y)
{
  y = ReduceSum <keepdims = 1> (x, axes)
}""".replace(
    "(float[3,1] y)\n{", "(float[3,1] y)\n<int64[1] axes = {1}>\n{"
)

ALL = {
    "mlp": MLP,
    "elementwise": ELEMENTWISE,
    "softmax": SOFTMAX,
    "transposed": TRANSPOSED,
    "embedding": EMBEDDING,
    "compared": COMPARED,
    "powers": POWERS,
    "fixed": FIXED,
}


def inputs(model, dims, seed=0):
    """Seeded inputs of a model for the given values of its symbolic dims."""
    random = np.random.default_rng(seed)
    values = {}
    for info in model.graph.input:
        tensor = info.type.tensor_type
        shape = [dims[d.dim_param] if d.dim_param else d.dim_value for d in tensor.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        if np.issubdtype(dtype, np.floating):
            values[info.name] = random.standard_normal(shape).astype(dtype)
        elif "mask" in info.name:
            values[info.name] = np.ones(shape, dtype)
        else:
            high = 2 if "segment" in info.name or "type" in info.name else 20
            values[info.name] = random.integers(0, high, shape).astype(dtype)
    return values


def reference(model, values):
    """What ONNX Runtime computes: name to array."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, values)))


def distance(found, expected):
    """max |y - r| / max(|r|, rms(r)); 0 or infinity where the types are not floats."""
    assert found.dtype == expected.dtype and found.shape == expected.shape
    if not np.issubdtype(found.dtype, np.floating):
        return 0.0 if np.array_equal(found, expected) else np.inf
    y, r = found.astype(np.float64), expected.astype(np.float64)
    scale = np.maximum(np.abs(r), np.sqrt(np.mean(r * r)) if r.size else 1)
    return float(np.max(np.abs(y - r) / np.maximum(scale, 1e-300))) if r.size else 0.0
