"""Writes a model and its weights to disk, the same bytes for the same arguments."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib

from onnx import TensorProto, helper

ALIGNMENT = 4096  # of each tensor in an external file, so that it can be mapped
LARGEST = 2**31 - 2**20  # protobuf files end at 2 GiB


def save(model, initializers, path, external=False, absent=False):
    """Saves to `path`; with `external`, the weights go to `path` + ".data" beside it; with `absent`, that is not written."""
    path = pathlib.Path(path)
    size = sum(array.nbytes for _, array in initializers)
    if not external and not absent and size > LARGEST:
        raise ValueError(f"{size} bytes of weights do not fit into one ONNX file; use --external")
    if absent:
        _refer_external(model, initializers, path.name + ".data")
    elif external:
        _write_external(model, initializers, path.with_name(path.name + ".data"))
    else:
        for name, array in initializers:
            model.graph.initializer.append(_tensor(name, array, b"".join(_blocks(array))))
    temporary = path.with_name(path.name + ".part")
    temporary.write_bytes(model.SerializeToString(deterministic=True))
    temporary.replace(path)


def _blocks(array):
    """The bytes of a tensor in order; tensors that are drawn in blocks never exist as a whole."""
    if hasattr(array, "blocks"):
        yield from (block.tobytes() for block in array.blocks())
    else:
        yield array.tobytes()


def _tensor(name, array, raw=None):
    tensor = TensorProto(name=name, data_type=helper.np_dtype_to_tensor_dtype(array.dtype), dims=array.shape)
    if raw is not None:
        tensor.raw_data = raw
    return tensor


def _write_external(model, initializers, data):
    offsets = _refer_external(model, initializers, data.name)
    with open(data, "wb") as file:
        for offset, (_, array) in zip(offsets, initializers):
            file.seek(offset)
            for block in _blocks(array):
                file.write(block)


def _refer_external(model, initializers, location):
    """Adds the tensors as external data, one after the other, and returns their offsets."""
    offsets, offset = [], 0
    for name, array in initializers:
        tensor = _tensor(name, array)
        offset += -offset % ALIGNMENT
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", location), ("offset", offset), ("length", array.nbytes)):
            tensor.external_data.add(key=key, value=str(value))
        model.graph.initializer.append(tensor)
        offsets.append(offset)
        offset += array.nbytes
    return offsets
