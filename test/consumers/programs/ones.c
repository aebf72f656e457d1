/* Runs a package on inputs of ones, each dim 1 where it is free, and prints the bits of
 * the outputs. Valid C from C99 on; includes every header of C. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <kiln/abi.h>
#include <kiln/group.h>
#include <kiln/npy.h>
#include <kiln/runtime.h>
#include <stdio.h>
#include <string.h>

static float one[64], results[64];

static kiln_tensor tensor_of(const kiln_tensor_info *info, float *data, int64_t *shape) {
  kiln_tensor tensor;
  memset(&tensor, 0, sizeof tensor);
  tensor.name = info->name;
  tensor.data = data;
  tensor.size = sizeof(float);
  tensor.dtype = info->dtype;
  tensor.rank = info->rank;
  for (uint32_t i = 0; i < info->rank; ++i) {
    shape[i] = info->dims[i].min;
    tensor.size *= (size_t)shape[i];
  }
  tensor.shape = shape;
  return tensor;
}

static kiln_status *run(kiln_model *model, kiln_session **session) {
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  kiln_run_options limits = KILN_RUN_OPTIONS_INIT;
  int64_t in_shape[KILN_MAX_RANK], out_shape[KILN_MAX_RANK];
  kiln_tensor input = tensor_of(kiln_model_input(model, 0), one, in_shape);
  kiln_tensor output = tensor_of(kiln_model_output(model, 0), results, out_shape);
  kiln_status *status;
  options.threads = 1;
  status = kiln_session_create(model, &options, session);
  if (status)
    return status;
  limits.deadline_ns = kiln_deadline_after(10000000000u);
  status = kiln_session_run_with(*session, &limits, &input, 1, &output, 1);
  if (status)
    return status;
  printf("%s %s:", output.name, kiln_dtype_name(output.dtype));
  for (size_t i = 0; i < output.size / sizeof(float); ++i) {
    uint32_t bits;
    memcpy(&bits, &results[i], sizeof bits);
    printf(" %08x", (unsigned)bits);
  }
  printf("\n");
  return NULL;
}

int main(int count, char **arguments) {
  kiln_model *model = NULL;
  kiln_session *session = NULL;
  kiln_status *status;
  int code;
  for (size_t i = 0; i < sizeof one / sizeof *one; ++i)
    one[i] = 1.0f;
  status = kiln_model_load(count > 1 ? arguments[1] : "", NULL, &model);
  if (!status)
    status = run(model, &session);
  if (status)
    fprintf(stderr, "error: %s\n", kiln_status_message(status));
  code = kiln_status_exit_code(status);
  kiln_status_free(status);
  kiln_session_release(session);
  kiln_model_release(model);
  return code;
}
