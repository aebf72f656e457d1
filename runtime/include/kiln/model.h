//===- model.h - Packages and what they tell --------------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by kiln/runtime.h, whose rules on ownership and threads apply.
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

/// Checks whether a package can run on this machine's CPU. Reads only the header, the
/// section table and the plan: neither code nor weights. Returns NULL if it can;
/// otherwise the status lists all reasons ("built for x86-64-v4, this machine lacks
/// avx512f, avx512bw; ...").
KILN_API kiln_status *kiln_package_validity(const char *path);

/// Checks an entire package, weights included, for any machine: structure, hashes,
/// indices and the memory plan. Runs nothing.
KILN_API kiln_status *kiln_package_check(const char *path);

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

typedef struct kiln_model_options {
  size_t struct_size; ///< sizeof(kiln_model_options)
  int verify_weights; ///< no longer used: see trust_weights
  const char *target; ///< use only this target; NULL: the best for the device
  int inspect_only;   ///< load without a target for this machine; creating sessions fails
  int trust_weights;  ///< do not compare the weights with their hash (which reads all of
                      ///< them)
  int in_memory;      ///< read the weights instead of mapping them: later changes of the
                      ///< file have no effect, but processes do not share the memory
  const char *expect_sha256; ///< refuse a package whose SHA-256, as printed by sha256sum,
                             ///< differs; NULL: accept any
  int guard_mapping; ///< handle SIGBUS, so that truncating the file during a run is
                     ///< KILN-E0514. The handler is process-wide, stays installed, and
                     ///< forwards faults outside mapped weights to the previous one
} kiln_model_options;

#define KILN_MODEL_OPTIONS_INIT {sizeof(kiln_model_options), 0, NULL, 0, 0, 0, NULL, 0}

/// Loads a package and compares all of its bytes with their hashes: the weights on
/// background threads that continue after this call, unless inspect_only is set. Work
/// that needs the weights waits for these threads: the first run of a session on the CPU,
/// and the creation of a session on a GPU or of a group. options may be NULL. Errors:
/// KILN-E0001 (expect_sha256), E0002 and E0004 (file), E0500 to E0515 (package), E0700
/// (memory). A package that has code for GPUs loads on any CPU; whether there is code for
/// a device is checked when a session is created.
KILN_API kiln_status *kiln_model_load(const char *path, const kiln_model_options *options,
                                      kiln_model **out);
/// Loads a model from the bytes of a package, which are copied. name, for error messages,
/// may be NULL.
KILN_API kiln_status *kiln_model_load_buffer(const void *data, size_t size,
                                             const char *name,
                                             const kiln_model_options *options,
                                             kiln_model **out);
/// Waits until the weights have been compared with their hash, as the first run would do.
/// Call it to learn of damage before requests arrive. Errors: KILN-E0503, E0514.
KILN_API kiln_status *kiln_model_check_weights(kiln_model *model);
KILN_API void kiln_model_retain(kiln_model *model);
KILN_API void kiln_model_release(kiln_model *model);

/// Returns the number of entries. A model has one entry, "main", or several programs over
/// the same weights and states, such as "prefill" and "decode" of a decoder. Functions
/// that take a model concern one entry: its inputs and outputs, symbols, arenas, kernels,
/// steps. A loaded model stands for its first entry; states, targets, provenance and file
/// are common to all entries.
KILN_API size_t kiln_model_entry_count(const kiln_model *model);
/// Returns an entry's name; NULL if out of range.
KILN_API const char *kiln_model_entry_name(const kiln_model *model, size_t index);
/// Returns the name of the entry that this model stands for.
KILN_API const char *kiln_model_current_entry(const kiln_model *model);
/// Returns the model that stands for the entry of that name. Both have one reference
/// count, so either may be retained or released. Errors: KILN-E0619.
KILN_API kiln_status *kiln_model_entry(kiln_model *model, const char *name,
                                       kiln_model **out);

/// A dim of a model input or output.
typedef struct kiln_dim_info {
  const char *expr; ///< "384", "seq", "2*batch"
  int64_t min, max; ///< range over the model's envelope; may be wider than the actual one
} kiln_dim_info;

typedef struct kiln_tensor_info {
  const char *name;
  kiln_dtype dtype;
  uint32_t rank;
  const kiln_dim_info *dims; ///< array of `rank` dims
} kiln_tensor_info;

KILN_API size_t kiln_model_input_count(const kiln_model *model);
KILN_API size_t kiln_model_output_count(const kiln_model *model);
/// Returns an input; NULL if index is out of range, as in all functions of this form.
KILN_API const kiln_tensor_info *kiln_model_input(const kiln_model *model, size_t index);
KILN_API const kiln_tensor_info *kiln_model_output(const kiln_model *model, size_t index);

/// Returns the number of states. A state is a tensor that outlives a run: runs read it
/// and write it in place, and no input or output names it. It is zero at first. Its first
/// dim counts sequences ("rows"), and one of the others the positions that it has room
/// for ("capacity"); both are fixed for a session. The state "lengths", i64[rows], has
/// the number of positions of each sequence: a run adds the input "counts" to it, and
/// fails with KILN-E0615 if a sequence would exceed its capacity. A state that keeps only
/// the last positions (a ring buffer) has a constant in place of "capacity".
KILN_API size_t kiln_model_state_count(const kiln_model *model);
KILN_API const kiln_tensor_info *kiln_model_state(const kiln_model *model, size_t index);

/// Returns the number of rows that the indices in an input refer to, for the given symbol
/// values in the order of kiln_model_symbol: a run refuses indices outside of [-rows,
/// rows) (KILN-E0614). -1: the input has no checked indices.
KILN_API kiln_status *kiln_model_index_rows(const kiln_model *model, size_t input,
                                            const int64_t *symbol_values, int64_t *out);

/// A symbolic dim and its range, both ends included.
typedef struct kiln_symbol_info {
  const char *name;
  int64_t min, max;
} kiln_symbol_info;

KILN_API size_t kiln_model_symbol_count(const kiln_model *model);
KILN_API const kiln_symbol_info *kiln_model_symbol(const kiln_model *model, size_t index);

typedef KILN_ENUM(kiln_arena_kind){
    KILN_ARENA_WEIGHTS,     ///< mapped from the package, common to all sessions
    KILN_ARENA_INPUT,       ///< the caller's memory
    KILN_ARENA_OUTPUT,      ///< the caller's memory
    KILN_ARENA_ACTIVATIONS, ///< one allocation per session
    KILN_ARENA_STATE,       ///< one allocation per session, kept between runs
    KILN_ARENA_WORKSPACE    ///< per session; its formula is for one thread
} kiln_arena_kind;

typedef struct kiln_arena_info {
  kiln_arena_kind kind;
  const char *formula; ///< bytes as a formula over the symbols
  uint64_t max_bytes;  ///< maximum over the model's envelope
} kiln_arena_info;

/// Returns "weights", "activations" ...
KILN_API const char *kiln_arena_kind_name(kiln_arena_kind kind);
KILN_API size_t kiln_model_arena_count(const kiln_model *model);
KILN_API const kiln_arena_info *kiln_model_arena(const kiln_model *model, size_t index);
/// Evaluates the formula of an arena for symbol values, one per symbol in the order of
/// kiln_model_symbol.
KILN_API kiln_status *kiln_model_arena_bytes(const kiln_model *model, size_t index,
                                             const int64_t *symbol_values, uint64_t *out);

typedef struct kiln_target_info {
  const char *name;     ///< "x86-64-v3"
  size_t feature_count; ///< number of CPU features that its code needs (LLVM names)
  const char *const *features;
  const char *missing;  ///< features that this CPU lacks, "avx512f, avx512bw"; ""
  int selected;         ///< the model uses the code of this target
  uint64_t cubin_bytes; ///< machine code for exactly this GPU; 0: only PTX
} kiln_target_info;

KILN_API size_t kiln_model_target_count(const kiln_model *model);
KILN_API const kiln_target_info *kiln_model_target(const kiln_model *model, size_t index);

/// Returns the number of kernels of the package; steps refer to them by name.
KILN_API size_t kiln_model_kernel_count(const kiln_model *model);
KILN_API const char *kiln_model_kernel_name(const kiln_model *model, size_t kernel);
/// Returns the null-terminated PTX text of a kernel for a target of the package; NULL if
/// an index is out of range or the target is no GPU.
KILN_API const char *kiln_model_kernel_ptx(const kiln_model *model, size_t kernel,
                                           size_t target);

/// Returns the config from which a kernel's default code for a target was generated; may
/// be "". NULL if an index is out of range.
KILN_API const char *kiln_model_kernel_config(const kiln_model *model, size_t kernel,
                                              size_t target);

/// A condition on the dims: an expression over the symbols is at most `max`.
typedef struct kiln_bound_info {
  const char *value; ///< "batch*seq"
  int64_t max;
} kiln_bound_info;

/// A kernel's code for some dims on one GPU target. A launch uses the target's first
/// variant, in this order, whose bounds all hold, and otherwise the kernel's default
/// code.
typedef struct kiln_variant_info {
  const char *name;            ///< name of the code
  const char *config;          ///< config from which it was generated
  size_t target;               ///< index in the package's targets
  size_t bound_count;          ///< at least 1
  const kiln_bound_info *when; ///< its bounds
} kiln_variant_info;

KILN_API size_t kiln_model_variant_count(const kiln_model *model, size_t kernel);
/// Returns a variant; NULL if an index is out of range.
KILN_API const kiln_variant_info *kiln_model_variant(const kiln_model *model,
                                                     size_t kernel, size_t index);
/// Returns the null-terminated PTX text of a variant; NULL if an index is out of range.
KILN_API const char *kiln_model_variant_ptx(const kiln_model *model, size_t kernel,
                                            size_t index);
/// Returns the values of a variant's bounds at these dims, one value per symbol;
/// `out` has room for one number per bound. Errors: KILN-E0001, E0508.
KILN_API kiln_status *kiln_model_variant_bounds(const kiln_model *model, size_t kernel,
                                                size_t index,
                                                const int64_t *symbol_values,
                                                int64_t *out);

/// One step of the plan: a kernel launch, a copy, or a collective.
typedef struct kiln_step_info {
  const char *kernel; ///< name of the kernel; "copy", "all_reduce", "all_gather" ...
  const char *hero;   ///< "matmul", "attention" ...; "" unless a kernel launch
  /// Config from which the kernel was generated, for the first target; may be "".
  const char *config;
  size_t node_count; ///< ONNX nodes that this step computes
  const char *const *nodes;
} kiln_step_info;

/// Cost of a step at given dims.
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

/// The CUDA graph that a session on a GPU builds from the steps: one node per step and
/// one per output that is a copy of another buffer.
typedef struct kiln_graph_info {
  size_t nodes;
  size_t edges;        ///< after transitive reduction
  size_t depth;        ///< nodes on the longest chain
  uint64_t bytes;      ///< estimate for one instantiated graph
  uint64_t memory;     ///< max bytes of a session's graphs according to the package
  size_t instantiated; ///< graphs that a session instantiates; see kiln_session_options
} kiln_graph_info;

KILN_API kiln_status *kiln_model_graph(const kiln_model *model, kiln_graph_info *out);
/// Returns the earlier steps that a step depends on on a GPU, in order and after
/// transitive reduction. NULL and 0 if the index is out of range, or if memory is
/// exhausted.
KILN_API const uint32_t *kiln_model_step_dependencies(const kiln_model *model,
                                                      size_t index, size_t *count);

/// Returns the provenance section, JSON text: model hash, compiler version, flags ...
/// length (may be NULL): set to its bytes without the terminating null.
KILN_API const char *kiln_model_provenance(const kiln_model *model, size_t *length);
/// Return the path that the model was loaded from, and the size of the file.
KILN_API const char *kiln_model_path(const kiln_model *model);
KILN_API uint64_t kiln_model_file_bytes(const kiln_model *model);

#ifdef __cplusplus
}
#endif

#endif // KILN_MODEL_H
