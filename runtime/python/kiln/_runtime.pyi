# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
from collections.abc import Callable, Mapping, Sequence
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

class Model:
    """A package, to be asked before there is a session: loading one takes no memory for runs, and works for packages of any
    machine."""

    def __init__(
        self,
        path: Union[str, os.PathLike[str], bytes, bytearray, memoryview, None] = None,
        *,
        verify_weights: bool = False,
        expect: Optional[str] = None,
        copy: bool = True,
        fd: Optional[int] = None,
        offset: int = 0,
        length: int = 0,
    ) -> None:
        """copy, fd, offset, length: as of Session."""
    def entry(self, name: str) -> Model:
        """The model as another of its entries, such as "decode"."""
    def output_shapes(self, shapes: Mapping[str, Sequence[int]]) -> dict[str, tuple[int, ...]]:
        """{"ids": (2, 5)} in, {"y": (2, 5, 8)} out."""
    def bytes(self, dims: Mapping[str, Union[int, tuple[int, int]]] = ..., threads: int = 1) -> int:
        """The memory that a session on the CPU allocates for these dims, beside the weights, which sessions share. All dims
        that are missing are named at once (KILN-E0608)."""
    @property
    def path(self) -> str: ...
    @property
    def file_bytes(self) -> int: ...
    @property
    def ranks(self) -> int: ...
    @property
    def name(self) -> str:
        """The name of the entry that this tells of."""
    @property
    def entries(self) -> list[str]: ...
    @property
    def targets(self) -> list[str]: ...
    @property
    def inputs(self) -> list[Tensor]: ...
    @property
    def outputs(self) -> list[Tensor]: ...
    @property
    def states(self) -> list[Tensor]: ...
    @property
    def dims(self) -> dict[str, tuple[int, int]]: ...
    @property
    def provenance(self) -> str: ...
    @property
    def description(self) -> dict[str, Any]:
        """What the ONNX model says of itself: "producer", "version", "domain", "description", and the dict "metadata"."""
    @property
    def labels(self) -> dict[str, str]:
        """The texts that were given with kiln compile --label."""

class Workers:
    """Threads that help the runs of any number of sessions, one share of each run in turn; the thread that calls a run takes
    part in it."""

    def __init__(self, threads: int = 0, *, cpus: Optional[Sequence[int]] = None, nice: int = 0) -> None:
        """threads: of a run at most, the caller's included; 0: as many as this process may use. cpus: the first worker runs
        on the first alone, and so on, from the start again at the end. nice: niceness of the workers."""
    @property
    def threads(self) -> int: ...

class CancelToken:
    """Ends runs that it is given to, also those that begin later."""

    def __init__(self) -> None: ...
    def cancel(self) -> None:
        """For any thread."""
    @property
    def cancelled(self) -> bool: ...

class StepBuffer:
    """A buffer that a step reads or writes."""

    name: str
    size: int
    def bytes(self) -> bytes:
        """A copy of its content, during the call of the observer alone."""

class StepEvent:
    """What an observer is told: a step begins or has ended."""

    step: int
    after: bool
    rank: int
    kernel: str
    hero: str
    nodes: list[str]
    reads: list[StepBuffer]
    writes: list[StepBuffer]

class Session:
    """Runs a package. One run at a time; use one session per thread, they share the weights."""

    def __init__(
        self,
        path: Union[str, os.PathLike[str], bytes, bytearray, memoryview, None] = None,
        *,
        device: str = "cpu",
        threads: int = 0,
        dims: Optional[Mapping[str, Union[int, tuple[int, int]]]] = None,
        target: Optional[str] = None,
        measure_memory: bool = False,
        graph: bool = True,
        graph_memory: int = 0,
        verify_weights: bool = True,
        in_memory: bool = False,
        expect: Optional[str] = None,
        copy: bool = True,
        fd: Optional[int] = None,
        offset: int = 0,
        length: int = 0,
        workers: Optional[Workers] = None,
        observer: Optional[Callable[[StepEvent], Any]] = None,
    ) -> None:
        """device: "cpu", "cuda", "cuda:N", "sim", "sim:PROFILE". graph=False: a GPU's kernels one by one, so that an
        error names one. graph_memory: bytes that CUDA graphs may take, each ready for one set of dims; 0: as the
        package says. path may be a package itself, as bytes; they are copied, or with copy=False used where they are, at a
        multiple of 64 bytes as in an mmap: they must not change then, and are kept. fd: a descriptor in place of a path, of a
        file of which the package is the `length` bytes from `offset` on (0: up to the end); it may be closed afterwards.
        workers: threads for its runs, shared with other sessions. verify_weights: compare the weights
        with their hash, beside what the program does until its first run (on a GPU: within this call). in_memory: read the weights instead of mapping them, so that no change of the file matters.
        expect: refuse a package whose SHA-256, as sha256sum prints it, is another. observer: called before and after each step,
        on the thread of the run; an exception that it raises ends the run, whose caller gets it. The first session installs a
        handler of SIGBUS that makes an error of a file that is cut off during a run."""
    @property
    def inputs(self) -> list[Tensor]: ...
    @property
    def outputs(self) -> list[Tensor]: ...
    @property
    def symbols(self) -> dict[str, tuple[int, int]]:
        """The ranges of symbolic dims this session accepts."""
    @property
    def threads(self) -> int:
        """Of a Group those of all ranks together."""
    @property
    def ranks(self) -> int:
        """How many ranks run; 1 but of a Group."""
    @property
    def rank(self) -> int:
        """The rank of this process; 0 unless ranks are processes."""
    @property
    def provenance(self) -> str:
        """JSON text: model hash, compiler version, flags ..."""
    @property
    def memory(self) -> list[Arena]: ...
    @property
    def device(self) -> str: ...
    @property
    def gpu(self) -> str:
        """As its driver calls it, "NVIDIA H200"; "" on the CPU."""
    @property
    def target(self) -> str:
        """The target of the package whose code runs: "x86-64-v3", "sm_80"."""
    stream: Optional[int]
    """The CUstream of the runs as an integer; 0 on the CPU. May be set to one of the caller's (torch.cuda.Stream's
    cuda_stream; 0, as there, or 1 is the default stream), or to None for the session's own. On a caller's stream a run whose arrays are
    all on the GPU returns when its work is in the stream."""
    def synchronize(self) -> None:
        """Waits for all runs of the session."""
    def check_weights(self) -> None:
        """Waits until the weights have been compared with their hash, as the first run does. For a server that
        wants to know of damage before requests come: raises KILN-E0503."""
    def run(
        self,
        inputs: Mapping[str, Any],
        outputs: Union[Mapping[str, Any], Sequence[str], None] = None,
        *,
        timeout: Optional[float] = None,
        token: Optional[CancelToken] = None,
    ) -> dict[str, Any]:
        """Inputs are NumPy arrays or anything with __dlpack__, on the CPU or on the session's GPU, or lists of numbers,
        of the declared dtype or one whose every value it holds. outputs: the names of those that are wanted, as new NumPy
        arrays, or where results go, in memory of either kind; None: all, as new NumPy arrays. timeout: seconds, after which
        the run ends with KILN-E0714. token: ends it with KILN-E0713. Ctrl-C ends it, too; the next run is as if this one
        had not been."""
    async def run_async(
        self,
        inputs: Mapping[str, Any],
        outputs: Union[Mapping[str, Any], Sequence[str], None] = None,
        *,
        timeout: Optional[float] = None,
        executor: Any = None,
    ) -> dict[str, Any]:
        """run on a thread of the executor (None: asyncio's own). If the task is cancelled the run ends, and the session is
        free again before the cancellation goes on."""
    def profile(self, inputs: Mapping[str, Any], runs: int = 10) -> Any:
        """Returns the kiln.Profile of so many runs: print shows a table of the steps, to_trace writes a trace for Perfetto. The
        runs are those of a session of their own, so that states of this one stay."""
    def cancel(self) -> None:
        """Ends the run that another thread has under way (KILN-E0713); without one it does nothing."""
    def close(self) -> None:
        """Gives the session's memory back; it cannot run any more."""
    def __enter__(self) -> Session: ...
    def __exit__(self, *args: Any) -> None: ...
    def trim(self) -> None:
        """Gives the memory of runs back, which the next run takes again; states stay. KILN-E0609 during a run."""
    def clone(self) -> Session:
        """Another session of the same loaded model, for another thread."""
    def entry(self, name: str) -> Session:
        """What runs another entry of the model with this session's memory and states, such as "decode"."""
    @property
    def entries(self) -> list[str]:
        """The names of the model's entries; a session begins as the first."""
    def reset_state(self) -> None: ...
    @property
    def states(self) -> list[Tensor]:
        """The tensors that outlive a run: "lengths", and the cache of a decoder."""
    def state_bytes(self, index: int, rank: Optional[int] = None) -> int: ...
    def read_state(self, index: int, offset: int = 0, size: int = ..., rank: Optional[int] = None) -> bytes: ...
    def write_state(self, index: int, offset: int, data: bytes, rank: Optional[int] = None) -> None:
        """rank: of a Group; None: all of them."""
    def copy_row(self, source: int, target: int) -> None:
        """Copies all that the states hold of one sequence to another one."""

class Group(Session):
    """Runs a package for several ranks, each with its part of the weights, on the CPU or a GPU each: threads of this
    process, or processes. A Session otherwise; states and arenas are those of one rank."""

    def __init__(
        self,
        path: Union[str, os.PathLike[str], bytes, bytearray, memoryview, None] = None,
        *,
        ranks: int = 0,
        device: str = "cpu",
        threads: int = 0,
        dims: Optional[Mapping[str, Union[int, tuple[int, int]]]] = None,
        target: Optional[str] = None,
        measure_memory: bool = False,
        graph: bool = True,
        graph_memory: int = 0,
        verify_weights: bool = True,
        in_memory: bool = False,
        expect: Optional[str] = None,
        copy: bool = True,
        fd: Optional[int] = None,
        offset: int = 0,
        length: int = 0,
        timeout_ms: int = 0,
        processes: bool = False,
        observer: Optional[Callable[[StepEvent], Any]] = None,
    ) -> None:
        """ranks: must be as many as the package is for; 0: as it says. device: "cpu"; "cuda": rank R is on "cuda:R";
        "sim:PROFILE": each on a GPU that this process simulates. threads: of all ranks together, of which each has the
        same number and 1 at least; 0: as many as this process may use. timeout_ms: a rank that has others wait for longer
        ends the run (KILN-E0711); 0: 5000. processes=True: this process is one rank, which torchrun, mpirun or srun has
        started with the others. All else as for Session."""
    def run_all_ranks(self, inputs: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The outputs of each rank, which have the same bits."""
    def __enter__(self) -> Group: ...
    def clone(self) -> Group:
        """Another group of the same loaded model, for another thread."""
    def entry(self, name: str) -> Group: ...

def rank_count_of(path: str) -> int: ...
def symbols_of(path: str) -> dict[str, tuple[int, int]]: ...
def runtime_version() -> str: ...
def publish_symbols(to: str) -> None:
    """Gives kernels names in profilers and debuggers: "map", "jitdump", "gdb", or several with commas between them."""
def set_log(function: Optional[Callable[[int, int, str, str, dict[str, Any]], Any]]) -> None: ...
def set_error_class(error: type) -> None: ...
