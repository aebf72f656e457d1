//===- run.c - A program of the C interface as it was ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled with the headers of each version, and run with the library of today: options
// of every kind, a run, and all that functions fill or return. usage: run model.kiln
//
//===----------------------------------------------------------------------===//
#include <kiln/group.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(kiln_status *status, const char *call) {
  if (!status)
    return;
  printf("%s: %s\n", call, kiln_status_message(status));
  exit(1);
}

/* The code of a call that fails. */
static unsigned codeOf(kiln_status *status) {
  unsigned code = kiln_status_code(status);
  kiln_status_free(status);
  return code;
}

static int parallelRegions;
static void runInTurn(void *user, uint32_t workers, void (*body)(void *, uint32_t),
                      void *context) {
  (void)user;
  ++parallelRegions;
  for (uint32_t w = 0; w < workers; ++w)
    body(context, w);
}

static int observedSteps;
static void observe(void *user, size_t step, int after, const kiln_buffer_view *reads,
                    size_t readCount, const kiln_buffer_view *writes, size_t writeCount) {
  (void)user, (void)step;
  for (size_t i = 0; i < readCount; ++i)
    if (!reads[i].name || (reads[i].bytes && !reads[i].data))
      exit(2);
  for (size_t i = 0; i < writeCount; ++i)
    if (!writes[i].name || !writes[i].bytes)
      exit(2);
  observedSteps += after;
}

static kiln_session *create(kiln_model *model) {
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  kiln_dim_range dims[] = {{"batch", 1, 2}, {"seq", 1, 16}};
  kiln_session *session = NULL;
  options.threads = 2;
  options.dims = dims;
  options.dim_count = 2;
  options.parallel_for = runInTurn;
  options.profile = 1;
  options.measure_memory = 1;
  options.observer = observe;
  check(kiln_session_create(model, &options, &session), "kiln_session_create");
  return session;
}

static void printModel(const kiln_model *model) {
  const kiln_tensor_info *input = kiln_model_input(model, 0);
  const kiln_symbol_info *symbol = kiln_model_symbol(model, 0);
  kiln_step_cost cost;
  kiln_graph_info graph;
  int64_t values[] = {2, 16};
  printf("%s %u", input->name, input->rank);
  for (uint32_t d = 0; d < input->rank; ++d)
    printf(" %s=%lld..%lld", input->dims[d].expr, (long long)input->dims[d].min,
           (long long)input->dims[d].max);
  printf("\n%s %lld..%lld\n", symbol->name, (long long)symbol->min,
         (long long)symbol->max);
  check(kiln_model_step_cost(model, 0, values, &cost), "kiln_model_step_cost");
  check(kiln_model_graph(model, &graph), "kiln_model_graph");
  printf("cost %d graph %d\n", cost.tasks > 0 && cost.bytes > 0,
         graph.nodes >= kiln_model_step_count(model));
  printf("target %d step %d arena %d\n", kiln_model_target(model, 0)->selected,
         kiln_model_step(model, 0)->node_count > 0,
         kiln_model_arena(model, 0)->formula != NULL);
}

static void run(kiln_model *model) {
  kiln_session *session = create(model);
  float x[2 * 3 * 8], y[2 * 3 * 8];
  int64_t shape[] = {2, 3, 8};
  kiln_tensor input = {"x", x, sizeof x, KILN_DTYPE_F32, 3, shape, KILN_MEMORY_HOST};
  kiln_tensor output = {"y", y, sizeof y, KILN_DTYPE_F32, 3, NULL, KILN_MEMORY_ANY};
  kiln_shape shapes[2];
  kiln_arena_usage usage;
  kiln_step_launch launch;
  for (int i = 0; i < 48; ++i)
    x[i] = (float)i / 8;
  memset(shapes, 0x55, sizeof shapes);
  check(kiln_session_output_shapes(session, &input, 1, shapes, 1), "output_shapes");
  check(kiln_session_run(session, &input, 1, &output, 1), "kiln_session_run");
  printf("shape %u %lld %lld %lld %llu, behind it %x\n", shapes[0].rank,
         (long long)shapes[0].dims[0], (long long)shapes[0].dims[1],
         (long long)shapes[0].dims[2], (unsigned long long)shapes[0].bytes,
         shapes[1].rank);
  printf("y %.6f %.6f\n", y[0], y[47]);
  check(kiln_session_arena(session, 0, &usage), "kiln_session_arena");
  check(kiln_session_step_launch(session, 0, &launch), "kiln_session_step_launch");
  printf("arena %d launch %d times %d regions %d steps %d\n", (int)usage.kind,
         launch.tasks > 0, kiln_session_step_times(session) != NULL, parallelRegions >= 0,
         observedSteps == (int)kiln_model_step_count(model));
  printf("device %s %d, dim %lld\n", kiln_session_device(session)->name,
         kiln_session_device(session)->ordinal,
         (long long)kiln_session_symbol(session, 0)->max);
  input.dtype = KILN_DTYPE_F64;
  printf("errors %u", codeOf(kiln_session_run(session, &input, 1, &output, 1)));
  input.dtype = KILN_DTYPE_F32;
  shape[0] = 3;
  printf(" %u\n", codeOf(kiln_session_run(session, &input, 1, &output, 1)));
  kiln_session_release(session);
}

/* A group of one rank, by the options of groups. */
static void runGroup(kiln_model *model) {
  kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
  kiln_group *group = NULL;
  kiln_rank_info rank;
  options.ranks = 1;
  options.threads = 1;
  check(kiln_group_create(model, &options, &group), "kiln_group_create");
  check(kiln_model_rank(model, 0, &rank), "kiln_model_rank");
  printf("ranks %u weights %d\n", kiln_group_ranks(group), rank.weights_bytes > 0);
  kiln_group_release(group);
}

/* An option that this header does not know, as a newer one would have it. */
static void tryNewerOption(const char *path) {
  struct {
    kiln_model_options known;
    uint64_t more[2];
  } options = {KILN_MODEL_OPTIONS_INIT, {0, 0}};
  kiln_model *model = NULL;
  options.known.struct_size = 4096 - 8;
  void *large = calloc(1, 4096);
  memcpy(large, &options, sizeof options);
  check(kiln_model_load(path, large, &model), "options that are larger, and not set");
  kiln_model_release(model);
  ((char *)large)[4000] = 1;
  printf("newer option %u\n", codeOf(kiln_model_load(path, large, &model)));
  free(large);
}

int main(int count, char **arguments) {
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  kiln_model *model = NULL;
  if (count != 2)
    return 2;
  options.in_memory = 1;
  check(kiln_model_load(arguments[1], &options, &model), "kiln_model_load");
  printModel(model);
  run(model);
  runGroup(model);
  tryNewerOption(arguments[1]);
  kiln_model_release(model);
  return 0;
}
