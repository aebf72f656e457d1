"""The runtimes beside Kiln: each a function from a model's path and a number of threads to a call that runs it.

A call takes the inputs by name and returns the outputs by name. All compute in f32, or OpenVINO in another precision if it is asked to, on
dims as they come.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib

# Names of Python packages. OpenVINO is not in build/venv: install it there to get its column.
NAMES = ("onnxruntime", "openvino")


def version(name):
    """Without the build it comes from; None where the runtime is not installed."""
    try:
        return importlib.import_module(name).__version__.partition("-")[0]
    except ImportError:
        return None


def load(name, model, threads, precision="f32"):
    if name == "openvino":
        return _openvino(model, threads, precision)
    if precision != "f32":
        raise ValueError(f"{name} computes in f32 only")
    return _onnxruntime(model, threads)


def _onnxruntime(model, threads):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return lambda feeds: dict(zip(names, session.run(names, feeds)))


def _openvino(model, threads, precision):
    import openvino

    settings = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": 1,
        # OpenVINO's default is bf16 on CPUs that have it.
        "INFERENCE_PRECISION_HINT": precision,
    }
    compiled = openvino.Core().compile_model(model, "CPU", settings)
    request = compiled.create_infer_request()
    names = [output.get_any_name() for output in compiled.outputs]

    def run(feeds):
        request.infer(feeds, share_inputs=True)
        return {name: request.get_tensor(name).data for name in names}

    return run
