//===- image.h - From what a program loads to compiled code -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_IMAGE_H
#define KILN_SIM_DRIVER_IMAGE_H

#include "runtime/sim/driver/runtime.h"

namespace kiln::sim::driver {

/// The buffers that a program gave for what the compiler has to say.
class JitLogs {
public:
  /// Throws INVALID_VALUE for options that are none.
  JitLogs(unsigned count, CUjit_option *options, void **values);
  void writeError(const std::string &text) { write(error, text); }
  void writeInfo(const std::string &text) { write(info, text); }

private:
  struct Buffer {
    char *text = nullptr;
    void **size = nullptr; ///< in: room; out: bytes written
  };
  static void write(const Buffer &buffer, const std::string &text);
  Buffer info, error;
};

/// PTX text out of PTX, a fat binary that holds it, or a throw that says what it is.
std::string ptxOfImage(const void *image);
std::string ptxOfFile(const char *name);

/// Without the runtime's mutex; throws what loadCode() says. `logs` may be null.
std::shared_ptr<Code> compile(const std::string &ptx, Device &device, JitLogs *logs);

std::shared_ptr<Module> loadModule(const std::shared_ptr<Context> &context,
                                   const std::string &ptx, JitLogs *logs);
void unloadModule(const std::shared_ptr<Module> &module);
/// Throws NOT_FOUND.
std::shared_ptr<Function> functionIn(const std::shared_ptr<Module> &module,
                                     const std::string &name);
/// A kernel in the primary context of a device.
std::shared_ptr<Function> functionOnDevice(Kernel &kernel, CUdevice device);
void parameterInfo(const KernelInfo &info, size_t index, size_t *offset, size_t *size);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_IMAGE_H
