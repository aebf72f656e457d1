//===- code.h - A loaded module, ready to run --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_CODE_H
#define KILN_SIM_EXEC_CODE_H

#include "runtime/sim/exec/block.h"
#include "runtime/sim/exec/function_code.h"

#include <map>

namespace kiln::sim::exec {

/// Options of the environment when the module was loaded; they select the handlers.
struct Options {
  Checks checks;
  std::string countersFile, coverageFile;
  bool counting() const { return !countersFile.empty(); }
  /// Whether the observer sees every access, for race detection or counters.
  bool observed() const { return counting() || checks.ordering(); }
  /// From KILN_SIM_CHECK, KILN_SIM_COUNTERS, KILN_SIM_COVERAGE; warns on stderr once.
  static Options fromEnvironment();
};

/// A kernel: its entry function and properties.
struct Kernel {
  KernelInfo info;
  const FunctionCode *entry = nullptr;
  std::vector<uint32_t> sharedOffsets; ///< of ModuleCode::shared; used ones only
};

class ModuleCode final : public Code {
public:
  std::vector<std::string> kernels() const override;
  const KernelInfo *kernel(std::string_view name) const override;
  Global global(std::string_view name) const override;

  const Kernel *find(const KernelInfo *info) const;
  /// Returns the function at an address from mov or an initialiser, or null.
  const FunctionCode *functionAt(uint64_t address) const;

  std::shared_ptr<const ptx::Module> module;
  Options options;
  int device = 0;
  const DeviceProfile *profile = nullptr;
  std::vector<std::unique_ptr<FunctionCode>> functions; ///< as in the ptx::Module
  std::map<std::string, Kernel, std::less<>> entries;
  /// Module variables in global and constant memory, indexed as in
  /// ptx::Module::variables; null for shared ones.
  std::vector<std::shared_ptr<Allocation>> variables;
  /// Global and constant variables declared inside functions.
  std::vector<std::shared_ptr<Allocation>> functionVariables;
  /// Adds a variable; returns its index in functionVariables.
  uint32_t addFunctionVariable(const ptx::Variable &variable);
  /// Shared variables of the module and its functions; each kernel lays out those it
  /// uses.
  std::vector<const ptx::Variable *> shared;
  std::vector<uint32_t> moduleShared; ///< by Module::variables: index into shared
  /// Groups of instructions that execute together, in order; indexed by the imm of
  /// runCount's op.
  std::vector<std::vector<const OpInfo *>> counted;
  uint32_t memorySlots = 0; ///< number of MicroOp::slot values
  AddressSpace *memory = nullptr;
  ~ModuleCode() override;
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_CODE_H
