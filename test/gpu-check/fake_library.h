/*===- fake_library.h - What stand-ins for libraries share ---------*- C -*-===//
 *
 * Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/
#ifndef KILN_TEST_GPU_CHECK_FAKE_LIBRARY_H
#define KILN_TEST_GPU_CHECK_FAKE_LIBRARY_H

#include <dlfcn.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

static int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned, void *, void **, void **);
static void *kernel, *stream;

/* Loads the kernel through the driver that FAKE_CUDA_DRIVER names; 0 is success. */
static int openKernel(const char *ptx, const char *entry) {
  const char *name = getenv("FAKE_CUDA_DRIVER");
  void *driver = dlopen(name ? name : "libcuda.so.1", RTLD_NOW), *module;
  if (!driver)
    return 1;
  int (*load)(void **, const void *) =
      (int (*)(void **, const void *))dlsym(driver, "cuModuleLoadData");
  int (*find)(void **, void *, const char *) =
      (int (*)(void **, void *, const char *))dlsym(driver, "cuModuleGetFunction");
  *(void **)&launch = dlsym(driver, "cuLaunchKernel");
  return load(&module, ptx) || find(&kernel, module, entry);
}

#endif
