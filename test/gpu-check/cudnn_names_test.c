/*===- cudnn_names_test.c -------------------------------------------------===//
 *
 * Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The numbers of cudnn_names.h against cuDNN's own header, where it is installed.
 * Compiling this is the test.
 *
 *===----------------------------------------------------------------------===*/
#include <cudnn_graph.h>

#define NAME(number, name) _Static_assert(name == number, #name);
#include "tools/gpu_check/cudnn_names.h"
