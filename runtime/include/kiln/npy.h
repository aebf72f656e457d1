//===- npy.h - NumPy .npy files for tools and tests -------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes .npy files, versions 1 to 3, little-endian. Ownership and errors as
// in runtime.h. bf16, which NumPy lacks, is the two-byte void type "V2", as in
// ml_dtypes. Floats of at most 8 bits are written as "V1", integers of 4 and 2 bits as
// 8-bit integers. A file does not record which of these types it has: they are read as
// KILN_DTYPE_U8 or KILN_DTYPE_I8, and kiln_npy_reads_as tells which types that may stand
// for.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_NPY_H
#define KILN_NPY_H

#include "kiln/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_npy kiln_npy;

/// Reads a file; column-major (Fortran) order is converted to row-major. Errors:
/// KILN-E0002 and E0004 (file), E0611 (malformed or unsupported), E0700.
KILN_API kiln_status *kiln_npy_read(const char *path, kiln_npy **out);
/// Parses the contents of a file as kiln_npy_read does; `where` is its name in error
/// messages.
KILN_API kiln_status *kiln_npy_parse(const char *where, const void *bytes, size_t size,
                                     kiln_npy **out);
KILN_API void kiln_npy_free(kiln_npy *array);

/// Returns the array as a tensor whose name is NULL. The array owns the tensor; its data
/// is writable and aligned to 64 bytes.
KILN_API const kiln_tensor *kiln_npy_tensor(const kiln_npy *array);

/// Whether an array that was read with element type `stored` can be used as `wanted`: the
/// types are equal, or `stored` is the byte type of a `wanted` type of at most 8 bits.
KILN_API int kiln_npy_reads_as(kiln_dtype stored, kiln_dtype wanted);

/// Writes a tensor; its name is ignored. An existing file is replaced only after
/// everything has been written. Errors: KILN-E0003, E0701.
KILN_API kiln_status *kiln_npy_write(const char *path, const kiln_tensor *tensor);

#ifdef __cplusplus
}
#endif

#endif // KILN_NPY_H
