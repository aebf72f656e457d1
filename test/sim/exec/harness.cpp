//===- harness.cpp - Running small kernels in tests ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/harness.h"

#include <cstdlib>

namespace kiln::sim::test {

Setting::Setting(const char *name, const std::string &value) : name(name) {
  const char *before = getenv(name);
  had = before != nullptr;
  old = had ? before : "";
  setenv(name, value.c_str(), 1);
}

Setting::~Setting() {
  if (had)
    setenv(name.c_str(), old.c_str(), 1);
  else
    unsetenv(name.c_str());
}

Outcome Machine::load(const std::string &ptx, const std::string &target) {
  bool whole = ptx.find(".version") != std::string::npos;
  std::string version = target.find("sm_10") == 0 ? "8.8" : "8.7";
  std::string text = whole ? ptx
                           : ".version " + version + "\n.target " + target +
                                 "\n.address_size 64\n" + ptx;
  return loadCode(text, 0, *profile, memory, code);
}

/// Fills missing dimensions with 1: {8} means 8 by 1 by 1.
static std::array<uint32_t, 3> filled(std::array<uint32_t, 3> dims) {
  for (uint32_t &d : dims)
    d = d ? d : 1;
  return dims;
}

bool Machine::prepare(const std::string &kernel, const Shape &shape, Launch &launch) {
  launch.code = code.get();
  launch.kernel = code ? code->kernel(kernel) : nullptr;
  EXPECT_NE(launch.kernel, nullptr) << kernel;
  if (!launch.kernel)
    return false;
  launch.profile = profile;
  launch.memory = &memory;
  launch.grid = filled(shape.grid);
  launch.block = filled(shape.block);
  launch.cluster = filled(shape.cluster);
  launch.dynamicShared = shape.dynamicShared;
  launch.cooperative = shape.cooperative;
  launch.parameters.assign(launch.kernel->parameterBytes, 0);
  return true;
}

std::string kernelOf(const std::string &name, const std::string &body, unsigned bytes) {
  std::string size = std::to_string(bytes);
  return ".visible .entry " + name +
         "(.param .b64 pa, .param .b64 pb, .param .b64 pc) {\n"
         "  .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %d<40>; .reg .pred %p<20>;\n"
         "  .reg .f32 %f<20>; .reg .f64 %fd<20>; .reg .b128 %q<4>;\n"
         "  .reg .b32 %i; .reg .b64 %a, %b, %c, %pa, %pb, %pc;\n"
         "  mov.u32 %i, %tid.x;\n"
         "  ld.param.b64 %a, [pa]; ld.param.b64 %b, [pb]; ld.param.b64 %c, [pc];\n"
         "  mad.wide.u32 %pa, %i, " +
         size +
         ", %a;\n"
         "  mad.wide.u32 %pb, %i, " +
         size +
         ", %b;\n"
         "  mad.wide.u32 %pc, %i, " +
         size + ", %c;\n" + body + "\n  ret;\n}\n";
}

} // namespace kiln::sim::test
