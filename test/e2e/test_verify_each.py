"""kiln compile --verify=each on spellings that raising replaces: roundings of 16-bit types and NaN behind masks are no
change of the result."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pytest
import tool

GELU = """<ir_version: 9, opset_import: ["" : 17]>
g ({kind}[rows, 64] x, {kind}[64, 64] w) => ({kind}[rows, 64] y)
<float root32 = {{1.41421356}}, float one32 = {{1.0}}, float half32 = {{0.5}}>
{{
  root = Cast<to = {number}>(root32)
  one = Cast<to = {number}>(one32)
  half = Cast<to = {number}>(half32)
  h = MatMul(x, w)
  d = Div(h, root)
  e = Erf(d)
  s = Add(e, one)
  m = Mul(h, s)
  y = Mul(m, half)
}}
"""

WHERE = """<ir_version: 9, opset_import: ["" : 17]>
g ({kind}[2, 2, rows, 16] q, {kind}[2, 2, rows, 16] k, {kind}[2, 2, rows, 16] v, bool[2, 1, 1, rows] keep)
  => ({kind}[2, 2, rows, 16] y)
<float low32 = {{-10000.0}}>
{{
  low = Cast<to = {number}>(low32)
  kt = Transpose<perm = [0, 1, 3, 2]>(k)
  s = MatMul(q, kt)
  a = Where(keep, s, low)
  p = Softmax(a)
  y = MatMul(p, v)
}}
"""


@pytest.mark.parametrize("kind, number", [("float", 1), ("float16", 10)])
@pytest.mark.parametrize("name, text", [("gelu", GELU), ("attention", WHERE)])
def test_raising_is_no_change(tmp_path, name, text, kind, number):
    model = tmp_path / "m.onnxtxt"
    model.write_text(text.format(kind=kind, number=number))
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--verify", "each")
    assert f"1 {name}" in outcome.stdout and "KILN" not in outcome.stderr
