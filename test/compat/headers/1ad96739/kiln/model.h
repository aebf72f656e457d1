//===- model.h - Packages and what they tell --------------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by kiln/runtime.h, which says what holds for all functions.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_MODEL_H
#define KILN_MODEL_H

#include "kiln/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_model kiln_model;

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

/// Does this package run on the CPU here? Reads only the header, the
/// section table and the plan: neither images nor weights. NULL if it does;
/// otherwise the status carries every reason ("built for x86-64-v4, this
/// machine lacks avx512f, avx512bw; ...").
KILN_API kiln_status *kiln_package_validity(const char *path);

/// Checks a whole package, weights included, for any machine: structure,
/// hashes, indices and the memory plan. Runs nothing.
KILN_API kiln_status *kiln_package_check(const char *path);

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

typedef struct kiln_model_options {
  size_t struct_size; ///< sizeof(kiln_model_options)
  int verify_weights; ///< not read any more: see trust_weights
  const char *target; ///< the only target to use; NULL: the best for the device
  int inspect_only;   ///< need no target for this machine; no sessions then
  int trust_weights;  ///< do not compare the weights with their hash (reads them all)
  int in_memory;      ///< read the weights instead of mapping them: no change of the file
                      ///< matters any more, but processes share no memory
  const char *expect_sha256; ///< refuse a package whose SHA-256, as sha256sum prints it,
                             ///< is another; NULL: take any
  int guard_mapping; ///< handle SIGBUS, so that a file that is cut off during a run is
                     ///< KILN-E0514. The handler stays, is the whole process's, and
                     ///< hands on what is not at mapped weights
} kiln_model_options;

#define KILN_MODEL_OPTIONS_INIT {sizeof(kiln_model_options), 0, NULL, 0, 0, 0, NULL, 0}

/// Loads a package, all of whose bytes are compared with their hashes: the weights by
/// threads that go on behind this call, unless inspect_only is set. What computes with
/// the weights waits for them: the first run of a session on the CPU, the creation of one
/// on a GPU or of a group. options may be NULL. Errors: KILN-E0001 (expect_sha256), E0002
/// and E0004 (file), E0500 to E0515 (package), E0700 (memory). A package that has code
/// for GPUs loads on any CPU; whether there is code for a device is seen when a session
/// is created.
KILN_API kiln_status *kiln_model_load(const char *path, const kiln_model_options *options,
                                      kiln_model **out);
/// Loads a model from the bytes of a package, which are copied. name, for messages, may
/// be NULL.
KILN_API kiln_status *kiln_model_load_buffer(const void *data, size_t size,
                                             const char *name,
                                             const kiln_model_options *options,
                                             kiln_model **out);
/// Waits until the weights have been compared with their hash, as the first run would.
/// Call it where damage should be known before requests come. Errors: KILN-E0503, E0514.
KILN_API kiln_status *kiln_model_check_weights(kiln_model *model);
KILN_API void kiln_model_retain(kiln_model *model);
KILN_API void kiln_model_release(kiln_model *model);

/// A model has one entry, "main", or several programs over the same weights and states,
/// as "prefill" and "decode" of a decoder. Functions that take a model tell of one entry:
/// its inputs and outputs, symbols, arenas, kernels, steps. A loaded model is its first
/// one; states, targets, provenance and file are those of all.
KILN_API size_t kiln_model_entry_count(const kiln_model *model);
/// NULL if out of range.
KILN_API const char *kiln_model_entry_name(const kiln_model *model, size_t index);
/// The name of the entry that this model tells of.
KILN_API const char *kiln_model_current_entry(const kiln_model *model);
/// The model as the entry of that name. It is part of the model: retaining and releasing
/// it is retaining and releasing that. Errors: KILN-E0619.
KILN_API kiln_status *kiln_model_entry(kiln_model *model, const char *name,
                                       kiln_model **out);

/// A dim of a model input or output.
typedef struct kiln_dim_info {
  const char *expr; ///< "384", "seq", "2*batch"
  int64_t min, max; ///< no dims of the model's envelope lead to others
} kiln_dim_info;

typedef struct kiln_tensor_info {
  const char *name;
  kiln_dtype dtype;
  uint32_t rank;
  const kiln_dim_info *dims; ///< rank of them
} kiln_tensor_info;

KILN_API size_t kiln_model_input_count(const kiln_model *model);
KILN_API size_t kiln_model_output_count(const kiln_model *model);
/// NULL if index is out of range, as for all functions of this form.
KILN_API const kiln_tensor_info *kiln_model_input(const kiln_model *model, size_t index);
KILN_API const kiln_tensor_info *kiln_model_output(const kiln_model *model, size_t index);

/// A tensor that outlives a run: runs read it and write it where it lies, and no input
/// or output names it. It is 0 at first. Its first dim counts sequences, "rows", and one
/// of the others the positions that it has room for, "capacity"; both are fixed for a
/// session. The state "lengths", i64[rows], says how many positions each sequence has: a
/// run adds the input "counts" to it, and a sequence that would have more than its
/// capacity is KILN-E0615. A state that keeps the last positions alone has a constant in
/// place of "capacity".
KILN_API size_t kiln_model_state_count(const kiln_model *model);
KILN_API const kiln_tensor_info *kiln_model_state(const kiln_model *model, size_t index);

/// Rows that the integers of an input index at these sizes, one symbol value in the order
/// of kiln_model_symbol each: a run refuses integers outside of [-rows, rows)
/// (KILN-E0614). -1: the input holds no indices that are checked.
KILN_API kiln_status *kiln_model_index_rows(const kiln_model *model, size_t input,
                                            const int64_t *symbol_values, int64_t *out);

/// A symbolic dim and its range, ends included.
typedef struct kiln_symbol_info {
  const char *name;
  int64_t min, max;
} kiln_symbol_info;

KILN_API size_t kiln_model_symbol_count(const kiln_model *model);
KILN_API const kiln_symbol_info *kiln_model_symbol(const kiln_model *model, size_t index);

typedef KILN_ENUM(kiln_arena_kind){
    KILN_ARENA_WEIGHTS,     ///< mapped from the package, shared by all sessions
    KILN_ARENA_INPUT,       ///< the caller's memory
    KILN_ARENA_OUTPUT,      ///< the caller's memory
    KILN_ARENA_ACTIVATIONS, ///< one allocation per session
    KILN_ARENA_STATE,       ///< one allocation per session, kept between runs
    KILN_ARENA_WORKSPACE    ///< per session; its formula is for one thread
} kiln_arena_kind;

typedef struct kiln_arena_info {
  kiln_arena_kind kind;
  const char *formula; ///< bytes as a formula over the symbols
  uint64_t max_bytes;  ///< no dims of the envelope need more
} kiln_arena_info;

/// "weights", "activations" ...
KILN_API const char *kiln_arena_kind_name(kiln_arena_kind kind);
KILN_API size_t kiln_model_arena_count(const kiln_model *model);
KILN_API const kiln_arena_info *kiln_model_arena(const kiln_model *model, size_t index);
/// The formula of an arena for the given symbol values, one per symbol in the
/// order of kiln_model_symbol.
KILN_API kiln_status *kiln_model_arena_bytes(const kiln_model *model, size_t index,
                                             const int64_t *symbol_values, uint64_t *out);

typedef struct kiln_target_info {
  const char *name;     ///< "x86-64-v3"
  size_t feature_count; ///< CPU features its code needs, LLVM names
  const char *const *features;
  const char *missing;  ///< those absent here, "avx512f, avx512bw"; ""
  int selected;         ///< this model's code comes from this target
  uint64_t cubin_bytes; ///< machine code for exactly this GPU, beside the PTX; 0: none
} kiln_target_info;

KILN_API size_t kiln_model_target_count(const kiln_model *model);
KILN_API const kiln_target_info *kiln_model_target(const kiln_model *model, size_t index);

/// A kernel of the package; steps name it.
KILN_API size_t kiln_model_kernel_count(const kiln_model *model);
KILN_API const char *kiln_model_kernel_name(const kiln_model *model, size_t kernel);
/// The PTX text of a kernel for a target of the package; NULL if an index is out
/// of range or the target is no GPU. Ends with a NUL.
KILN_API const char *kiln_model_kernel_ptx(const kiln_model *model, size_t kernel,
                                           size_t target);

/// The config that a kernel's own code for a target was generated from; may be "". NULL
/// if an index is out of range.
KILN_API const char *kiln_model_kernel_config(const kiln_model *model, size_t kernel,
                                              size_t target);

/// Holds where an expression over the symbols is at most `max`.
typedef struct kiln_bound_info {
  const char *value; ///< "batch*seq"
  int64_t max;
} kiln_bound_info;

/// A kernel's code for some dims on one GPU target. A launch runs the first of its
/// target, in this order, whose bounds all hold, and the kernel's own code if there is
/// none.
typedef struct kiln_variant_info {
  const char *name;            ///< of the code
  const char *config;          ///< the config it was generated from
  size_t target;               ///< of the package
  size_t bound_count;          ///< 1 at least
  const kiln_bound_info *when; ///< its bounds
} kiln_variant_info;

KILN_API size_t kiln_model_variant_count(const kiln_model *model, size_t kernel);
/// NULL if an index is out of range.
KILN_API const kiln_variant_info *kiln_model_variant(const kiln_model *model,
                                                     size_t kernel, size_t index);
/// The PTX text of a variant; NULL if an index is out of range. Ends with a NUL.
KILN_API const char *kiln_model_variant_ptx(const kiln_model *model, size_t kernel,
                                            size_t index);
/// Returns the values of a variant's bounds at these dims, one value per symbol;
/// `out` has room for one number per bound. Errors: KILN-E0001, E0508.
KILN_API kiln_status *kiln_model_variant_bounds(const kiln_model *model, size_t kernel,
                                                size_t index,
                                                const int64_t *symbol_values,
                                                int64_t *out);

/// One step of the plan: a kernel launch, a copy, or what ranks do together.
typedef struct kiln_step_info {
  const char *kernel; ///< name of the kernel; "copy", "all_reduce", "all_gather" ...
  const char *hero;   ///< "matmul", "attention" ...; "" where no kernel is launched
  /// The config the kernel was generated from, on the first target; may be "".
  const char *config;
  size_t node_count; ///< ONNX nodes this step computes
  const char *const *nodes;
} kiln_step_info;

/// Launch of a step at given dims.
typedef struct kiln_step_cost {
  int64_t tasks; ///< independent tasks of its grid
  int64_t bytes; ///< compulsory memory traffic
  int64_t flops;
} kiln_step_cost;

KILN_API size_t kiln_model_step_count(const kiln_model *model);
KILN_API const kiln_step_info *kiln_model_step(const kiln_model *model, size_t index);
KILN_API kiln_status *kiln_model_step_cost(const kiln_model *model, size_t index,
                                           const int64_t *symbol_values,
                                           kiln_step_cost *out);

/// The CUDA graph that a session on a GPU builds from the steps: one node per step
/// and one per output that is a copy of something else.
typedef struct kiln_graph_info {
  size_t nodes;
  size_t edges;        ///< without those that follow from others
  size_t depth;        ///< nodes on the longest chain
  uint64_t bytes;      ///< an estimate for one instantiated graph
  uint64_t memory;     ///< what the package allows all of a session's to take
  size_t instantiated; ///< as many a session makes; see kiln_session_options
} kiln_graph_info;

KILN_API kiln_status *kiln_model_graph(const kiln_model *model, kiln_graph_info *out);
/// The earlier steps that a step waits for on a GPU, in order; without those that
/// another of them waits for. NULL and 0 if out of range, or if memory is exhausted.
KILN_API const uint32_t *kiln_model_step_dependencies(const kiln_model *model,
                                                      size_t index, size_t *count);

/// The provenance section, JSON text: model hash, compiler version, flags ...
/// length (may be NULL) gets the bytes without the final NUL.
KILN_API const char *kiln_model_provenance(const kiln_model *model, size_t *length);
/// The path the model was loaded from and the size of the file.
KILN_API const char *kiln_model_path(const kiln_model *model);
KILN_API uint64_t kiln_model_file_bytes(const kiln_model *model);

#ifdef __cplusplus
}
#endif

#endif // KILN_MODEL_H
