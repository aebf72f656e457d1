//===- image.h - From a module image to compiled code -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_IMAGE_H
#define KILN_SIM_DRIVER_IMAGE_H

#include "runtime/sim/driver/runtime.h"

namespace kiln::sim::driver {

/// Buffers of the program for the JIT compiler's messages.
class JitLogs {
public:
  /// Throws INVALID_VALUE for invalid options.
  JitLogs(unsigned count, CUjit_option *options, void **values);
  void writeError(const std::string &text) { write(error, text); }
  void writeInfo(const std::string &text) { write(info, text); }

private:
  struct Buffer {
    char *text = nullptr;
    void **size = nullptr; ///< in: capacity; out: bytes written
  };
  static void write(const Buffer &buffer, const std::string &text);
  Buffer info, error;
};

/// Returns the PTX of an image: PTX text or a fat binary with PTX. Throws for other
/// images.
std::string ptxOfImage(const void *image);
std::string ptxOfFile(const char *name);

/// Compiles without holding the runtime's mutex; throws loadCode()'s errors. `logs` may
/// be null.
std::shared_ptr<Code> compile(const std::string &ptx, Device &device, JitLogs *logs);

std::shared_ptr<Module> loadModule(const std::shared_ptr<Context> &context,
                                   const std::string &ptx, JitLogs *logs);
void unloadModule(const std::shared_ptr<Module> &module);
/// Returns the named function; throws NOT_FOUND.
std::shared_ptr<Function> functionIn(const std::shared_ptr<Module> &module,
                                     const std::string &name);
/// Returns a kernel's function in the primary context of a device.
std::shared_ptr<Function> functionOnDevice(Kernel &kernel, CUdevice device);
void parameterInfo(const KernelInfo &info, size_t index, size_t *offset, size_t *size);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_IMAGE_H
