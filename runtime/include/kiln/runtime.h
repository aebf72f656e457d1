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
// KILN-E0609. Make one session per thread: they share the model's weights. From any
// thread, also during a run, may be called:
//  - kiln_session_cancel, also by a handler of a signal;
//  - kiln_session_arena: it tells of the last run that has ended;
//  - kiln_session_threads, _symbol, _state_shape and, but during
//    kiln_session_set_stream, _device: what they tell does not change.
// kiln_session_step_launch is KILN-E0609 during a run and makes no run fail;
// kiln_session_step_times is NULL then, and a run overwrites what it pointed to before.
// All others make a run that begins meanwhile fail with KILN-E0609.
// A thread that is cancelled (pthread_cancel) within a function first returns from it.
//
// Fork: a child process may use models and sessions made before the fork, as
// long as no call was in progress in another thread; it gets its own workers.
// Sessions on a GPU are of no use in a child: drivers do not survive a fork.
//
// Sizes are bytes, shapes count elements, tensors are dense and row-major.
//
// Versions: a program that was compiled with these headers runs with later libraries.
// Structs that begin with struct_size grow at their ends, and so do those that functions
// return as `const ..._info *`. All others never change: arrays have them as elements, or
// functions fill them. More than they hold will be told by new functions.
//
// The file of a package is not to be written to while a model is loaded from it, as its
// weights are mapped: replace it by renaming another over it. A run after or during a
// change of its size or time of modification fails with KILN-E0514. A page that is cut
// off raises SIGBUS unless guard_mapping is set; in_memory avoids all of this.
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

/// Narrows a symbol of the model to [lo, hi], within its declared range.
typedef struct kiln_dim_range {
  const char *name;
  int64_t lo, hi;
} kiln_dim_range;

/// The caller's own way to run in parallel. Must call body(context, w) exactly
/// once for every w in [0, workers), on any threads, at once or one after the
/// other, and return when all have returned. A run for which it does not ends with
/// KILN-E0622.
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
/// buffer updated in place shows the old content before and the new one after. An
/// exception that leaves it ends the run with KILN-E0713; it must not leave by longjmp.
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
  const kiln_dim_range *dims; ///< narrower ranges; smaller arenas. The dims on which the
                              ///< size of a state depends need one value each: those not
                              ///< named here get the least that counts sequences (rows)
                              ///< and the most that limits one (capacity)
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
  kiln_workers *workers; ///< CPU: threads that help its runs; NULL: those of the process.
                         ///< Not beside parallel_for
  const kiln_allocator *allocator; ///< CPU: where arenas come from; NULL: the system. A
                                   ///< page behind them that traps is the system's alone
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

/// Creates a session and allocates its arenas for all the dims it allows,
/// one allocation each; memory is only touched as far as requests need. On the host,
/// activations and workspace may be larger than the machine's memory: then a run whose
/// dims take more than is available fails with E0700, and smaller ones run. options
/// may be NULL. On a GPU it also loads the model's code and weights, unless another
/// session has. Errors: KILN-E0503 (weights, on a GPU), E0510 (no code for this device),
/// E0512 (model loaded to inspect), E0608 (dims), E0612 (a symbol no input determines),
/// E0700 (memory), E0702 (device), E0704 to E0709 (GPU).
KILN_API kiln_status *kiln_session_create(kiln_model *model,
                                          const kiln_session_options *options,
                                          kiln_session **out);
/// Waits for runs in progress, then frees the session.
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

/// Runs the model. Every input must be given once, in any order if named, and outputs
/// that are wanted once: those that are absent, or whose data is NULL, are not written,
/// and steps that only they need do not run on a CPU. Symbols are taken from the input
/// shapes; a change of dims costs some microseconds, the same dims again cost nothing.
/// Allocates nothing on the heap. Bits do not depend on threads. Outputs must overlap
/// neither each other nor an input. Errors: E0503 (weights), E0600 to E0610, E0613 and
/// E0614; outputs are then untouched, except that E0614 for an index that the model
/// computes, or that is in memory of a GPU, is found by the run itself: outputs and state
/// are then unspecified. E0514 (the file was written to): the outputs may be wrong. On a
/// GPU also E0706 to E0709; what a run under way has written of the outputs is then
/// undefined, and after E0709 the GPU is of no more use to this process.
KILN_API kiln_status *kiln_session_run(kiln_session *session, const kiln_tensor *inputs,
                                       size_t input_count, const kiln_tensor *outputs,
                                       size_t output_count);

/// kiln_session_output_shapes before there is a session; the model may be loaded to be
/// inspected. Dims that no input has are those of a session without `dims`.
KILN_API kiln_status *kiln_model_output_shapes(const kiln_model *model,
                                               const kiln_tensor *inputs,
                                               size_t input_count, kiln_shape *out,
                                               size_t count);

/// Asked by the thread that called a run, between steps and between parts of long ones,
/// every 20 ms or later: not 0 ends the run, as kiln_session_cancel does.
typedef int (*kiln_run_poll)(void *user);

typedef struct kiln_run_options {
  size_t struct_size;   ///< sizeof(kiln_run_options)
  const char *entry;    ///< what to run; NULL: the entry that the session is
  uint64_t deadline_ns; ///< when the run ends with KILN-E0714, in nanoseconds of
                        ///< CLOCK_MONOTONIC, see kiln_deadline_after; 0: never
  kiln_run_poll poll;   ///< NULL: none
  void *poll_user;
} kiln_run_options;

#define KILN_RUN_OPTIONS_INIT {sizeof(kiln_run_options), NULL, 0, NULL, NULL}

/// The deadline so many nanoseconds from now; never 0.
KILN_API uint64_t kiln_deadline_after(uint64_t nanoseconds);

/// kiln_session_run that may end early. A run that does ends within milliseconds: on the
/// CPU its threads look between steps, and between tasks of steps that take long; on a
/// GPU the caller looks before each launch, and what is launched runs to its end.
/// Outputs are then unspecified. Sequences of a decoder have no new rows: the next run is
/// as if this one had not been. A state that no sequences count is unspecified. The first
/// run of a model waits for its weights to be compared, which nothing cuts short: call
/// kiln_model_check_weights before. options may be NULL. Errors: as kiln_session_run, and
/// KILN-E0713 (cancelled), E0714 (a deadline in the past: nothing is written).
KILN_API kiln_status *kiln_session_run_with(kiln_session *session,
                                            const kiln_run_options *options,
                                            const kiln_tensor *inputs, size_t input_count,
                                            const kiln_tensor *outputs,
                                            size_t output_count);

/// Ends the run in progress on the session or another entry of it: the run returns
/// KILN-E0713. Does nothing without one, so a run that begins later is not ended; a flag
/// that `poll` of kiln_run_options reads ends that as well. The session must not be
/// released meanwhile. May be called by any thread, and by a handler of a signal.
KILN_API void kiln_session_cancel(kiln_session *session);

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

/// Gives the memory of a session on the CPU back, but that of its states, which stay as
/// they are: activations, workspace, and places of outputs that no run was asked for. The
/// next run takes it again, and has the same bits; with an allocator it may fail with
/// KILN-E0700 (E0001), and so may kiln_session_output_shapes. Pages that the program has
/// locked stay. Errors: KILN-E0001 on a GPU, E0609 during a run.
KILN_API kiln_status *kiln_session_trim(kiln_session *session);

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

/// Nanoseconds of each step in the last run, kiln_model_step_count of them, valid until
/// the next; NULL unless options.profile was set, and during a run.
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

/// Errors: KILN-E0001 if out of range or before the first run, E0609 during a run.
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

/// Use of arena `index` of the model in the last run that ended without an error; all
/// zero but kind and capacity before the first. Workspace counts one thread. Error
/// KILN-E0001 if out of range.
KILN_API kiln_status *kiln_session_arena(const kiln_session *session, size_t index,
                                         kiln_arena_usage *out);

#ifdef __cplusplus
}
#endif

#endif // KILN_RUNTIME_H
