//===- service.c - A service with deadlines, replacement, metrics ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A service: the main thread reads requests and checks for a new package; workers, each
// with a session, answer. README.md has the protocol.
//
//===----------------------------------------------------------------------===//
#define _POSIX_C_SOURCE 200809L
#include <kiln/runtime.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { worker_count = 2, max_waiting = 64, max_tokens = 512, max_tensors = 8 };

typedef struct request {
  uint64_t begin, deadline; // of CLOCK_MONOTONIC, in nanoseconds
  char id[64];
  int64_t tokens[max_tokens];
  size_t count;
} request;

/// State of all threads, guarded by one lock.
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  request *queue[max_waiting]; // a ring buffer
  unsigned first, waiting;
  int is_closed;
  kiln_model *model;
  struct stat file; // the file of the last attempt to load
  unsigned results[1000], failed_loads;
  unsigned loads; // incremented with every loaded model
  double seconds, longest;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static uint64_t now(void) { return kiln_deadline_after(0); }

/// Loads the package if the file has been replaced; if that fails, the old one stays.
static kiln_status *refresh(const char *path) {
  struct stat file = {0};
  kiln_model *model = NULL;
  stat(path, &file);
  if (shared.loads && file.st_ino == shared.file.st_ino &&
      !memcmp(&file.st_mtim, &shared.file.st_mtim, sizeof file.st_mtim))
    return NULL;
  kiln_status *status = kiln_model_load(path, NULL, &model);
  if (!status)
    status = kiln_model_check_weights(model);
  pthread_mutex_lock(&shared.lock);
  shared.file = file;
  if (status) {
    ++shared.failed_loads;
    kiln_model_release(model);
  } else {
    kiln_model_release(shared.model); // sessions hold references of their own
    shared.model = model;
    ++shared.loads;
  }
  pthread_mutex_unlock(&shared.lock);
  return status;
}

/// Writes the answer as one line, with code 0 and values, or an error, and updates the
/// metrics.
static void answer(const request *own, int code, const char *text) {
  double seconds = (double)(now() - own->begin) * 1e-9;
  pthread_mutex_lock(&shared.lock);
  ++shared.results[code % 1000];
  shared.seconds += seconds;
  shared.longest = seconds > shared.longest ? seconds : shared.longest;
  printf("%s %s %s\n", code ? "error" : "ok", own->id, text);
  fflush(stdout);
  pthread_mutex_unlock(&shared.lock);
}

static void metrics(void) {
  unsigned sum = 0;
  pthread_mutex_lock(&shared.lock);
  for (int code = 0; code < 1000; sum += shared.results[code++])
    if (shared.results[code])
      printf("kiln_requests_total{code=\"%d\"} %u\n", code, shared.results[code]);
  printf("kiln_request_seconds_sum %.6f\nkiln_request_seconds_max %.6f\n"
         "kiln_request_seconds_count %u\nkiln_requests_waiting %u\n"
         "kiln_loads_total %u\nkiln_failed_loads_total %u\nend\n",
         shared.seconds, shared.longest, sum, shared.waiting, shared.loads,
         shared.failed_loads);
  fflush(stdout);
  pthread_mutex_unlock(&shared.lock);
}

/// Runs a request; text: receives the first values.
static kiln_status *run(kiln_session *session, const kiln_model *model,
                        const request *own, char *text, size_t size) {
  static const int64_t zeros[max_tokens];
  int64_t ones[max_tokens], shape[2] = {1, (int64_t)own->count};
  kiln_tensor inputs[max_tensors];
  size_t output_count = kiln_model_output_count(model), input_count = 0;
  kiln_shape *shapes = calloc(output_count, sizeof *shapes);
  for (size_t i = 0; i < own->count; ++i)
    ones[i] = 1;
  for (; input_count < kiln_model_input_count(model) && input_count < max_tensors;
       ++input_count) {
    const char *name = kiln_model_input(model, input_count)->name;
    const int64_t *data = strstr(name, "mask")   ? ones
                          : strstr(name, "type") ? zeros
                                                 : own->tokens;
    kiln_tensor tensor = {name, (void *)data, own->count * sizeof *data, KILN_DTYPE_I64,
                          2,    shape,        KILN_MEMORY_HOST};
    inputs[input_count] = tensor;
  }
  kiln_status *status =
      kiln_session_output_shapes(session, inputs, input_count, shapes, output_count);
  size_t bytes = status ? 0 : shapes[output_count - 1].bytes;
  free(shapes);
  if (status)
    return status;
  float *values = malloc(bytes + 1);
  const kiln_tensor_info *info = kiln_model_output(model, output_count - 1);
  kiln_tensor output = {info->name, values, values ? bytes : 0, KILN_DTYPE_F32,
                        info->rank, NULL,   KILN_MEMORY_HOST};
  kiln_run_options options = KILN_RUN_OPTIONS_INIT;
  options.deadline_ns = own->deadline;
  status = kiln_session_run_with(session, &options, inputs, input_count, &output, 1);
  for (size_t i = 0, used = 0; !status && i < bytes / sizeof *values && i < 4; ++i)
    used += (size_t)snprintf(text + used, size - used, i ? " %.6f" : "%.6f",
                             (double)values[i]);
  free(values);
  return status;
}

/// Returns the next request, NULL at the end; and a reference to the model if it is new.
static request *next(unsigned *loads, kiln_model **model) {
  pthread_mutex_lock(&shared.lock);
  while (!shared.waiting && !shared.is_closed)
    pthread_cond_wait(&shared.changed, &shared.lock);
  request *own = NULL;
  if (shared.waiting) {
    own = shared.queue[shared.first];
    shared.first = (shared.first + 1) % max_waiting;
    --shared.waiting;
  }
  if (own && *loads != shared.loads) {
    *loads = shared.loads;
    *model = shared.model;
    kiln_model_retain(*model);
  }
  pthread_mutex_unlock(&shared.lock);
  return own;
}

static void *work(void *unused) {
  unsigned loads = 0;
  kiln_model *model = NULL, *newer = NULL;
  kiln_session *session = NULL;
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = 1;
  request *own;
  while ((own = next(&loads, &newer))) {
    char values[256] = "";
    kiln_status *status = NULL;
    if (newer) {
      kiln_session_release(session);
      kiln_model_release(model);
      model = newer;
      session = NULL, newer = NULL;
    }
    if (!session)
      status = kiln_session_create(model, &options, &session);
    if (!status)
      status = run(session, model, own, values, sizeof values);
    answer(own, (int)kiln_status_code(status),
           status ? kiln_status_message(status) : values);
    kiln_status_free(status);
    free(own);
  }
  kiln_session_release(session);
  kiln_model_release(model);
  return unused;
}

/// Queues the request in a line, or answers that it cannot.
static void enqueue(const char *line) {
  unsigned long long limit = 0;
  char *end = NULL;
  int used = 0, code = 0;
  request *own = calloc(1, sizeof *own);
  if (!own)
    exit(4);
  own->begin = now();
  own->id[0] = '-';
  sscanf(line, "embed %63s %llu%n", own->id, &limit, &used);
  own->deadline = kiln_deadline_after(limit * 1000000);
  for (line += used; used && own->count < max_tokens; line = end, ++own->count) {
    own->tokens[own->count] = strtoll(line, &end, 10);
    if (end == line)
      break;
  }
  pthread_mutex_lock(&shared.lock);
  if (!used || line[strspn(line, " \n")])
    code = 1;
  else if (shared.waiting >= max_waiting)
    code = 623;
  else
    shared.queue[(shared.first + shared.waiting++) % max_waiting] = own;
  pthread_cond_signal(&shared.changed);
  pthread_mutex_unlock(&shared.lock);
  if (code) {
    answer(own, code,
           code == 1 ? "KILN-E0001: request: not as README.md says; fix: see there"
                     : "KILN-E0623: service: 64 requests wait; fix: send it later");
    free(own);
  }
}

int main(int argc, char **argv) {
  pthread_t workers[worker_count];
  char *line = NULL;
  size_t size = 0;
  kiln_status *status = argc == 2 ? refresh(argv[1]) : NULL; // an error ends main
  if (argc != 2 || status) {
    fprintf(stderr, "error: %s\n",
            status ? kiln_status_message(status) : "usage: service-c M.kiln");
    return status ? kiln_status_exit_code(status) : 2;
  }
  for (int i = 0; i < worker_count; ++i)
    if (pthread_create(&workers[i], NULL, work, NULL))
      return 4;
  while (getline(&line, &size, stdin) >= 0) {
    kiln_status_free(refresh(argv[1]));
    if (!strcmp(line, "metrics\n"))
      metrics();
    else
      enqueue(line);
  }
  pthread_mutex_lock(&shared.lock);
  shared.is_closed = 1;
  pthread_cond_broadcast(&shared.changed);
  pthread_mutex_unlock(&shared.lock);
  for (int i = 0; i < worker_count; ++i)
    pthread_join(workers[i], NULL);
  kiln_model_release(shared.model);
  free(line);
  return 0;
}
