/*===- fake_cudnn.c - cuDNN's graph interface without cuDNN -------*- C -*-===//
 *
 * Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Descriptors as lists of attributes, and a plain attention kernel, a thread per element
 * of the result, launched in the stream that was set with the dims, strides, scale and
 * pointers that descriptors hold. The first plan cannot be built, as happens.
 * FAKE_CUDA_DRIVER names the driver; with FAKE_CUDNN_OLD there is no attention, with
 * FAKE_CUDNN_WRONG every result is 1 too large.
 *
 *===----------------------------------------------------------------------===*/
#include "fake_library.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
#define NAME(number, name) name = number,
#include "tools/gpu_check/cudnn_names.h"
};

enum { NotSupported = 3000, BadParameter = 2000 };

/* A block is a row of queries. Its threads share the keys: exp(score * scale) of each,
   without a maximum, since scores of a test are small. Then every thread has a column of
   V. */
static const char *const ptx =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry attention(.param .u64 pq, .param .u64 pk, .param .u64 pv,\n"
    "  .param .u64 po, .param .u64 plength, .param .u64 psize, .param .u64 pscale,\n"
    "  .param .u64 pwrong)\n{\n  .shared .align 4 .b8 weights[4096];\n"
    "  .reg .b64 %q, %k, %v, %o, %n, %d, %row, %head, %at, %i, %j, %e, %w, %line;\n"
    "  .reg .b32 %x, %s, %u;\n  .reg .b16 %h;\n"
    "  .reg .f32 %scale, %score, %sum, %value, %a, %b;\n  .reg .pred %p;\n"
    "  ld.param.u64 %q, [pq];\n  ld.param.u64 %k, [pk];\n  ld.param.u64 %v, [pv];\n"
    "  ld.param.u64 %o, [po];\n  ld.param.u64 %n, [plength];\n"
    "  ld.param.u64 %d, [psize];\n  ld.param.u64 %at, [pscale];\n"
    "  cvt.u32.u64 %u, %at;\n  mov.b32 %scale, %u;\n  shl.b64 %line, %d, 1;\n"
    "  mov.u32 %x, %ctaid.x;\n  cvt.u64.u32 %row, %x;\n  div.u64 %head, %row, %n;\n"
    "  mul.lo.u64 %at, %row, %line;\n  add.u64 %q, %q, %at;\n  add.u64 %o, %o, %at;\n"
    "  mul.lo.u64 %at, %head, %n;\n  mul.lo.u64 %at, %at, %line;\n"
    "  add.u64 %k, %k, %at;\n  add.u64 %v, %v, %at;\n"
    "  mov.u32 %x, %tid.x;\n  cvt.u64.u32 %e, %x;\n  mov.u64 %j, %e;\n"
    "keys:\n  setp.ge.u64 %p, %j, %n;\n  @%p bra shared;\n"
    "  mul.lo.u64 %at, %j, %line;\n  add.u64 %w, %k, %at;\n  mov.u64 %at, %q;\n"
    "  mov.f32 %score, 0f00000000;\n  mov.u64 %i, 0;\n"
    "dot:\n  ld.global.b16 %h, [%at];\n  cvt.u32.u16 %s, %h;\n  shl.b32 %s, %s, 16;\n"
    "  mov.b32 %a, %s;\n  ld.global.b16 %h, [%w];\n  cvt.u32.u16 %s, %h;\n"
    "  shl.b32 %s, %s, 16;\n  mov.b32 %b, %s;\n  fma.rn.f32 %score, %a, %b, %score;\n"
    "  add.u64 %at, %at, 2;\n  add.u64 %w, %w, 2;\n  add.u64 %i, %i, 1;\n"
    "  setp.lt.u64 %p, %i, %d;\n  @%p bra dot;\n"
    "  mul.f32 %score, %score, %scale;\n  mul.f32 %score, %score, 0f3FB8AA3B;\n"
    "  ex2.approx.f32 %score, %score;\n"
    "  shl.b64 %at, %j, 2;\n  mov.u64 %w, weights;\n  add.u64 %w, %w, %at;\n"
    "  st.shared.f32 [%w], %score;\n  add.u64 %j, %j, %d;\n  bra keys;\n"
    "shared:\n  bar.sync 0;\n  mov.u64 %w, weights;\n  mov.u64 %j, 0;\n"
    "  mov.f32 %sum, 0f00000000;\n  mov.f32 %value, 0f00000000;\n"
    "  shl.b64 %e, %e, 1;\n  add.u64 %v, %v, %e;\n  add.u64 %o, %o, %e;\n"
    "values:\n  ld.shared.f32 %score, [%w];\n  add.f32 %sum, %sum, %score;\n"
    "  ld.global.b16 %h, [%v];\n  cvt.u32.u16 %s, %h;\n  shl.b32 %s, %s, 16;\n"
    "  mov.b32 %b, %s;\n  fma.rn.f32 %value, %score, %b, %value;\n"
    "  add.u64 %w, %w, 4;\n  add.u64 %v, %v, %line;\n  add.u64 %j, %j, 1;\n"
    "  setp.lt.u64 %p, %j, %n;\n  @%p bra values;\n"
    "  div.rn.f32 %value, %value, %sum;\n  ld.param.u64 %at, [pwrong];\n"
    "  cvt.rn.f32.u64 %a, %at;\n  add.f32 %value, %value, %a;\n"
    "  cvt.rn.bf16.f32 %h, %value;\n  st.global.b16 [%o], %h;\n  ret;\n}\n";

/* An attribute's values lie one after the other, of the size of its type. */
struct Attribute {
  int name, type;
  int64_t count;
  char bytes[64];
};
struct Descriptor {
  int kind, finalized, count;
  struct Attribute attributes[8];
};

static const char *error = "";
static int plansTried;

static int fail(int status, const char *text) {
  error = text;
  return status;
}

static const void *valuesOf(const struct Descriptor *descriptor, int name, int type,
                            int64_t count) {
  for (int i = 0; descriptor && i < descriptor->count; ++i) {
    const struct Attribute *a = &descriptor->attributes[i];
    if (a->name == name && a->type == type && a->count == count)
      return a->bytes;
  }
  return NULL;
}

static const struct Descriptor *linked(const struct Descriptor *descriptor, int name,
                                       int kind) {
  struct Descriptor *const *found = (struct Descriptor *const *)valuesOf(
      descriptor, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1);
  return found && (*found)->kind == kind && (*found)->finalized ? *found : NULL;
}

EXPORT void cudnnGetLastErrorString(char *text, size_t size) {
  strncpy(text, error, size);
}
EXPORT int cudnnCreate(void **handle) {
  *handle = &kernel;
  return openKernel(ptx, "attention");
}
EXPORT int cudnnDestroy(void *handle) { return handle != &kernel; }
EXPORT int cudnnSetStream(void *handle, void *chosen) {
  stream = chosen;
  return handle != &kernel;
}

EXPORT int cudnnBackendCreateDescriptor(int kind, void **out) {
  if (kind == CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR && getenv("FAKE_CUDNN_OLD"))
    return fail(NotSupported, "no such descriptor");
  struct Descriptor *made = calloc(1, sizeof *made);
  made->kind = kind;
  *out = made;
  return 0;
}
EXPORT int cudnnBackendDestroyDescriptor(void *descriptor) {
  free(descriptor);
  return 0;
}

EXPORT int cudnnBackendSetAttribute(void *to, int name, int type, int64_t count,
                                    const void *values) {
  struct Descriptor *descriptor = to;
  size_t size = type == CUDNN_TYPE_BOOLEAN                                     ? 1
                : type == CUDNN_TYPE_DATA_TYPE || type == CUDNN_TYPE_HEUR_MODE ? 4
                                                                               : 8;
  if (descriptor->finalized || descriptor->count == 8 || count * size > 64)
    return fail(BadParameter, "finalized, or too many attributes or values");
  struct Attribute *a = &descriptor->attributes[descriptor->count++];
  a->name = name;
  a->type = type;
  a->count = count;
  memcpy(a->bytes, values, (size_t)count * size);
  return 0;
}

EXPORT int cudnnBackendGetAttribute(void *from, int name, int type, int64_t wanted,
                                    int64_t *count, void *values) {
  struct Descriptor *descriptor = from;
  if (!descriptor->finalized)
    return fail(BadParameter, "not finalized");
  if (name == CUDNN_ATTR_ENGINEHEUR_RESULTS && type == CUDNN_TYPE_BACKEND_DESCRIPTOR &&
      wanted >= 2) {
    *count = 2;
    for (int i = 0; i < 2; ++i)
      ((struct Descriptor **)values)[i]->finalized = 1;
    return 0;
  }
  if (name == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE && type == CUDNN_TYPE_INT64) {
    *count = 1;
    *(int64_t *)values = 256;
    return 0;
  }
  return fail(BadParameter, "no such attribute");
}

/* Of the last attention: its queries' dims, and the ids of its tensors. */
static int64_t dimsOfQueries[4], idOf[5];

/* What an attention must have. */
static int checkAttention(const struct Descriptor *d) {
  static const int names[] = {
      CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC,
      CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC,
      CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC};
  const struct Descriptor *tensors[5];
  for (int i = 0; i < 5; ++i) {
    tensors[i] = linked(d, names[i], CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    if (!tensors[i])
      return fail(BadParameter, "a tensor is missing");
    memcpy(&idOf[i],
           valuesOf(tensors[i], CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1), 8);
  }
  memcpy(dimsOfQueries,
         valuesOf(tensors[0], CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4), 32);
  const char *byValue =
      valuesOf(tensors[4], CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1);
  return byValue && *byValue ? 0 : fail(BadParameter, "the scale is no value");
}

static int checkTensor(const struct Descriptor *d) {
  const int64_t *dims = valuesOf(d, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4);
  const int64_t *strides = valuesOf(d, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 4);
  const int *type = valuesOf(d, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1);
  if (!dims || !strides || !type ||
      !valuesOf(d, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1) ||
      !valuesOf(d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1))
    return fail(BadParameter, "an attribute of a tensor is missing");
  for (int i = 0; i < 3; ++i) /* contiguous is all that the kernel can */
    if (strides[i] != strides[i + 1] * dims[i + 1])
      return fail(BadParameter, "strides do not fit the dims");
  return strides[3] == 1 ? 0 : fail(BadParameter, "the last stride is not 1");
}

EXPORT int cudnnBackendFinalize(void *of) {
  struct Descriptor *d = of;
  int status = 0;
  if (d->kind == CUDNN_BACKEND_TENSOR_DESCRIPTOR)
    status = checkTensor(d);
  else if (d->kind == CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR)
    status = checkAttention(d);
  else if (d->kind == CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR)
    status = linked(d, CUDNN_ATTR_OPERATIONGRAPH_OPS,
                    CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR)
                 ? 0
                 : fail(BadParameter, "no operation");
  else if (d->kind == CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR)
    status = linked(d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH,
                    CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR)
                 ? 0
                 : fail(BadParameter, "no graph");
  else if (d->kind == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR)
    status = plansTried++ % 2 == 0 ? fail(NotSupported, "the first plan") : 0;
  d->finalized = !status;
  return status;
}

EXPORT int cudnnBackendExecute(void *handle, void *plan, void *pack) {
  const int64_t *ids =
      valuesOf(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, 5);
  void *const *pointers =
      valuesOf(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, 5);
  if (handle != &kernel || !((struct Descriptor *)plan)->finalized || !ids || !pointers ||
      !valuesOf(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1))
    return fail(BadParameter, "an incomplete pack");
  /* Four tensors, length, size, bits of the scale, what is added. */
  uint64_t values[8] = {0};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      if (ids[j] == idOf[i] && i < 4)
        values[i] = (uint64_t)pointers[j];
      else if (ids[j] == idOf[i])
        memcpy(&values[6], pointers[j], 4);
  values[4] = (uint64_t)dimsOfQueries[2];
  values[5] = (uint64_t)dimsOfQueries[3];
  values[7] = getenv("FAKE_CUDNN_WRONG") ? 1 : 0;
  void *parameters[8];
  for (int i = 0; i < 8; ++i)
    parameters[i] = &values[i];
  unsigned rows = (unsigned)(dimsOfQueries[0] * dimsOfQueries[1] * dimsOfQueries[2]);
  return launch(kernel, rows, 1, 1, (unsigned)values[5], 1, 1, 0, stream, parameters,
                NULL);
}
