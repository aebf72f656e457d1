//===- verify.cpp - Packages against stored results -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/verify.h"
#include "kiln/npy.h"
#include "tools/gpu_check/package.h"
#include "tools/gpu_check/tensors.h"
#include <cstdlib>

using namespace kiln::gpucheck;

namespace {
struct FreeArray {
  void operator()(kiln_npy *array) const { kiln_npy_free(array); }
};
using ArrayPointer = std::unique_ptr<kiln_npy, FreeArray>;

ArrayPointer readArray(const std::string &path) {
  kiln_npy *array = nullptr;
  require(kiln_npy_read(path.c_str(), &array));
  return ArrayPointer(array);
}

class Case {
public:
  Case(const Options &options, const std::vector<std::string> &row)
      : name(row[0]), folder(options.archive + "/cases/" + name + "/"), limit(row[2]),
        model(loadModel(options.archive + "/" + row[1], options.target)) {
    for (size_t i = 0; i < kiln_model_input_count(model.get()); ++i) {
      arrays.push_back(readArray(folder + "in" + std::to_string(i) + ".npy"));
      inputs.push_back(*kiln_npy_tensor(arrays.back().get()));
      inputs.back().name = kiln_model_input(model.get(), i)->name;
    }
  }

  void run(const std::string &device, Report &report) {
    auto graph = outputs(device, true), single = outputs(device, false);
    for (size_t i = 0; i < graph.size(); ++i) {
      const kiln_tensor_info &info = *kiln_model_output(model.get(), i);
      ArrayPointer stored = readArray(folder + "out" + std::to_string(i) + ".npy");
      const kiln_tensor &want = *kiln_npy_tensor(stored.get());
      VerifyResult result{name, info.name, kiln_dtype_name(info.dtype)};
      result.tolerance =
          limit == "-" ? toleranceOf(info.dtype) : std::strtod(limit.c_str(), nullptr);
      result.error = largestError(toNumbers(info.dtype, graph[i].data(), graph[i].size()),
                                  toNumbers(want.dtype, want.data, want.size),
                                  minNormalOf(info.dtype));
      if (graph[i] != single[i])
        result.failure = "the graph's bits differ from those of single launches";
      report.add(result);
    }
  }

private:
  std::vector<std::vector<uint8_t>> outputs(const std::string &device, bool graph) {
    SessionPointer session = createSession(model.get(), device, graph);
    std::vector<kiln_shape> shapes(kiln_model_output_count(model.get()));
    require(kiln_session_output_shapes(session.get(), inputs.data(), inputs.size(),
                                       shapes.data(), shapes.size()));
    std::vector<std::vector<uint8_t>> out;
    std::vector<kiln_tensor> places;
    for (size_t i = 0; i < shapes.size(); ++i) {
      const kiln_tensor_info &info = *kiln_model_output(model.get(), i);
      // Not zero, so that unwritten elements are detected.
      out.emplace_back(shapes[i].bytes, uint8_t(0xa5));
      places.push_back({info.name, out.back().data(), out.back().size(), info.dtype,
                        shapes[i].rank, shapes[i].dims, KILN_MEMORY_HOST});
    }
    require(kiln_session_run(session.get(), inputs.data(), inputs.size(), places.data(),
                             places.size()));
    return out;
  }

  std::string name, folder, limit;
  ModelPointer model;
  std::vector<ArrayPointer> arrays;
  std::vector<kiln_tensor> inputs;
};
} // namespace

void kiln::gpucheck::verifyCases(const Options &options, const std::string &device,
                                 Report &report) {
  for (const auto &row : readTable(options.archive + "/cases.txt", 3)) {
    if (!options.matches(row[0]))
      continue;
    try {
      Case(options, row).run(device, report);
    } catch (const Failure &failure) {
      VerifyResult result{.name = row[0]};
      result.failure = failure.what();
      report.add(result);
    }
  }
}
