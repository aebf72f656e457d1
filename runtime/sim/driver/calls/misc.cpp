//===- misc.cpp - Error texts, function look-up, profiler ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/exports.h"
#include "runtime/sim/driver/failure.h"

using namespace kiln::sim;
using namespace kiln::sim::driver;

static void lookUp(const char *(*text)(CUresult), CUresult code, const char **out) {
  const char *&result = output(out);
  result = text(code);
  if (!result)
    failQuietly(CUDA_ERROR_INVALID_VALUE);
}

void calls::getErrorName(CUresult error, const char **str) {
  lookUp(resultName, error, str);
}

void calls::getErrorString(CUresult error, const char **str) {
  lookUp(resultText, error, str);
}

void calls::getProcAddress(const char *symbol, void **pfn, int cudaVersion,
                           cuuint64_t flags,
                           CUdriverProcAddressQueryResult *symbolStatus) {
  // The driver's CU_GET_PROC_ADDRESS_*: default, legacy stream, per-thread stream.
  constexpr cuuint64_t LegacyStream = 1, PerThreadStream = 2;
  require(symbol, "the symbol's name is null");
  void *&out = output(pfn);
  require(flags <= PerThreadStream && cudaVersion > 0,
          "the flags or the version are none");
  static_assert(LegacyStream < PerThreadStream);
  ExportLookup found = findExport(symbol, cudaVersion, flags == PerThreadStream);
  out = found.address;
  if (symbolStatus)
    *symbolStatus = out           ? CU_GET_PROC_ADDRESS_SUCCESS
                    : found.known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                  : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  // With a `symbolStatus` to write to, a missing symbol is no error.
  if (!out && !symbolStatus)
    failQuietly(CUDA_ERROR_NOT_FOUND);
}

void calls::getProcAddress(const char *symbol, void **pfn, int cudaVersion,
                           cuuint64_t flags) {
  getProcAddress(symbol, pfn, cudaVersion, flags, nullptr);
}

void calls::getExportTable(const void **table, const CUuuid *) {
  if (table)
    *table = nullptr;
  fail(CUDA_ERROR_NOT_FOUND,
       "cuGetExportTable: the driver's private tables, which the CUDA runtime library "
       "(libcudart) needs, are not modelled; use the driver interface");
}

void calls::profilerStart() {}

void calls::profilerStop() {}

void calls::profilerInitialize(const char *, const char *, CUoutput_mode) {}
