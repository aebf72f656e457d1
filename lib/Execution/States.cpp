//===- States.cpp - Random state of decoders ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/States.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/Execution/Numbers.h"
#include "kiln/Execution/Status.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/Units.h"
#include "kiln/Support/UsageError.h"
#include <algorithm>

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;

static bool isLengths(const kiln_tensor_info &state) {
  return StringRef(state.name) == "lengths";
}

static Expected<TensorBuffer> bufferOf(kiln_model *model, kiln_session *session,
                                       size_t index) {
  const kiln_tensor_info &info = *kiln_model_state(model, index);
  kiln_shape shape;
  KILN_CHECK(toError(kiln_session_state_shape(session, index, &shape)));
  TensorBuffer buffer(info.name, info.dtype, ArrayRef(shape.dims, shape.rank));
  if (buffer.bytes() && !buffer.data())
    return makeError({ErrorCode::OutOfMemory, "state '" + std::string(info.name) + "'",
                      "no memory for random values", formatBytes(buffer.bytes()), "none",
                      "choose smaller --dims"});
  return buffer;
}

static Error write(kiln_session *session, size_t index, const TensorBuffer &buffer) {
  return toError(
      kiln_session_write_state(session, index, 0, buffer.data(), buffer.bytes()));
}

Error execution::fillLengths(kiln_model *model, kiln_session *session,
                             const InputSet &inputs) {
  const SymbolValues &dims = inputs.symbols();
  auto valueOf = [&](const char *name) {
    auto found = dims.find(name);
    return found == dims.end() ? int64_t(1) : found->second;
  };
  int64_t added = std::max(valueOf("sequence"), valueOf("tokens"));
  int64_t length = std::max<int64_t>(valueOf("capacity") - added, 0);
  for (size_t i = 0; i < kiln_model_state_count(model); ++i) {
    if (!isLengths(*kiln_model_state(model, i)))
      continue;
    Expected<TensorBuffer> buffer = bufferOf(model, session, i);
    if (!buffer)
      return buffer.takeError();
    for (uint64_t row = 0; row < buffer->elements(); ++row)
      writeElement(buffer->getDType(), buffer->data(), row, static_cast<double>(length));
    KILN_CHECK(write(session, i, *buffer));
  }
  return Error::success();
}

Error execution::fillStates(kiln_model *model, kiln_session *session,
                            const InputSet &inputs, uint64_t seed) {
  for (size_t i = 0; i < kiln_model_state_count(model); ++i) {
    if (isLengths(*kiln_model_state(model, i)))
      continue;
    Expected<TensorBuffer> buffer = bufferOf(model, session, i);
    if (!buffer)
      return buffer.takeError();
    if (!buffer->bytes())
      continue; // another rank has this state
    fillRandom(*buffer, seed, 100);
    KILN_CHECK(write(session, i, *buffer));
  }
  return fillLengths(model, session, inputs);
}
