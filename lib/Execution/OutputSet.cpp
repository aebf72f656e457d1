//===- OutputSet.cpp - Memory of all outputs ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/OutputSet.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/Execution/Status.h"
#include "kiln/Support/Console.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/Units.h"

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;

Expected<OutputSet> OutputSet::create(kiln_model *model, kiln_session *session,
                                      ArrayRef<kiln_tensor> inputs) {
  OutputSet set;
  unsigned count = outputCount(model);
  std::vector<kiln_shape> shapes(count);
  if (Error error = toError(kiln_session_output_shapes(
          session, inputs.data(), inputs.size(), shapes.data(), count)))
    return error;
  for (unsigned i = 0; i < count; ++i) {
    const kiln_tensor_info &info = *kiln_model_output(model, i);
    set.memory.emplace_back(info.name, info.dtype,
                            ArrayRef(shapes[i].dims, shapes[i].rank));
    if (!set.memory.back().data())
      return makeError({ErrorCode::OutOfMemory, "output '" + std::string(info.name) + "'",
                        "no memory for an output", formatBytes(shapes[i].bytes), "none",
                        "choose smaller dims"});
  }
  for (const TensorBuffer &buffer : set.memory)
    set.views.push_back(buffer.tensor());
  return set;
}

static void warnOfIndices(const kiln_status *status) {
  static bool warned = false;
  if (std::exchange(warned, true) || isQuiet())
    return;
  errs() << "warning: the inputs are random, and lead to an index out of range, which is "
            "clamped here: "
         << withoutControls(kiln_status_get(status, KILN_STATUS_WHERE)) << "; found "
         << withoutControls(kiln_status_get(status, KILN_STATUS_FOUND)) << '\n';
}

/// Converts the status of a run, which it frees. For random inputs, an index out of range
/// is only a warning.
static Error errorOfRun(kiln_status *status, const InputSet &inputs) {
  bool isIndex = kiln_status_code(status) == unsigned(ErrorCode::IndexOutOfRange);
  if (!isIndex || inputs.random().size() != inputs.tensors().size())
    return toError(status);
  warnOfIndices(status);
  kiln_status_free(status);
  return Error::success();
}

Error execution::runOnce(kiln_session *session, const InputSet &inputs,
                         const OutputSet &outputs) {
  ArrayRef<kiln_tensor> given = inputs.tensors(), places = outputs.tensors();
  return errorOfRun(
      kiln_session_run(session, given.data(), given.size(), places.data(), places.size()),
      inputs);
}

Error execution::runOnce(const Runner &runner, const InputSet &inputs,
                         const OutputSet &outputs) {
  return errorOfRun(runner.run(inputs.tensors(), outputs.tensors()), inputs);
}
