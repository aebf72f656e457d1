# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
from collections.abc import Mapping
from typing import Any, Optional, Union

import numpy

class Dim:
    """A dim of an input or output: an int or an expression over symbols, with its range."""

    expr: str
    min: int
    max: int

class Tensor:
    """An input or output of a model."""

    name: str
    dtype: str
    """"float32", "int64", "bool" ... as NumPy spells it; "bfloat16" for bf16."""
    shape: tuple[Union[int, str], ...]
    """Fixed dims as int, others as their expression: (1, "seq", 384)."""
    dims: tuple[Dim, ...]

class Arena:
    """Memory of a session by kind, in bytes."""

    kind: str
    formula: str
    max_bytes: int
    capacity: int
    last_formula: int
    high_water: int
    measured: int

class Session:
    """Runs a package. One run at a time; use one session per thread, they share the weights."""

    def __init__(
        self,
        path: Union[str, os.PathLike[str]],
        *,
        device: str = "cpu",
        threads: int = 0,
        dims: Optional[Mapping[str, Union[int, tuple[int, int]]]] = None,
        target: Optional[str] = None,
        measure_memory: bool = False,
    ) -> None: ...
    @property
    def inputs(self) -> list[Tensor]: ...
    @property
    def outputs(self) -> list[Tensor]: ...
    @property
    def symbols(self) -> dict[str, tuple[int, int]]:
        """The ranges of symbolic dims this session accepts."""
    @property
    def threads(self) -> int: ...
    @property
    def provenance(self) -> str:
        """JSON text: model hash, compiler version, flags ..."""
    @property
    def memory(self) -> list[Arena]: ...
    def run(self, inputs: Mapping[str, Any]) -> dict[str, numpy.ndarray]:
        """Inputs are NumPy arrays or anything with __dlpack__ (on the CPU), of the declared dtype."""
    def clone(self) -> Session:
        """Another session of the same loaded model, for another thread."""
    def reset_state(self) -> None: ...

def runtime_version() -> str: ...
def set_error_class(error: type) -> None: ...
