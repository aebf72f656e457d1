//===- embed.c - A sentence encoder from C --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a package made by `kiln compile`. Needs only the runtime library at run time:
//
//   embed-c model.kiln 101 7592 2088 102            token ids of one sentence
//   embed-c model.kiln NAME=@x.npy NAME=@y.npy ...  all inputs from files
//   embed-c --device cuda model.kiln ...            on a GPU (cuda:N), on a simulated
//                                                   one (sim), or on the cpu
//
// With token ids, inputs with "mask" in their name are ones and inputs with
// "type" in their name zeros, as tokenizers return for one sentence.
//
//===----------------------------------------------------------------------===//
#include <kiln/npy.h>
#include <kiln/runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_tensors = 16, max_tokens = 512 };

/// The inputs of one run and their memory.
typedef struct inputs {
  kiln_tensor tensors[max_tensors];
  size_t count;
  kiln_npy *files[max_tensors];
  int64_t tokens[max_tensors][max_tokens];
  int64_t shape[2];
} inputs;

/// Prints an error as the kiln program does and ends with its exit status.
static void check(kiln_status *status) {
  if (!status)
    return;
  int code = kiln_status_exit_code(status);
  fprintf(stderr, "error: %s\n", kiln_status_message(status));
  kiln_status_free(status);
  exit(code);
}

static void usage(const char *why) {
  fprintf(stderr,
          "error: %s\nusage: embed-c [--device NAME] M.kiln TOKEN ...\n"
          "       embed-c [--device NAME] M.kiln NAME=@FILE.npy ...\n",
          why);
  exit(2);
}

static void read_file(inputs *in, char *argument) {
  char *separator = strstr(argument, "=@");
  if (!separator)
    usage("an input is not NAME=@FILE.npy");
  *separator = 0;
  check(kiln_npy_read(separator + 2, &in->files[in->count]));
  in->tensors[in->count] = *kiln_npy_tensor(in->files[in->count]);
  in->tensors[in->count].name = argument;
  ++in->count;
}

/// Fills the input of this name as a tokenizer does for one sentence.
static void fill_tokens(const char *name, int count, char **ids, int64_t *out) {
  for (int i = 0; i < count; ++i) {
    if (strstr(name, "mask"))
      out[i] = 1;
    else if (strstr(name, "type"))
      out[i] = 0;
    else
      out[i] = strtoll(ids[i], NULL, 10);
  }
}

static void read_tokens(inputs *in, const kiln_model *model, int count, char **ids) {
  if (count > max_tokens)
    usage("too many tokens");
  in->shape[0] = 1;
  in->shape[1] = count;
  for (size_t i = 0; i < kiln_model_input_count(model) && i < max_tensors; ++i) {
    const char *name = kiln_model_input(model, i)->name;
    fill_tokens(name, count, ids, in->tokens[i]);
    kiln_tensor tensor = {
        name, in->tokens[i], sizeof(int64_t) * (size_t)count, KILN_DTYPE_I64,
        2,    in->shape, KILN_MEMORY_HOST};
    in->tensors[in->count++] = tensor;
  }
}

static void read_inputs(inputs *in, const kiln_model *model, int count,
                        char **arguments) {
  if (!strstr(arguments[0], "=@")) {
    read_tokens(in, model, count, arguments);
    return;
  }
  if (count > max_tensors)
    usage("too many inputs");
  for (int i = 0; i < count; ++i)
    read_file(in, arguments[i]);
}

/// Allocates memory for all outputs, with the shapes that follow from the inputs.
static size_t make_outputs(kiln_session *session, const kiln_model *model,
                           const inputs *in, kiln_shape *shapes, kiln_tensor *outputs) {
  size_t count = kiln_model_output_count(model);
  if (count > max_tensors)
    usage("the model has too many outputs");
  check(kiln_session_output_shapes(session, in->tensors, in->count, shapes, count));
  for (size_t i = 0; i < count; ++i) {
    const kiln_tensor_info *info = kiln_model_output(model, i);
    kiln_tensor tensor = {info->name,      malloc(shapes[i].bytes ? shapes[i].bytes : 1),
                          shapes[i].bytes, info->dtype,
                          shapes[i].rank,  shapes[i].dims,
                          KILN_MEMORY_HOST};
    if (!tensor.data) {
      fprintf(stderr, "error: no memory for output \"%s\"\n", info->name);
      exit(4);
    }
    outputs[i] = tensor;
  }
  return count;
}

/// Prints name, shape and first elements of an output; its norm if it is a vector.
static void print_output(const kiln_tensor *output) {
  printf("%s %s[", output->name, kiln_dtype_name(output->dtype));
  for (uint32_t i = 0; i < output->rank; ++i)
    printf("%s%lld", i ? "," : "", (long long)output->shape[i]);
  printf("]");
  if (output->dtype == KILN_DTYPE_F32) {
    const float *values = output->data;
    size_t count = output->size / sizeof(float);
    double sum = 0;
    for (size_t i = 0; i < count; ++i)
      sum += (double)values[i] * values[i];
    for (size_t i = 0; i < count && i < 6; ++i)
      printf("%s%.6f", i ? ", " : ": ", values[i]);
    printf("%s  norm %.6f", count > 6 ? ", ..." : "", sqrt(sum));
  }
  printf("\n");
}

int main(int argc, char **argv) {
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  if (argc > 2 && !strcmp(argv[1], "--device")) {
    options.device = argv[2];
    argc -= 2;
    argv += 2;
  }
  if (argc < 3)
    usage("a package and its inputs are needed");
  kiln_model *model = NULL;
  check(kiln_model_load(argv[1], NULL, &model));
  kiln_session *session = NULL;
  check(kiln_session_create(model, &options, &session));

  static inputs in;
  read_inputs(&in, model, argc - 2, argv + 2);
  kiln_shape shapes[max_tensors];
  kiln_tensor outputs[max_tensors];
  size_t count = make_outputs(session, model, &in, shapes, outputs);
  check(kiln_session_run(session, in.tensors, in.count, outputs, count));
  for (size_t i = 0; i < count; ++i)
    print_output(&outputs[i]);

  for (size_t i = 0; i < count; ++i)
    free(outputs[i].data);
  for (size_t i = 0; i < in.count; ++i)
    kiln_npy_free(in.files[i]);
  kiln_session_release(session);
  kiln_model_release(model);
  return 0;
}
