"""Compiles ONNX transformers ahead of time and runs them.

    kiln.compile("m.onnx", "m.kiln", target="native", dims={"batch": (1, 8)})
    session = kiln.Session("m.kiln", device="cpu", threads=2)
    outputs = session.run({"input_ids": ids})        # {name: array}
    model = kiln.Model("m.kiln")                     # to be asked: inputs, dims, labels, bytes(dims)
    outputs = session.run({"input_ids": ids}, ["y"], timeout=0.5)   # one output, within half a second
    pool = kiln.Pool(session, 4)                     # for any number of threads and tasks
    workers = kiln.Workers(4)                        # threads for any sessions: Session(path, workers=workers)
    group = kiln.Group("m.kiln", ranks=2)            # of a package for 2 ranks; runs as a session does
    decoder = kiln.Decoder("m.kiln", capacity=256)   # of a model compiled with state
    logits = decoder.prefill([[1, 2, 3]])            # of each row's last position
    print(*kiln.generate("m.kiln", "Once", tokenizer="tokenizer.json"), sep="")
    print(session.profile({"input_ids": ids}))       # times of its steps
    kiln.check("m.onnx")                             # what keeps a model from compiling
    print(kiln.help("KILN-E0604"))                   # the page of an error
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from . import errors as _errors
from ._runtime import Arena, CancelToken, Dim, Group, Model, Session, StepBuffer, StepEvent, Tensor, Workers, publish_symbols, runtime_version
from .compiler import check, compile
from .decoder import Decoder
from .errors import Error, help
from .observing import Profile, profile as _profile, set_logger
from .serving import Pool, run_async
from .text import generate

__version__ = "0.1.0"
Session.profile = _profile
Session.run_async = run_async

__all__ = ["Arena", "CancelToken", "Decoder", "Dim", "Error", "Group", "Model", "Pool", "Profile", "Session", "StepBuffer", "StepEvent", "Tensor", "Workers", "check", "compile", "generate", "help", "publish_symbols", "runtime_version", "set_logger"]
