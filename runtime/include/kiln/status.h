//===- status.h - Errors and element types of the Kiln runtime --*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by kiln/runtime.h, whose rules on ownership and threads apply.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_STATUS_H
#define KILN_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define KILN_API __attribute__((visibility("default")))
#else
#define KILN_API
#endif

/// Declares an enumeration of a fixed underlying type, so that values outside of it, from
/// another version of this header or by mistake, can be detected and refused.
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
#define KILN_ENUM(name) enum name : unsigned
#else
#define KILN_ENUM(name) enum name
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Version of this interface, incremented with every addition. Options carry their size,
/// so that a program built with an older header keeps working. If the header is newer
/// than the library, setting a field that the library does not know is KILN-E0001.
#define KILN_RUNTIME_API_VERSION 5

/// Max rank of a tensor.
#define KILN_MAX_RANK 8

typedef struct kiln_status kiln_status;

/// Returns the version of the library, "0.1.0".
KILN_API const char *kiln_version(void);
/// Returns the KILN_RUNTIME_API_VERSION of the library.
KILN_API unsigned kiln_api_version(void);

//===----------------------------------------------------------------------===//
// Status
//===----------------------------------------------------------------------===//

/// Parts of a message `KILN-E0123: <where>: <what>; expected ..., found ...;
/// fix: ...`. A part that does not apply is the empty string.
typedef KILN_ENUM(kiln_status_part){KILN_STATUS_WHERE, KILN_STATUS_WHAT,
                                    KILN_STATUS_EXPECTED, KILN_STATUS_FOUND,
                                    KILN_STATUS_FIX} kiln_status_part;

/// Returns the stable number of the error, 123 for KILN-E0123; 0 for NULL.
KILN_API unsigned kiln_status_code(const kiln_status *status);
/// Returns the exit status for a command that ends with the error: 2 usage, 3 a fault of
/// the model or package, 4 of the machine; 0 for NULL.
KILN_API int kiln_status_exit_code(const kiln_status *status);
/// Returns the full message, starting with "KILN-E"; "" for NULL.
KILN_API const char *kiln_status_message(const kiln_status *status);
/// Returns one part of the message; "" for NULL.
KILN_API const char *kiln_status_get(const kiln_status *status, kiln_status_part part);
KILN_API void kiln_status_free(kiln_status *status);

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

typedef KILN_ENUM(kiln_dtype){
    KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16, KILN_DTYPE_F64, KILN_DTYPE_I8,
    KILN_DTYPE_I16, KILN_DTYPE_I32, KILN_DTYPE_I64, KILN_DTYPE_U8, KILN_DTYPE_U16,
    KILN_DTYPE_U32, KILN_DTYPE_U64,
    KILN_DTYPE_BOOL, ///< one byte per element, 0 or 1
    // Floats of 8 bits, and types of fewer bits, one element per byte: integers are
    // extended to 8 bits, floats are in the low bits. docs/rationale/narrow-types.md
    KILN_DTYPE_F8E4M3FN, KILN_DTYPE_F8E5M2, KILN_DTYPE_F8E4M3FNUZ, KILN_DTYPE_F8E5M2FNUZ,
    KILN_DTYPE_F8E8M0FNU, KILN_DTYPE_F6E2M3FN, KILN_DTYPE_F6E3M2FN, KILN_DTYPE_F4E2M1FN,
    KILN_DTYPE_I4, KILN_DTYPE_U4, KILN_DTYPE_I2, KILN_DTYPE_U2} kiln_dtype;
#define KILN_DTYPE_COUNT 25

/// Returns the bytes of one element; 0 for a value outside the enumeration.
KILN_API size_t kiln_dtype_size(kiln_dtype dtype);
/// Returns "f32", "bool" ...; "?" for a value outside the enumeration.
KILN_API const char *kiln_dtype_name(kiln_dtype dtype);

#ifdef __cplusplus
}
#endif

#endif // KILN_STATUS_H
