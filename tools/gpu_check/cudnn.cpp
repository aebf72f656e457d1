//===- cudnn.cpp - Attention by cuDNN -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention by cuDNN, with declarations of our own, according to the reference of
// cuDNN's graph interface: a graph of one operation, the first plan for it that can be
// built, and a variant pack of pointers.
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/cudnn.h"
#include "tools/gpu_check/library.h"
#include <algorithm>
#include <cmath>
#include <memory>

using namespace kiln::gpucheck;

namespace {
enum Name : int {
#define NAME(number, name) name = number,
#include "tools/gpu_check/cudnn_names.h"
};
/// Tensor ids in a variant pack.
enum Id : int64_t { Query = 1, Key, Value, Output, Scale };
} // namespace

Cudnn::Cudnn(const Gpu &gpu, const std::string &path) {
  // A library named by the user is tried nevertheless: it may contain PTX.
  if (gpu.driver.simulated && path.empty())
    missing = "it has no code for a simulated GPU";
  else
    open(path);
}

void Cudnn::open(const std::string &path) {
  void *library =
      openLibrary(path, {"libcudnn.so.9", "libcudnn.so"}, "cuDNN", "--cudnn", missing);
  if (!library)
    return;
  int (*create)(void **handle) = nullptr;
  if (!findSymbol(library, create, "cudnnCreate", missing) ||
      !findSymbol(library, destroy, "cudnnDestroy", missing) ||
      !findSymbol(library, setStream, "cudnnSetStream", missing) ||
      !findSymbol(library, lastError, "cudnnGetLastErrorString", missing) ||
      !findSymbol(library, createDescriptor, "cudnnBackendCreateDescriptor", missing) ||
      !findSymbol(library, destroyDescriptor, "cudnnBackendDestroyDescriptor", missing) ||
      !findSymbol(library, finalize, "cudnnBackendFinalize", missing) ||
      !findSymbol(library, setAttribute, "cudnnBackendSetAttribute", missing) ||
      !findSymbol(library, getAttribute, "cudnnBackendGetAttribute", missing) ||
      !findSymbol(library, execute, "cudnnBackendExecute", missing))
    return;
  if (int error = create(&handle))
    missing = "cudnnCreate failed with " + std::to_string(error);
}

Cudnn::~Cudnn() {
  if (handle)
    (void)destroy(handle);
}

void Cudnn::require(int status, const char *call) const {
  if (!status)
    return;
  char words[512] = {};
  lastError(words, sizeof words);
  throw Failure(Machine, "KILN-E0706", "cuDNN", std::string(call) + " failed", "success",
                "status " + std::to_string(status) + (*words ? ", " : "") + words,
                "try cuDNN 9.13 or later, --cudnn FILE names it");
}

CudnnAttention::CudnnAttention(Cudnn &library, const Gpu &gpu,
                               const AttentionShape &shape)
    : library(library), scale(1 / std::sqrt(float(shape.size))) {
  try {
    choosePlan(graphOf(shape));
    int64_t bytes = 0, count = 0;
    library.require(library.getAttribute(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                         CUDNN_TYPE_INT64, 1, &count, &bytes),
                    "cudnnBackendGetAttribute");
    workspace = Buffer(gpu, size_t(std::max<int64_t>(bytes, 1)));
  } catch (...) {
    destroyAll();
    throw;
  }
}

CudnnAttention::~CudnnAttention() { destroyAll(); }

void CudnnAttention::destroyAll() {
  for (; !descriptors.empty(); descriptors.pop_back())
    (void)library.destroyDescriptor(descriptors.back());
}

void *CudnnAttention::make(int kind) {
  void *descriptor = nullptr;
  library.require(library.createDescriptor(kind, &descriptor),
                  "cudnnBackendCreateDescriptor");
  descriptors.push_back(descriptor);
  return descriptor;
}

template <typename T>
void CudnnAttention::set(void *descriptor, int name, int type,
                         const std::vector<T> &values) {
  library.require(
      library.setAttribute(descriptor, name, type, int64_t(values.size()), values.data()),
      "cudnnBackendSetAttribute");
}

void *CudnnAttention::finish(void *descriptor) {
  library.require(library.finalize(descriptor), "cudnnBackendFinalize");
  return descriptor;
}

void *CudnnAttention::tensor(int64_t id, const AttentionShape &shape) {
  void *made = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  int64_t line = shape.size, head = line * shape.length, batch = head * shape.heads;
  set<int>(made, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE,
           {CUDNN_DATA_BFLOAT16});
  set<int64_t>(made, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64,
               {shape.batch, shape.heads, shape.length, shape.size});
  set<int64_t>(made, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, {batch, head, line, 1});
  set<int64_t>(made, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, {id});
  set<int64_t>(made, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, {16});
  return finish(made);
}

/// Describes a scalar in host memory, read when the plan runs.
void *CudnnAttention::scaleTensor() {
  void *made = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  set<int>(made, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, {CUDNN_DATA_FLOAT});
  for (int name : {CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_ATTR_TENSOR_STRIDES})
    set<int64_t>(made, name, CUDNN_TYPE_INT64, {1, 1, 1, 1});
  set<int64_t>(made, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, {Scale});
  set<int64_t>(made, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, {4});
  set<char>(made, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, {1});
  return finish(made);
}

void *CudnnAttention::graphOf(const AttentionShape &shape) {
  void *attention = make(CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR);
  auto link = [&](int name, void *tensor) {
    set<void *>(attention, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, {tensor});
  };
  link(CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, tensor(Query, shape));
  link(CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, tensor(Key, shape));
  link(CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, tensor(Value, shape));
  link(CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, tensor(Output, shape));
  link(CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, scaleTensor());
  finish(attention);
  void *graph = make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  set<void *>(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE,
              {library.handle});
  set<void *>(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
              {attention});
  return finish(graph);
}

/// Selects the first plan that the library can build of those that its heuristic
/// proposes, which are sorted by expected speed.
void CudnnAttention::choosePlan(void *graph) {
  void *heuristic = make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  set<int>(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE,
           {CUDNN_HEUR_MODE_A});
  set<void *>(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH,
              CUDNN_TYPE_BACKEND_DESCRIPTOR, {graph});
  finish(heuristic);
  std::vector<void *> configs(8);
  for (void *&config : configs)
    config = make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  int64_t count = 0;
  library.require(library.getAttribute(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                       CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                       int64_t(configs.size()), &count, configs.data()),
                  "cudnnBackendGetAttribute");
  int status = 0;
  for (int64_t i = 0; i < std::min<int64_t>(count, int64_t(configs.size())); ++i) {
    void *candidate = make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    set<void *>(candidate, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE,
                {library.handle});
    set<void *>(candidate, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG,
                CUDNN_TYPE_BACKEND_DESCRIPTOR, {configs[size_t(i)]});
    status = library.finalize(candidate);
    if (!status) {
      plan = candidate;
      return;
    }
  }
  library.require(status, "cudnnBackendFinalize of every plan");
  throw Failure(Machine, "KILN-E0706", "cuDNN", "it has no kernel for this attention",
                "a plan or more", "none", "try another cuDNN, --cudnn FILE names it");
}

void CudnnAttention::run(Stream stream, Address query, Address key, Address value,
                         Address result) {
  library.require(library.setStream(library.handle, stream), "cudnnSetStream");
  auto pointer = [](Address address) { return reinterpret_cast<void *>(address); };
  void *pack = nullptr;
  library.require(library.createDescriptor(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &pack),
                  "cudnnBackendCreateDescriptor");
  std::shared_ptr<void> kept(pack, library.destroyDescriptor);
  set<int64_t>(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64,
               {Query, Key, Value, Output, Scale});
  set<void *>(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
              {pointer(query), pointer(key), pointer(value), pointer(result), &scale});
  set<void *>(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR,
              {pointer(workspace.address)});
  finish(pack);
  library.require(library.execute(library.handle, plan, pack), "cudnnBackendExecute");
}
