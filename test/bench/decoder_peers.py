"""Decoders in the runtimes beside Kiln: for each its forms, by name, as calls that give the logits of the last position."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx
from onnx import helper, numpy_helper


def load(name, models, threads, kind, ids):
    """ids [1, n + 1]: a step takes the last token behind the n others, a prompt those n."""
    return {"onnxruntime": _onnxruntime, "openvino": _openvino}[name](models, threads, kind, ids)


def last_position(path):
    """The model with the logits of the last position alone: the product with the vocabulary gets one row."""
    model = onnx.load(path)
    head = next(node for node in model.graph.node if "logits" in node.output)
    hidden = head.input[0]
    for name, value in (("last_begin", -1), ("last_end", np.iinfo(np.int64).max), ("last_axis", 1)):
        model.graph.initializer.append(numpy_helper.from_array(np.array([value], np.int64), name))
    place = list(model.graph.node).index(head)
    model.graph.node.insert(place, helper.make_node("Slice", [hidden, "last_begin", "last_end", "last_axis"], ["last_hidden"]))
    head.input[0] = "last_hidden"
    return model


def _feeds(session_inputs, ids, before):
    """Of new ids behind `before` tokens, without the cache."""
    count = ids.shape[1]
    feeds = {
        "input_ids": ids,
        "attention_mask": np.ones((1, before + count), np.int64),
        "position_ids": np.arange(before, before + count)[None],
    }
    return {name: value for name, value in feeds.items() if name in session_inputs}


def _split(kind, ids):
    """(tokens before, the new ones)"""
    return (ids[:, :-1], ids[:, -1:]) if kind == "step" else (ids[:, :0], ids[:, :-1])


def _ort_session(model, threads):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def _onnxruntime(models, threads, kind, ids):
    return {
        "pasts": _ort_pasts(_ort_session(last_position(models["past"]), threads), kind, ids),
        "one buffer": _ort_buffer(_ort_session(last_position(models["gqa"]), threads), kind, ids),
    }


def _caches(session):
    return [entry for entry in session.get_inputs() if entry.name.startswith("past")]


def _ort_pasts(session, kind, ids):
    before, new = _split(kind, ids)
    names = {entry.name for entry in session.get_inputs()}
    outputs = [entry.name for entry in session.get_outputs()]
    empty = {entry.name: np.zeros((1, entry.shape[1], 0, entry.shape[3]), np.float32) for entry in _caches(session)}
    state = empty
    if before.size:
        found = dict(zip(outputs, session.run(None, _feeds(names, before, 0) | empty)))
        state = {name: found[name.replace("past_key_values", "present")] for name in empty}
    feeds = _feeds(names, new, before.shape[1]) | state
    return lambda: session.run(None, feeds)[outputs.index("logits")][0, -1]


def _ort_buffer(session, kind, ids):
    """Past and present in one memory, as onnxruntime-genai runs GroupQueryAttention."""
    import onnxruntime

    before, new = _split(kind, ids)
    names = {entry.name for entry in session.get_inputs()}
    buffers = {}
    for entry in _caches(session):
        shape = (1, entry.shape[1], ids.shape[1], entry.shape[3])
        buffers[entry.name] = onnxruntime.OrtValue.ortvalue_from_numpy(np.zeros(shape, np.float32))

    def bind(tokens, length):
        binding = session.io_binding()
        for name, value in _feeds(names, tokens, length).items():
            binding.bind_cpu_input(name, value)
        for name, buffer in buffers.items():
            binding.bind_ortvalue_input(name, buffer)
            binding.bind_ortvalue_output(name.replace("past_key_values", "present"), buffer)
        binding.bind_output("logits")
        return binding

    if before.size:
        session.run_with_iobinding(bind(before, 0))
    binding = bind(new, before.shape[1])

    def run():
        session.run_with_iobinding(binding)
        return binding.get_outputs()[-1].numpy()[0, -1]

    return run


def _openvino(models, threads, kind, ids):
    return {
        "pasts": _openvino_pasts(_openvino_model(models, threads, False), kind, ids),
        "state": _openvino_state(_openvino_model(models, threads, True), kind, ids),
    }


def _openvino_model(models, threads, stateful):
    import openvino
    from openvino._offline_transformations import apply_make_stateful_transformation

    model = openvino.Core().read_model(last_position(models["past"]).SerializeToString())
    if stateful:
        pairs = {port.get_any_name(): port.get_any_name().replace("past_key_values", "present")
                 for port in model.inputs if port.get_any_name().startswith("past")}
        apply_make_stateful_transformation(model, pairs)
    settings = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": 1,
        # OpenVINO's defaults are narrower types on some CPUs.
        "INFERENCE_PRECISION_HINT": "f32",
        "KV_CACHE_PRECISION": "f32",
    }
    return openvino.Core().compile_model(model, "CPU", settings)


def _openvino_pasts(compiled, kind, ids):
    before, new = _split(kind, ids)
    request = compiled.create_infer_request()
    names = {port.get_any_name() for port in compiled.inputs}
    shapes = {port.get_any_name(): port.get_partial_shape() for port in compiled.inputs if "past" in port.get_any_name()}
    empty = {name: np.zeros((1, shape[1].get_length(), 0, shape[3].get_length()), np.float32) for name, shape in shapes.items()}
    state = empty
    if before.size:
        request.infer(_feeds(names, before, 0) | empty)
        state = {name: request.get_tensor(name.replace("past_key_values", "present")).data.copy() for name in empty}
    feeds = _feeds(names, new, before.shape[1]) | state

    def run():
        request.infer(feeds, share_inputs=True)
        return request.get_tensor("logits").data[0, -1]

    return run


def _openvino_state(compiled, kind, ids):
    """The cache grows by a row with every step, and is put back after 16 of them: its copy hardly counts."""
    import openvino

    before, new = _split(kind, ids)
    request = compiled.create_infer_request()
    names = {port.get_any_name() for port in compiled.inputs}

    def clear():
        for state in request.query_state():
            _, heads, _, size = state.state.shape
            state.state = openvino.Tensor(np.zeros((1, heads, 0, size), np.float32))

    clear()
    if before.size:
        request.infer(_feeds(names, before, 0))
    saved = {state.name: openvino.Tensor(state.state.data.copy()) for state in request.query_state()}
    steps = 0

    def run():
        nonlocal steps
        if not before.size:
            clear()
        elif steps % 16 == 0:
            for state in request.query_state():
                state.state = saved[state.name]
        length = before.shape[1] + (steps % 16 if before.size else 0)
        steps += 1
        request.infer(_feeds(names, new, length), share_inputs=True)
        return request.get_tensor("logits").data[0, -1]

    return run
