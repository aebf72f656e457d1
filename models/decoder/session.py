"""Runs an exported decoder token by token with ONNX Runtime or onnx.reference, whatever its spelling."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import onnx


class OnnxRuntime:
    def __init__(self, path):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def __call__(self, names, feeds):
        return self._session.run(names, feeds)


class Reference:
    """onnx.reference: slow, and without the operators of com.microsoft."""

    def __init__(self, path):
        from onnx.reference import ReferenceEvaluator

        self._evaluator = ReferenceEvaluator(str(path))

    def __call__(self, names, feeds):
        return self._evaluator.run(names, feeds)


class Decoder:
    """A batch of sequences of equal length, with the interface of `reference.Decoder`."""

    def __init__(self, path, rows=1, capacity=64, engine=OnnxRuntime):
        graph = onnx.load(path, load_external_data=False).graph
        self._run = engine(path)
        self._inputs = [entry.name for entry in graph.input]
        self._outputs = [entry.name for entry in graph.output]
        self._rows, self.length = rows, 0
        # Outputs of the cache follow the logits in the order of the inputs that they become.
        self._state = {}
        for entry in graph.input:
            if entry.name.startswith(("past_key_values.", "key_cache.", "value_cache.")):
                sizes = [dim.dim_value for dim in entry.type.tensor_type.shape.dim]
                length = capacity if "_cache." in entry.name else 0
                place = 1 if "_cache." in entry.name else 2
                sizes[0], sizes[place] = rows, length
                dtype = onnx.helper.tensor_dtype_to_np_dtype(entry.type.tensor_type.elem_type)
                self._state[entry.name] = np.zeros(sizes, dtype)

    def run(self, ids):
        ids = np.asarray(ids, np.int64)
        before, self.length = self.length, self.length + ids.shape[1]
        feeds = {
            "input_ids": ids,
            "attention_mask": np.ones((self._rows, self.length), np.int64),
            "position_ids": np.tile(np.arange(before, self.length), (self._rows, 1)),
            "write_indices": np.full(self._rows, before, np.int64),
            "nonpad_kv_seqlen": np.full(self._rows, self.length, np.int64),
        }
        feeds = {name: value for name, value in feeds.items() if name in self._inputs}
        logits, *state = self._run(self._outputs, feeds | self._state)
        self._state = dict(zip(self._state, state))
        return logits
