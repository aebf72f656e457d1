//===- runtime.h - C interface of the Kiln runtime --------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads a package made by `kiln compile` and runs it.
//
// Ownership, for the whole header:
//  - A function that can fail returns `kiln_status *`: NULL is success, anything
//    else belongs to the caller, who passes it to kiln_status_free. On failure
//    no out parameter is changed.
//  - A model is reference counted: kiln_model_load returns one reference, every
//    session holds one of its own, so models and sessions may be released in
//    any order. A session belongs to whoever created it.
//  - `const char *` and `const ..._info *` results belong to the object they
//    were asked from and live as long as it does. Strings end with NUL, UTF-8.
//  - Arguments are only read during the call, unless stated otherwise. A NULL array
//    whose count is not 0 is KILN-E0001.
//  - Passing NULL to a retain, release or free function does nothing. Other functions
//    answer a NULL handle or out parameter with KILN-E0001, or with 0 or NULL where
//    they return no status.
//
// Threads: a model may be used from any number of threads at once. A session
// runs one request at a time; a second thread that uses it meanwhile gets
// KILN-E0609. Make one session per thread: they share the model's weights.
//
// Fork: a child process may use models and sessions made before the fork, as
// long as no call was in progress in another thread; it gets its own workers.
// Sessions on a GPU are of no use in a child: drivers do not survive a fork.
//
// Sizes are bytes, shapes count elements, tensors are dense and row-major.
//
// The file of a package is not to be written to while a model is loaded from it, as its
// weights are mapped: replace it by renaming another over it. A run after or during a
// change of its size or time of modification fails with KILN-E0514. A page that is cut
// off raises SIGBUS unless guard_mapping is set; in_memory avoids all of this.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_RUNTIME_H
#define KILN_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define KILN_API __attribute__((visibility("default")))
#else
#define KILN_API
#endif

/// The type of enumerations is fixed, so that a value outside them, from another
/// version of this header or by mistake, can be looked at and refused.
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
#define KILN_ENUM(name) enum name : unsigned
#else
#define KILN_ENUM(name) enum name
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Grows when something is added; structs carry their size so that a program
/// built with an older header keeps working.
#define KILN_RUNTIME_API_VERSION 3

/// No tensor has more dims than this.
#define KILN_MAX_RANK 8

typedef struct kiln_status kiln_status;
typedef struct kiln_model kiln_model;
typedef struct kiln_session kiln_session;

/// Version of the library, "0.1.0".
KILN_API const char *kiln_version(void);

//===----------------------------------------------------------------------===//
// Status
//===----------------------------------------------------------------------===//

/// Parts of a message `KILN-E0123: <where>: <what>; expected ..., found ...;
/// fix: ...`. A part that does not apply is the empty string.
typedef KILN_ENUM(kiln_status_part){KILN_STATUS_WHERE, KILN_STATUS_WHAT,
                                    KILN_STATUS_EXPECTED, KILN_STATUS_FOUND,
                                    KILN_STATUS_FIX} kiln_status_part;

/// The stable number of the error, 123 for KILN-E0123; 0 for NULL.
KILN_API unsigned kiln_status_code(const kiln_status *status);
/// What a command should exit with: 2 usage, 3 the model or package is at
/// fault, 4 the machine is; 0 for NULL.
KILN_API int kiln_status_exit_code(const kiln_status *status);
/// The whole message, starting with "KILN-E"; "" for NULL.
KILN_API const char *kiln_status_message(const kiln_status *status);
/// One part of the message; "" for NULL.
KILN_API const char *kiln_status_get(const kiln_status *status, kiln_status_part part);
KILN_API void kiln_status_free(kiln_status *status);

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

typedef KILN_ENUM(kiln_dtype){
    KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16, KILN_DTYPE_F64, KILN_DTYPE_I8,
    KILN_DTYPE_I16, KILN_DTYPE_I32, KILN_DTYPE_I64, KILN_DTYPE_U8, KILN_DTYPE_U16,
    KILN_DTYPE_U32, KILN_DTYPE_U64,
    KILN_DTYPE_BOOL, ///< one byte per element, 0 or 1
    // Floats of 8 bits, and numbers of fewer bits in a byte each: integers are
    // extended to it, floats lie in its low bits. docs/rationale/narrow-types.md
    KILN_DTYPE_F8E4M3FN, KILN_DTYPE_F8E5M2, KILN_DTYPE_F8E4M3FNUZ, KILN_DTYPE_F8E5M2FNUZ,
    KILN_DTYPE_F8E8M0FNU, KILN_DTYPE_F6E2M3FN, KILN_DTYPE_F6E3M2FN, KILN_DTYPE_F4E2M1FN,
    KILN_DTYPE_I4, KILN_DTYPE_U4, KILN_DTYPE_I2, KILN_DTYPE_U2} kiln_dtype;
#define KILN_DTYPE_COUNT 25

/// Bytes of one element; 0 for a value outside the enumeration.
KILN_API size_t kiln_dtype_size(kiln_dtype dtype);
/// "f32", "bool" ...; "?" for a value outside the enumeration.
KILN_API const char *kiln_dtype_name(kiln_dtype dtype);

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
/// The same from the bytes of a package, which are copied. name, for messages, may be
/// NULL.
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
/// What the expressions of a variant's bounds are at these dims, one value per symbol;
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

/// What a step does at given dims.
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

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

/// Narrows a symbol of the model to [lo, hi], within its declared range.
typedef struct kiln_dim_range {
  const char *name;
  int64_t lo, hi;
} kiln_dim_range;

/// The caller's own way to run in parallel. Must call body(context, w) exactly
/// once for every w in [0, workers), on any threads, at once or one after the
/// other, and return when all have returned.
typedef void (*kiln_parallel_for)(void *user, uint32_t workers,
                                  void (*body)(void *context, uint32_t worker),
                                  void *context);

/// A buffer as a step sees it. data stays valid during the callback only.
typedef struct kiln_buffer_view {
  const char *name; ///< ONNX value or weight name; may be ""
  void *data;
  uint64_t bytes;
} kiln_buffer_view;

/// Called on the running thread before (after = 0) and after (after = 1) each
/// step. reads are in kernel operand order, writes in kernel result order. A
/// buffer updated in place shows the old content before and the new one after.
typedef void (*kiln_step_observer)(void *user, size_t step, int after,
                                   const kiln_buffer_view *reads, size_t read_count,
                                   const kiln_buffer_view *writes, size_t write_count);

typedef struct kiln_session_options {
  size_t struct_size;         ///< sizeof(kiln_session_options)
  const char *device;         ///< NULL or "cpu"; "cuda", "cuda:N": a GPU; "sim",
                              ///< "sim:PROFILE": a simulated one
  uint32_t threads;           ///< at most so many, the caller's included; 0: all
                              ///< that affinity and cgroup quota allow. Never
                              ///< more than those; see kiln_session_threads
  const kiln_dim_range *dims; ///< narrower ranges; smaller arenas
  size_t dim_count;
  kiln_parallel_for parallel_for; ///< NULL: the process-wide pool. Otherwise
                                  ///< `threads` is taken as it is (0: 1)
  void *parallel_for_user;
  int profile;                 ///< time each step, see kiln_session_step_times
  int measure_memory;          ///< slow: measure the bytes really written to arenas
  kiln_step_observer observer; ///< NULL: none
  void *observer_user;
  int no_graph; ///< GPU: launch every kernel by itself, so that an error names it
  uint64_t graph_memory; ///< GPU: bytes that instantiated graphs may take; 0: as the
                         ///< package says. Each serves one set of dims at a time,
                         ///< and a run with dims that one of them has changes
                         ///< nothing in it. All are made with the session; there
                         ///< is always one, and never more than 64
} kiln_session_options;

#define KILN_SESSION_OPTIONS_INIT                                                        \
  {sizeof(kiln_session_options), NULL, 0, NULL, 0, NULL, NULL, 0, 0, NULL, NULL, 0, 0}

/// Creates a session and allocates its arenas for all the dims it allows,
/// one allocation each; memory is only touched as far as requests need. options
/// may be NULL. On a GPU it also loads the model's code and weights, unless another
/// session has. Errors: KILN-E0503 (weights, on a GPU), E0510 (no code for this device),
/// E0512 (model loaded to inspect), E0608 (dims), E0612 (a symbol no input determines),
/// E0700 (memory), E0702 (device), E0704 to E0709 (GPU).
KILN_API kiln_status *kiln_session_create(kiln_model *model,
                                          const kiln_session_options *options,
                                          kiln_session **out);
/// Waits for runs under way.
KILN_API void kiln_session_release(kiln_session *session);

/// The session as the entry of that name: what it runs, and whose output shapes, symbols,
/// steps and arenas it tells. It is part of the session, lives as long, and is not to be
/// released. Entries share device, arenas and states, and one of them runs at a time. A
/// session is created for all entries and is its first one; dims of its options are
/// dims of any. Errors: KILN-E0619.
KILN_API kiln_status *kiln_session_entry(kiln_session *session, const char *name,
                                         kiln_session **out);

/// Where a session runs.
typedef struct kiln_device_info {
  const char *name;         ///< "cpu", "cuda:0", "sim:h200", as asked for
  const char *gpu;          ///< as its driver calls it, "NVIDIA H200"; "" for the CPU
  const char *target;       ///< of the package, whose code is used; "" without kernels
  int ordinal;              ///< of the GPU; -1 for the CPU
  int capability;           ///< compute capability, 90 for 9.0; 0 for the CPU
  uint32_t multiprocessors; ///< 0 for the CPU
  int simulated;            ///< times are those of a model, not of a GPU
  void *stream; ///< CUstream of the runs; NULL for the CPU. See kiln_session_set_stream
} kiln_device_info;

KILN_API const kiln_device_info *kiln_session_device(const kiln_session *session);

/// Where the bytes of a tensor are.
typedef KILN_ENUM(kiln_memory){
    KILN_MEMORY_ANY,   ///< on a GPU the driver is asked; host memory otherwise
    KILN_MEMORY_HOST,  ///< pageable or pinned
    KILN_MEMORY_DEVICE ///< of the session's GPU
} kiln_memory;

/// A tensor in the caller's memory. Sessions on a GPU use memory of that GPU where it
/// is, without a copy, if it was allocated in the device's primary context (as the CUDA
/// runtime does) or as managed memory, and is aligned to 16 bytes. It must be ready in
/// the session's stream. Host memory is copied, pinned memory without a detour.
typedef struct kiln_tensor {
  const char *name; ///< NULL: the tensor's place in the array counts
  void *data;       ///< aligned to the element size; inputs are only read
  size_t size;      ///< bytes at data
  kiln_dtype dtype;
  uint32_t rank;
  const int64_t *shape; ///< rank dims; outputs: NULL to skip its check
  kiln_memory memory;   ///< 0: KILN_MEMORY_ANY
} kiln_tensor;

/// A computed shape.
typedef struct kiln_shape {
  uint32_t rank;
  int64_t dims[KILN_MAX_RANK];
  uint64_t bytes; ///< of the whole tensor
} kiln_shape;

/// Shapes of all outputs for these input shapes (data and size are not looked
/// at). count must be kiln_model_output_count.
KILN_API kiln_status *kiln_session_output_shapes(kiln_session *session,
                                                 const kiln_tensor *inputs,
                                                 size_t input_count, kiln_shape *out,
                                                 size_t count);

/// Runs the model. Every input and output must be given once, in any order if
/// named. Symbols are taken from the input shapes; a change of dims costs some
/// microseconds, the same dims again cost nothing. Allocates nothing on the
/// heap. Bits do not depend on threads. Outputs must overlap neither each other
/// nor an input. Errors: E0503 (weights), E0600 to E0610, E0613 and E0614; outputs are
/// then untouched, except that E0614 for an index that the model computes, or that is in
/// memory of a GPU, is found by the run itself: outputs and state are then unspecified.
/// E0514 (the file was written to): the outputs may be wrong. On a GPU also E0706 to
/// E0709; what a run under way has written of the outputs is then undefined, and after
/// E0709 the GPU is of no more use to this process.
KILN_API kiln_status *kiln_session_run(kiln_session *session, const kiln_tensor *inputs,
                                       size_t input_count, const kiln_tensor *outputs,
                                       size_t output_count);

/// kiln_session_run of the entry of that name.
KILN_API kiln_status *kiln_session_run_entry(kiln_session *session, const char *name,
                                             const kiln_tensor *inputs,
                                             size_t input_count,
                                             const kiln_tensor *outputs,
                                             size_t output_count);

/// Runs on a CUDA stream of the caller from now on: a CUstream (or cudaStream_t) of the
/// device's primary context, that must outlive the session or the next call of this;
/// NULL: the session's own stream again. (The default streams are CU_STREAM_LEGACY and
/// CU_STREAM_PER_THREAD.) On a caller's stream a run whose tensors are all in device
/// memory returns when its work is in the stream: its errors come from
/// kiln_session_synchronize or from a later call, and its memory must stay as it is
/// until then. Waits for earlier runs. Errors: KILN-E0001 on a CPU, and for what the
/// driver does not know as a stream of this context (a run says so too if its stream is
/// gone); the session keeps its stream then. NVIDIA's driver reads what the handle points
/// to, so one that was never a stream, or is none any more, may end the process instead.
KILN_API kiln_status *kiln_session_set_stream(kiln_session *session, void *stream);
/// Waits for all runs of the session.
KILN_API kiln_status *kiln_session_synchronize(kiln_session *session);

/// Sets all state back to zero, as after creation.
KILN_API kiln_status *kiln_session_reset_state(kiln_session *session);

/// The shape and bytes of a state in this session.
KILN_API kiln_status *kiln_session_state_shape(const kiln_session *session, size_t index,
                                               kiln_shape *out);
/// Copies bytes of a state out of the session or into it, in host memory, row-major as
/// all tensors. A sequence is forgotten, or trimmed, by writing its place of "lengths".
/// Errors: KILN-E0616 (outside of the state), E0615 (no sequence can have this length),
/// E0620 (a state has not kept what this length needs: write 0 first to replace all).
KILN_API kiln_status *kiln_session_read_state(kiln_session *session, size_t index,
                                              uint64_t offset, void *to, size_t size);
KILN_API kiln_status *kiln_session_write_state(kiln_session *session, size_t index,
                                               uint64_t offset, const void *from,
                                               size_t size);
/// Copies all that the states hold of one sequence to another one.
KILN_API kiln_status *kiln_session_copy_row(kiln_session *session, size_t from,
                                            size_t to);

/// Threads a run uses at most, the caller's included.
KILN_API uint32_t kiln_session_threads(const kiln_session *session);
/// The session's range of a symbol of the model; NULL if out of range.
KILN_API const kiln_symbol_info *kiln_session_symbol(const kiln_session *session,
                                                     size_t index);

/// Nanoseconds of each step in the last run, kiln_model_step_count of them;
/// NULL unless options.profile was set.
KILN_API const uint64_t *kiln_session_step_times(const kiln_session *session);

/// How a step was launched in the last run.
typedef struct kiln_step_launch {
  int64_t tasks;                      ///< blocks of a GPU
  uint32_t threads;                   ///< of a block; 0 on a CPU and for copies
  uint32_t shared_bytes;              ///< of a block
  uint32_t blocks_per_multiprocessor; ///< that fit there at once
  uint64_t workspace_bytes;           ///< blocks write for each other, and read once
  const char *code;                   ///< name of what ran on a GPU: that of the kernel
                                      ///< or of a variant; NULL elsewhere
} kiln_step_launch;

/// Error KILN-E0001 if out of range or before the first run.
KILN_API kiln_status *kiln_session_step_launch(const kiln_session *session, size_t step,
                                               kiln_step_launch *out);

typedef struct kiln_arena_usage {
  kiln_arena_kind kind;
  uint64_t capacity;   ///< allocated; 0 if it is the caller's or the package's
  uint64_t formula;    ///< the formula at the dims of the last run
  uint64_t high_water; ///< end of the highest buffer placed for those dims
  uint64_t measured;   ///< end of the highest byte written, up to the next 64;
                       ///< 0 unless options.measure_memory was set, and on a GPU
} kiln_arena_usage;

/// Use of arena `index` of the model in the last run; all zero before the
/// first. Workspace counts one thread. Error KILN-E0001 if out of range.
KILN_API kiln_status *kiln_session_arena(const kiln_session *session, size_t index,
                                         kiln_arena_usage *out);

#ifdef __cplusplus
}
#endif

#endif // KILN_RUNTIME_H
