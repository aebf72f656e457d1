//===- function_code.h - Decoded functions and their call frames ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_FUNCTION_CODE_H
#define KILN_SIM_EXEC_FUNCTION_CODE_H

#include "runtime/sim/exec/warp.h"
#include "runtime/sim/ptx/module.h"

#include <deque>
#include <memory>

namespace kiln::sim::exec {

/// A register-sized constant, which is filled in when a frame is created.
struct Constant {
  enum class Kind : uint8_t {
    Literal,      ///< value in each lane
    Predicate,    ///< a Mask: all lanes if value, else none
    Shared,       ///< address in the block's shared memory; value: offset
    SharedTop,    ///< as Shared, after the static shared memory: dynamic shared memory
    Local,        ///< local address, value: offset in the function's local memory
    Param,        ///< bytes of the kernel's parameters at offset value
    ParamAddress, ///< address of the byte `value` of the kernel's parameters
    Special       ///< a special register that does not change while the warp runs
  };
  Kind kind = Kind::Literal;
  uint8_t bytes = 4; ///< of an element in the register file
  ptx::Special special = {};
  uint8_t component = 0;
  uint32_t variable = 0;
  uint64_t value = 0;
  uint32_t offset = 0; ///< in the register file
  bool operator==(const Constant &o) const {
    return kind == o.kind && bytes == o.bytes && special == o.special &&
           component == o.component && variable == o.variable && value == o.value;
  }
};

/// Location of a function's parameter or result: bytes of the frame's parameter memory
/// (.param) or a register (.reg).
struct ParameterSlot {
  bool inRegister = false;
  uint32_t offset = 0; ///< in the parameter memory or the register file
  uint32_t bytes = 0;  ///< .param: of the variable; .reg: of an element, 0 for a
                       ///< predicate
};

struct FunctionCode {
  std::string name;
  const ptx::Function *source = nullptr;
  std::vector<MicroOp> ops; ///< addresses are final after decoding
  std::deque<OpInfo> infos;
  std::vector<Constant> constants;
  uint32_t registerBytes = 0;  ///< of the register file, including constants and scratch
  uint32_t localBytes = 0;     ///< of .local variables, per thread
  uint32_t parameterBytes = 0; ///< of .param variables, per thread (not of entries)
  std::vector<uint32_t> sharedUsed; ///< indices into ModuleCode::shared
  std::vector<uint32_t> callees;    ///< functions that it calls or takes the address of
  bool callsIndirectly = false;
  std::vector<std::string> uses; ///< descriptions of uses of undefined registers, for
                                 ///< reports
  std::vector<ParameterSlot> returns, parameters;
};

/// A call: the function, and the locations of arguments and results.
struct CallSite {
  const FunctionCode *callee = nullptr;          ///< null: indirect, address in register
                                                 ///< MicroOp::a
  std::vector<ParameterSlot> arguments, results; ///< in the caller's frame
};

/// One activation of a function by some lanes of a warp. Several splits may share it.
class Frame {
public:
  const FunctionCode *function = nullptr;
  Frame *parent = nullptr;
  const MicroOp *returnTo = nullptr; ///< in the parent
  const CallSite *site = nullptr;    ///< of the call that made it
  uint32_t depth = 0;
  Mask lanes = 0;         ///< lanes that have neither returned nor exited
  uint32_t localBase = 0; ///< first local byte of this activation
  uint32_t allocated = 0; ///< local bytes from alloca, above the function's own
  uint32_t localTop() const { return localBase + function->localBytes + allocated; }
  uint8_t *registers = nullptr;  ///< 128-aligned
  uint8_t *parameters = nullptr; ///< lane-major: lane * function->parameterBytes
};

/// Fills in the constants of a new frame.
void fillConstants(Frame &frame, Warp &warp);

/// Window of generic addresses of kernel parameters (cvta.param).
inline constexpr uint64_t ParamWindow = 0x0000'0300'0000'0000;
inline constexpr uint64_t ParamWindowSize = 0x10000;
/// Addresses of functions, for indirect calls: FunctionWindow + index * FunctionStride.
inline constexpr uint64_t FunctionWindow = 0x0000'0400'0000'0000;
inline constexpr uint64_t FunctionStride = 128;

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_FUNCTION_CODE_H
