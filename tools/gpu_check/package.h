//===- package.h - A package at given dims ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_PACKAGE_H
#define KILN_GPU_CHECK_PACKAGE_H

#include "tools/gpu_check/failure.h"
#include <map>
#include <memory>
#include <vector>

namespace kiln::gpucheck {

struct ReleaseModel {
  void operator()(kiln_model *model) const { kiln_model_release(model); }
};
struct ReleaseSession {
  void operator()(kiln_session *session) const { kiln_session_release(session); }
};
using ModelPointer = std::unique_ptr<kiln_model, ReleaseModel>;
using SessionPointer = std::unique_ptr<kiln_session, ReleaseSession>;

/// target: target in the package to use; empty: the best for the device. Throws Failure.
ModelPointer loadModel(const std::string &path, const std::string &target);
/// Creates a session. dims: value of each symbol; empty: all dims of the package.
SessionPointer createSession(kiln_model *model, const std::string &device, bool graph,
                             const std::map<std::string, int64_t> &dims = {});

/// Parses "batch:1,sequence:128"; throws KILN-E0004 with `where`.
std::map<std::string, int64_t> parseDims(const std::string &text,
                                         const std::string &where);

/// Returns the shape of an input whose dims are numbers or symbols of `dims`. Throws
/// KILN-E0004.
std::vector<int64_t> shapeOf(const kiln_tensor_info &info,
                             const std::map<std::string, int64_t> &dims);

/// Reads a table of words per line; skips empty lines and those that begin with #. Throws
/// KILN-E0002, or KILN-E0004 for a line with fewer than minWords words.
std::vector<std::vector<std::string>> readTable(const std::string &path, size_t minWords);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_PACKAGE_H
