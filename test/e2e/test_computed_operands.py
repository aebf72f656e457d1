"""Products and attention of values that are computed where they are read, such as a splat: they become tensors in memory."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pytest
import tool

HEAD = '<ir_version: 9, opset_import: ["" : 20]> agraph '
MODELS = {
    "left": """(float[1,7] w) => (float[17,7] y) <int64[2] s={17,1}, float k={2}> { q=Expand(k,s) y=MatMul(q,w) }""",
    "right": """(float[5,7] w) => (float[5,9] y) <int64[2] s={7,9}, float k={2}> { q=Expand(k,s) y=MatMul(w,q) }""",
    "16 bits": """(float16[64,64] w) => (float16[300,64] y) <int64[2] s={300,64}, float16 k={2}>
                  { q=Expand(k,s) y=MatMul(q,w) }""",
    "both, and a reader": """(float[5,7] w) => (float[5,9] y, float[5,7] z)
                             <int64[2] s={5,7}, int64[2] u={7,9}, float k={2}, float m={3}>
                             { q=Expand(k,s) r=Expand(m,u) y=MatMul(q,r) z=Add(w,q) }""",
    "rows known at run time": """(float[n,4] x, float[8,6] w) => (float[n,6] y) <int64[1] e={8}, int64[1] o={0}, float k={0.5}>
                                 { a=Shape(x) b=Gather(a,o) s=Concat<axis=0>(b,e) q=Expand(k,s) y=MatMul(q,w) }""",
    "bias": """(float[8,7] w, float[7] b) => (float[5,7] y) <int64[2] s={5,8}, float k={2}>
               { q=Expand(k,s) m=MatMul(q,w) a=Add(m,b) y=Relu(a) }""",
    "keys": """(float[1,2,6,8] q, float[1,2,6,8] v) => (float[1,2,6,8] y) <int64[4] s={1,2,8,6}, float o={0.25}>
               { k=Expand(o,s) p=MatMul(q,k) r=Softmax(p) y=MatMul(r,v) }""",
    "values": """(float[1,2,6,8] q, float[1,2,8,6] k) => (float[1,2,6,8] y) <int64[4] s={1,2,6,8}, float o={0.25}>
                 { v=Expand(o,s) p=MatMul(q,k) r=Softmax(p) y=MatMul(r,v) }""",
    "keys and values": """(float[s] x) => (float[t, 8] y)
                          <int64[1] l={40}, int64[1] e={8}, float[1, 8] row={1,2,3,4,5,6,7,8}, float one={1}, int64[2] w8={8,8}>
                          { q=Shape(x) m=Sub(l,q) n=Concat<axis=0>(m,e) a=Expand(row,n) c=Softmax<axis=0>(a)
                            w=Expand(one,w8) p=MatMul(c,w) r=Softmax(p) y=MatMul(r,w) }""",
}


@pytest.mark.parametrize("name", MODELS)
def test_operands_that_are_computed(driver, tmp_path, name):
    model, package = tmp_path / "m.onnxtxt", tmp_path / "m.kiln"
    model.write_text(HEAD + MODELS[name])
    dims = ["--dims", "s=1..38"] if "float[s]" in MODELS[name] else []
    tool.call("compile", model, "-o", package, "--target", "native,sm_80,sm_90a", *dims)
    for device in ("cpu", "sim:a100", "sim:h200"):
        text = tool.call("verify", package, "--model", model, "--device", device, env=driver).stdout
        assert text.endswith("PASSED\n"), text
