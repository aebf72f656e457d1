//===- runtime.h - C interface of the Kiln runtime --------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads a package made by `kiln compile` and runs it.
//
// Ownership, for the entire header:
//  - A function that can fail returns `kiln_status *`: NULL is success, anything
//    else belongs to the caller, who passes it to kiln_status_free. On failure
//    no out parameter is changed.
//  - A model is reference counted: kiln_model_load returns one reference, every
//    session holds one of its own, so models and sessions may be released in
//    any order. A session belongs to its creator.
//  - `const char *` and `const ..._info *` results belong to the object that the
//    function was called on, and live as long as it does. Strings are null-terminated
//    UTF-8.
//  - Arguments are only read during the call, unless stated otherwise. A NULL array
//    whose count is not 0 is KILN-E0001.
//  - Passing NULL to a retain, release or free function does nothing. For a NULL handle
//    or out parameter, other functions return KILN-E0001, or 0 or NULL if they return
//    no status.
//
// Threads: any number of threads may use a model concurrently. A session runs one
// request at a time; a second thread that uses it meanwhile gets KILN-E0609. Create one
// session per thread: all sessions of a model use one copy of its weights. Any thread
// may call, even during a run:
//  - kiln_session_cancel, which signal handlers may also call;
//  - kiln_session_arena, which describes the last run that has ended;
//  - kiln_session_threads, _symbol, _state_shape and, except during
//    kiln_session_set_stream, _device: their results never change.
// During a run kiln_session_step_launch returns KILN-E0609 and kiln_session_step_times
// NULL, without making the run fail; a run overwrites the step times of the last one.
// While any other function uses the session, a run that begins fails with KILN-E0609.
// Cancelling a thread within a function (pthread_cancel) takes effect after its return.
//
// Fork: a child process may use models and sessions created before the fork, as
// long as no call was in progress in another thread; it gets its own workers.
// Sessions on a GPU cannot be used in a child: drivers do not survive a fork.
//
// Sizes are in bytes, shapes in elements, tensors are dense and row-major.
//
// Versions: a program that was compiled with these headers runs with later libraries.
// Structs that begin with struct_size, and those that functions return as
// `const ..._info *`, may get further members at their ends. All other structs never
// change, as arrays have them as elements, or functions fill them; new functions will
// return further information.
//
// The file of a package must not be written to while a model is loaded from it, as its
// weights are mapped: replace it by renaming another file over it. A run during or after
// a change of its size or modification time fails with KILN-E0514. Access to a truncated
// page raises SIGBUS unless guard_mapping is set; in_memory avoids all of this.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_RUNTIME_H
#define KILN_RUNTIME_H

#include "kiln/memory.h"
#include "kiln/model.h"
#include "kiln/observe.h"
#include "kiln/workers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_session kiln_session;

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

/// Restricts a symbol of the model to [lo, hi], within its declared range.
typedef struct kiln_dim_range {
  const char *name;
  int64_t lo, hi;
} kiln_dim_range;

/// The caller's own parallel loop. Must call body(context, w) exactly once for every w in
/// [0, workers), on any threads, concurrently or sequentially, and return when all calls
/// have returned. A run in which it does not fails with KILN-E0622.
typedef void (*kiln_parallel_for)(void *user, uint32_t workers,
                                  void (*body)(void *context, uint32_t worker),
                                  void *context);

/// A buffer that a step reads or writes. data is valid only during the callback.
typedef struct kiln_buffer_view {
  const char *name; ///< ONNX value or weight name; may be ""
  void *data;
  uint64_t bytes;
} kiln_buffer_view;

/// Called on the running thread before (after = 0) and after (after = 1) each step. reads
/// are in the order of the kernel's operands, writes in that of its results. A buffer
/// that is updated in place has the old content before and the new content after the
/// step. An exception of the observer ends the run with KILN-E0713; it must not call
/// longjmp.
typedef void (*kiln_step_observer)(void *user, size_t step, int after,
                                   const kiln_buffer_view *reads, size_t read_count,
                                   const kiln_buffer_view *writes, size_t write_count);

typedef struct kiln_session_options {
  size_t struct_size;         ///< sizeof(kiln_session_options)
  const char *device;         ///< NULL or "cpu"; "cuda", "cuda:N": a GPU; "sim",
                              ///< "sim:PROFILE": a simulated one
  uint32_t threads;           ///< max threads, including the caller; 0: all that affinity
                              ///< and cgroup quota allow, which is also an upper limit;
                              ///< see kiln_session_threads
  const kiln_dim_range *dims; ///< narrower ranges give smaller arenas. Dims on which the
                              ///< size of a state depends need one value each: if not
                              ///< given here, the minimum of a dim that counts sequences
                              ///< (rows) and the maximum of one that limits their length
                              ///< (capacity)
  size_t dim_count;
  kiln_parallel_for parallel_for; ///< NULL: the process-wide pool. Otherwise `threads` is
                                  ///< not limited (0: 1)
  void *parallel_for_user;
  int profile;                 ///< time each step, see kiln_session_step_times
  int measure_memory;          ///< slow: measure the bytes actually written to arenas
  kiln_step_observer observer; ///< NULL: none
  void *observer_user;
  int no_graph; ///< GPU: launch every kernel separately, so that an error names it
  uint64_t graph_memory; ///< GPU: max bytes of instantiated graphs; 0: the package's
                         ///< value. A graph has the parameters for one set of dims, and a
                         ///< run with these dims launches it unchanged. The session
                         ///< instantiates 1 to 64 graphs when it is created
  kiln_workers *workers; ///< CPU: threads that run this session's steps; NULL: those of
                         ///< the process. Excludes parallel_for
  const kiln_allocator *allocator; ///< CPU: allocates the arenas; NULL: mmap. Only memory
                                   ///< from mmap is followed by a guard page
} kiln_session_options;

#define KILN_SESSION_OPTIONS_INIT                                                        \
  {sizeof(kiln_session_options),                                                         \
   NULL,                                                                                 \
   0,                                                                                    \
   NULL,                                                                                 \
   0,                                                                                    \
   NULL,                                                                                 \
   NULL,                                                                                 \
   0,                                                                                    \
   0,                                                                                    \
   NULL,                                                                                 \
   NULL,                                                                                 \
   0,                                                                                    \
   0,                                                                                    \
   NULL,                                                                                 \
   NULL}

/// Creates a session and allocates its arenas for the largest dims that it allows, one
/// allocation each; memory is touched only as far as requests need it. On the CPU,
/// activations and workspace may exceed the machine's memory: a run whose dims need more
/// than is available then fails with E0700, while smaller ones run. options may be NULL.
/// On a GPU it also loads the model's code and weights, unless another session has.
/// Errors: KILN-E0503 (weights, on a GPU), E0510 (no code for this device), E0512 (model
/// loaded to inspect), E0608 (dims), E0612 (a symbol that no input determines), E0700
/// (memory), E0702 (device), E0704 to E0709 (GPU).
KILN_API kiln_status *kiln_session_create(kiln_model *model,
                                          const kiln_session_options *options,
                                          kiln_session **out);
/// Waits for runs in progress, then frees the session.
KILN_API void kiln_session_release(kiln_session *session);

/// Returns the session that runs the entry of that name and answers queries about its
/// output shapes, symbols, steps and arenas. It belongs to the session, lives as long,
/// and must not be released. Entries have device, arenas and states in common, and only
/// one of them runs at a time. A session is created for all entries and stands for the
/// first one; dims in its options may be those of any entry. Errors: KILN-E0619.
KILN_API kiln_status *kiln_session_entry(kiln_session *session, const char *name,
                                         kiln_session **out);

/// The device of a session.
typedef struct kiln_device_info {
  const char *name;         ///< as given: "cpu", "cuda:0", "sim:h200"
  const char *gpu;          ///< name from its driver, "NVIDIA H200"; "" for the CPU
  const char *target;       ///< target in the package; "" without kernels
  int ordinal;              ///< number of the GPU; -1 for the CPU
  int capability;           ///< compute capability, 90 for 9.0; 0 for the CPU
  uint32_t multiprocessors; ///< 0 for the CPU
  int simulated;            ///< times are modelled, not measured on a GPU
  void *stream; ///< CUstream of the runs; NULL for the CPU. See kiln_session_set_stream
} kiln_device_info;

KILN_API const kiln_device_info *kiln_session_device(const kiln_session *session);

/// Location of a tensor's memory.
typedef KILN_ENUM(kiln_memory){
    KILN_MEMORY_ANY,   ///< on a GPU: as the driver says; otherwise host memory
    KILN_MEMORY_HOST,  ///< pageable or pinned
    KILN_MEMORY_DEVICE ///< memory of the session's GPU
} kiln_memory;

/// A tensor in the caller's memory. Sessions on a GPU use memory of that GPU in place,
/// without a copy, if it was allocated in the device's primary context (as by the CUDA
/// runtime) or as managed memory, and is aligned to 16 bytes. Earlier work on it must be
/// ordered before the session's stream. Host memory is copied; pageable memory through a
/// pinned staging buffer.
typedef struct kiln_tensor {
  const char *name; ///< NULL: identified by its position in the array
  void *data;       ///< aligned to the element size; inputs are not written
  size_t size;      ///< bytes at data
  kiln_dtype dtype;
  uint32_t rank;
  const int64_t *shape; ///< `rank` dims; outputs: NULL to skip the check
  kiln_memory memory;   ///< 0: KILN_MEMORY_ANY
} kiln_tensor;

/// A computed shape.
typedef struct kiln_shape {
  uint32_t rank;
  int64_t dims[KILN_MAX_RANK];
  uint64_t bytes; ///< of the entire tensor
} kiln_shape;

/// Computes the shapes of all outputs for these input shapes (data and size are ignored).
/// count must be kiln_model_output_count.
KILN_API kiln_status *kiln_session_output_shapes(kiln_session *session,
                                                 const kiln_tensor *inputs,
                                                 size_t input_count, kiln_shape *out,
                                                 size_t count);

/// Runs the model. Every input must be given once, in any order if named, and every
/// wanted output once: outputs that are absent, or whose data is NULL, are not written,
/// and on a CPU steps that only they need do not run. Symbols are taken from the input
/// shapes; a change of dims costs some microseconds. Allocates nothing on the heap.
/// Results do not depend on the number of threads. Outputs must overlap neither each
/// other nor an input. Errors: E0503 (weights), E0600 to E0610, E0613 and E0614. Outputs
/// are then unchanged, except after E0614 for an index that the model computes, or that
/// is in GPU memory: the run itself detects it, so outputs and state are then
/// unspecified. E0514 (the file was modified): the outputs may be wrong. On a GPU also
/// E0706 to E0709; outputs are then undefined, and after E0709 this process cannot use
/// the GPU any more.
KILN_API kiln_status *kiln_session_run(kiln_session *session, const kiln_tensor *inputs,
                                       size_t input_count, const kiln_tensor *outputs,
                                       size_t output_count);

/// Computes output shapes as kiln_session_output_shapes does, without a session; the
/// model may be loaded with inspect_only. Dims that no input has get the values of a
/// session without `dims`.
KILN_API kiln_status *kiln_model_output_shapes(const kiln_model *model,
                                               const kiln_tensor *inputs,
                                               size_t input_count, kiln_shape *out,
                                               size_t count);

/// Called by the thread that called the run, between steps and between parts of long
/// ones, at intervals of at least 20 ms: a result other than 0 ends the run, as
/// kiln_session_cancel does.
typedef int (*kiln_run_poll)(void *user);

typedef struct kiln_run_options {
  size_t struct_size;   ///< sizeof(kiln_run_options)
  const char *entry;    ///< entry to run; NULL: the session's
  uint64_t deadline_ns; ///< time of CLOCK_MONOTONIC in nanoseconds at which the run ends
                        ///< with KILN-E0714, see kiln_deadline_after; 0: never
  kiln_run_poll poll;   ///< NULL: none
  void *poll_user;
} kiln_run_options;

#define KILN_RUN_OPTIONS_INIT {sizeof(kiln_run_options), NULL, 0, NULL, NULL}

/// Returns the deadline that is this number of nanoseconds from now; never 0.
KILN_API uint64_t kiln_deadline_after(uint64_t nanoseconds);

/// Runs as kiln_session_run does, but may end early. A run that does ends within
/// milliseconds: on the CPU its threads check between steps, and between parts of long
/// steps; on a GPU the caller checks before each launch, and launched work runs to its
/// end. Outputs are then unspecified. Sequences of a decoder get no new rows: the next
/// run behaves as if this one had not happened. A state without a count of sequences is
/// unspecified. The first run of a model waits until the weights have been checked, which
/// cannot be interrupted: call kiln_model_check_weights before. options may be NULL.
/// Errors: as kiln_session_run, and KILN-E0713 (cancelled), E0714 (if the deadline is
/// already past, nothing is written).
KILN_API kiln_status *kiln_session_run_with(kiln_session *session,
                                            const kiln_run_options *options,
                                            const kiln_tensor *inputs, size_t input_count,
                                            const kiln_tensor *outputs,
                                            size_t output_count);

/// Ends the run in progress on the session or on another entry of it: the run returns
/// KILN-E0713. Has no effect without one, so it does not end later runs; a flag that
/// `poll` of kiln_run_options reads can end these, too. The session must not be released
/// meanwhile. May be called by any thread, and by a signal handler.
KILN_API void kiln_session_cancel(kiln_session *session);

/// Runs the entry of that name as kiln_session_run does.
KILN_API kiln_status *kiln_session_run_entry(kiln_session *session, const char *name,
                                             const kiln_tensor *inputs,
                                             size_t input_count,
                                             const kiln_tensor *outputs,
                                             size_t output_count);

/// Makes later runs use a CUDA stream of the caller: a CUstream (or cudaStream_t) of the
/// device's primary context, which must outlive the session or the next call of this
/// function; NULL: the session's own stream again. (The default streams are
/// CU_STREAM_LEGACY and CU_STREAM_PER_THREAD.) On a caller's stream, a run whose tensors
/// are all in device memory returns when its work has been enqueued: its errors are
/// returned by kiln_session_synchronize or a later call, and its memory must not change
/// until then. Waits for earlier runs. Errors: KILN-E0001 on a CPU, and for a handle that
/// the driver does not know as a stream of this context (a run also returns it if its
/// stream was destroyed); the session keeps its stream then. NVIDIA's driver dereferences
/// the handle, so one that was never a stream, or was destroyed, may end the process
/// instead.
KILN_API kiln_status *kiln_session_set_stream(kiln_session *session, void *stream);
/// Waits for all runs of the session.
KILN_API kiln_status *kiln_session_synchronize(kiln_session *session);

/// Frees the memory of a session on the CPU except that of its states: activations,
/// workspace, and memory for outputs that runs did not want. The next run allocates it
/// again, and gives the same bits; with an allocator it may fail with KILN-E0700 (E0001),
/// and so may kiln_session_output_shapes. Pages that the program has locked stay. Errors:
/// KILN-E0001 on a GPU, E0609 during a run.
KILN_API kiln_status *kiln_session_trim(kiln_session *session);

/// Resets all states to zero, as after creation.
KILN_API kiln_status *kiln_session_reset_state(kiln_session *session);

/// Returns the shape and bytes of a state in this session.
KILN_API kiln_status *kiln_session_state_shape(const kiln_session *session, size_t index,
                                               kiln_shape *out);
/// Copy bytes of a state out of the session or into it, in host memory, row-major as all
/// tensors. Writing the element of a sequence in "lengths" drops or truncates it. Errors:
/// KILN-E0616 (outside of the state), E0615 (no sequence can have this length), E0620 (a
/// state has not kept what this length needs: write 0 first to replace all).
KILN_API kiln_status *kiln_session_read_state(kiln_session *session, size_t index,
                                              uint64_t offset, void *to, size_t size);
KILN_API kiln_status *kiln_session_write_state(kiln_session *session, size_t index,
                                               uint64_t offset, const void *from,
                                               size_t size);
/// Copies the rows of one sequence in all states to another sequence.
KILN_API kiln_status *kiln_session_copy_row(kiln_session *session, size_t from,
                                            size_t to);

/// Returns the max number of threads of a run, including the caller.
KILN_API uint32_t kiln_session_threads(const kiln_session *session);
/// Returns the session's range of a symbol of the model; NULL if out of range.
KILN_API const kiln_symbol_info *kiln_session_symbol(const kiln_session *session,
                                                     size_t index);

/// Returns the nanoseconds of each step in the last run, kiln_model_step_count numbers,
/// valid until the next run; NULL unless options.profile was set, and during a run.
KILN_API const uint64_t *kiln_session_step_times(const kiln_session *session);

/// The launch of a step in the last run.
typedef struct kiln_step_launch {
  int64_t tasks;                      ///< on a GPU: blocks
  uint32_t threads;                   ///< per block; 0 on a CPU and for copies
  uint32_t shared_bytes;              ///< per block
  uint32_t blocks_per_multiprocessor; ///< max resident blocks
  uint64_t workspace_bytes;           ///< bytes that blocks exchange
  const char *code;                   ///< on a GPU: name of the kernel or variant that
                                      ///< ran; NULL otherwise
} kiln_step_launch;

/// Describes the launch of a step. Errors: KILN-E0001 if out of range or before the first
/// run, E0609 during a run.
KILN_API kiln_status *kiln_session_step_launch(const kiln_session *session, size_t step,
                                               kiln_step_launch *out);

typedef struct kiln_arena_usage {
  kiln_arena_kind kind;
  uint64_t capacity;   ///< allocated bytes; 0: not the session's memory
  uint64_t formula;    ///< bytes by the formula at the dims of the last run
  uint64_t high_water; ///< end of the highest buffer placed for those dims
  uint64_t measured;   ///< end of the highest byte written, rounded up to 64; 0 unless
                       ///< options.measure_memory was set, and on a GPU
} kiln_arena_usage;

/// Returns the use of arena `index` of the model in the last run that ended without an
/// error; before the first one, all but kind and capacity are zero. Workspace is that of
/// one thread. Error KILN-E0001 if out of range.
KILN_API kiln_status *kiln_session_arena(const kiln_session *session, size_t index,
                                         kiln_arena_usage *out);

#ifdef __cplusplus
}
#endif

#endif // KILN_RUNTIME_H
