"""Compiles ONNX transformers ahead of time and runs them.

    kiln.compile("m.onnx", "m.kiln", target="native", dims={"batch": (1, 8)})
    session = kiln.Session("m.kiln", device="cpu", threads=2)
    outputs = session.run({"input_ids": ids})        # {name: array}
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from . import errors as _errors
from ._runtime import Arena, Dim, Session, Tensor, runtime_version
from .compiler import compile
from .errors import Error

__version__ = "0.1.0"
__all__ = ["Arena", "Dim", "Error", "Session", "Tensor", "compile", "runtime_version"]
