/*===- FakeNvtx.c - A profiler's library ---------------------------------===
 *
 * Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Writes the ranges it sees to FAKE_NVTX_LOG, indented. Is found as a tool that is
 * injected (InitializeInjectionNvtx2) or as NVTX's own library (nvtxRangePushA).
 *
 *===----------------------------------------------------------------------===*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

static int depth;

static int push(const char *name) {
  FILE *file = fopen(getenv("FAKE_NVTX_LOG"), "a");
  fprintf(file, "%*s%s\n", 2 * depth, "", name);
  fclose(file);
  return depth++;
}

static int pop(void) { return --depth; }

#ifdef FAKE_INJECTION
struct callbacks {
  size_t size;
  int (*table)(int module, void ***table, unsigned *size);
};

EXPORT int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t)) {
  const struct callbacks *callbacks = export_table(1);
  void **core = NULL;
  unsigned size = 0;
  if (!callbacks || !callbacks->table(1, &core, &size) || size <= 11)
    return 0;
  *(int (**)(const char *))core[9] = push;
  *(int (**)(void))core[11] = pop;
  return 1;
}
#else
EXPORT int nvtxRangePushA(const char *name) { return push(name); }
EXPORT int nvtxRangePop(void) { return pop(); }
#endif
