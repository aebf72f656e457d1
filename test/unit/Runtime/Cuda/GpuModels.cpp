//===- GpuModels.cpp - Packages and a driver for GPU tests --------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuModels.h"
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kiln::test;
using kiln::package::PackageContents;
namespace fb = kiln::fb;

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

static std::string kernel(const std::string &name, int parameters,
                          const std::string &body) {
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry " + name + "(";
  for (int i = 0; i < parameters; ++i)
    text += (i ? ", .param .u64 p" : ".param .u64 p") + std::to_string(i);
  return text +
         ")\n{\n.reg .b64 %a, %b, %c, %d, %n, %i, %t;\n.reg .b32 %r, %q;\n"
         ".reg .f32 %x, %y, %z;\n.reg .pred %p;\n" +
         body + "ret;\n}\n" + '\0';
}

/// One block per row: y[row][i] = x[row][i] * w[0] + w[1].
static std::string scalePtx() {
  return kernel("scale", 4,
                "ld.param.u64 %a, [p0];\nld.param.u64 %b, [p1];\nld.param.u64 %c, [p2];\n"
                "ld.param.u64 %n, [p3];\nld.global.f32 %y, [%b];\n"
                "ld.global.f32 %z, [%b+4];\nmov.u32 %r, %ctaid.x;\n"
                "cvt.u64.u32 %t, %r;\nmul.lo.u64 %t, %t, %n;\nmov.u32 %r, %tid.x;\n"
                "cvt.u64.u32 %i, %r;\n"
                "LOOP: setp.ge.u64 %p, %i, %n;\n@%p bra DONE;\nadd.u64 %d, %t, %i;\n"
                "shl.b64 %d, %d, 2;\nadd.u64 %b, %a, %d;\nld.global.f32 %x, [%b];\n"
                "mul.rn.f32 %x, %x, %y;\nadd.rn.f32 %x, %x, %z;\nadd.u64 %b, %c, %d;\n"
                "st.global.f32 [%b], %x;\nadd.u64 %i, %i, 32;\nbra LOOP;\nDONE:\n");
}

/// One block per row; its first thread sums.
static std::string rowSumPtx(const std::string &end) {
  return kernel("row_sum", 3,
                "ld.param.u64 %a, [p0];\nld.param.u64 %c, [p1];\nld.param.u64 %n, [p2];\n"
                "mov.u32 %q, %tid.x;\nsetp.ne.u32 %p, %q, 0;\n@%p bra DONE;\n"
                "mov.u32 %r, %ctaid.x;\ncvt.u64.u32 %t, %r;\nmul.lo.u64 %d, %t, %n;\n"
                "shl.b64 %d, %d, 2;\nadd.u64 %a, %a, %d;\nmov.u64 %i, 0;\n"
                "mov.f32 %y, 0f00000000;\n"
                "LOOP: ld.global.f32 %x, [%a];\nadd.rn.f32 %y, %y, %x;\n"
                "add.u64 %a, %a, 4;\nadd.u64 %i, %i, 1;\nsetp.lt.u64 %p, %i, %n;\n"
                "@%p bra LOOP;\nshl.b64 %t, %t, 2;\nadd.u64 %c, %c, %t;\n"
                "st.global.f32 [%c], %y;\n" +
                    end + "DONE:\n");
}

static std::string accumulatePtx() {
  return kernel("accumulate", 4,
                "ld.param.u64 %a, [p0];\nld.param.u64 %b, [p2];\nld.param.u64 %c, [p3];\n"
                "mov.u32 %q, %tid.x;\nsetp.ne.u32 %p, %q, 0;\n@%p bra DONE;\n"
                "ld.global.f32 %x, [%a];\nld.global.f32 %y, [%b];\n"
                "add.rn.f32 %y, %y, %x;\nst.global.f32 [%b], %y;\n"
                "st.global.f32 [%c], %y;\nDONE:\n");
}

static PackageContents withPtx(PackageContents contents,
                               const std::string &lastOfRowSum) {
  fb::PlanT &plan = contents.plan;
  std::string texts;
  for (auto &k : plan.kernels) {
    auto none = std::make_unique<fb::BlockT>(), block = std::make_unique<fb::BlockT>();
    none->shared = block->shared = plan.kernels[0]->scratch; // an expression that is 0
    block->threads = 32;
    k->blocks.push_back(std::move(none));
    k->blocks.push_back(std::move(block));
    k->entries.push_back(texts.size());
    texts += k->name == "scale"     ? scalePtx()
             : k->name == "row_sum" ? rowSumPtx(lastOfRowSum)
                                    : accumulatePtx();
  }
  for (auto &step : plan.steps)
    if (step->kind == fb::StepKind::Launch)
      step->grids.push_back(step->grids[0]);
  auto target = std::make_unique<fb::TargetT>();
  target->name = "sm_80";
  target->kind = fb::TargetKind::Cuda;
  target->features = {"sm_80", "ptx80"};
  plan.targets.push_back(std::move(target));
  contents.ptx = {texts};
  return contents;
}

PackageContents kiln::test::withGpu(PackageContents contents) {
  return withPtx(std::move(contents), "");
}

PackageContents kiln::test::trapModel() { return withPtx(scaleModel(), "trap;\n"); }

PackageContents kiln::test::futureModel() {
  PackageContents contents = withGpu(stateModel());
  patchPtx(contents, ".version 8.0", ".version 9.9");
  return contents;
}

uint32_t kiln::test::constant(fb::PlanT &plan, int64_t value) {
  auto expr = std::make_unique<fb::ExprT>();
  expr->kind = fb::ExprKind::Const;
  expr->value = value;
  plan.exprs.push_back(std::move(expr));
  return static_cast<uint32_t>(plan.exprs.size() - 1);
}

uint32_t kiln::test::symbolOf(const fb::PlanT &plan, uint32_t index) {
  uint32_t found = 0;
  while (plan.exprs[found]->kind != fb::ExprKind::Symbol ||
         plan.exprs[found]->lhs != index)
    ++found;
  return found;
}

static std::string replaced(std::string text, const std::string &from,
                            const std::string &to) {
  size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

void kiln::test::addVariant(PackageContents &contents, uint32_t rows, int64_t most,
                            const std::string &addition) {
  fb::PlanT &plan = contents.plan;
  fb::KernelT &scale = *plan.kernels[0];
  std::string text = contents.ptx[0].c_str() + scale.entries[1];
  auto variant = std::make_unique<fb::VariantT>();
  variant->name = "scale_rows" + std::to_string(most);
  variant->target = 1;
  auto &bound = variant->when.emplace_back(std::make_unique<fb::BoundT>());
  bound->value = rows;
  bound->max = most;
  variant->entry = contents.ptx[0].size();
  variant->grid = plan.steps[0]->grids[1];
  variant->block = std::make_unique<fb::BlockT>();
  variant->block->threads = 32;
  variant->block->shared = scale.blocks[1]->shared;
  text = replaced(text, "entry scale(", "entry " + variant->name + "(");
  contents.ptx[0] += replaced(text, "add.rn.f32 %x, %x, %z;", addition) + '\0';
  scale.variants.push_back(std::move(variant));
}

void kiln::test::patchPtx(PackageContents &contents, const std::string &from,
                          const std::string &to) {
  size_t place = contents.ptx[0].find(from);
  ASSERT_NE(place, std::string::npos) << from;
  ASSERT_EQ(from.size(), to.size());
  contents.ptx[0].replace(place, from.size(), to);
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

void kiln::test::isolated(const std::map<std::string, std::string> &environment,
                          const std::function<void()> &body) {
  fflush(nullptr);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    setenv("KILN_SIM_DRIVER", SimDriver::path().c_str(), 1);
    for (const auto &[name, value] : environment)
      setenv(name.c_str(), value.c_str(), 1);
    body();
    exit(testing::Test::HasFailure() ? 1 : 0); // so that a sanitizer checks for leaks
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

std::string SimDriver::path() { return KILN_TEST_SIM_DRIVER; }

SimDriver::SimDriver() : library(dlopen(path().c_str(), RTLD_NOW | RTLD_LOCAL)) {
  EXPECT_TRUE(library) << dlerror();
}

void *SimDriver::symbol(const char *name) const {
  void *found = dlsym(library, name);
  EXPECT_TRUE(found) << name;
  return found;
}

void SimDriver::failAt(uint64_t call, int error) const {
  function<void(uint64_t, int)>("kilnSimFailAt")(call, error);
}

void SimDriver::enter(int ordinal) const {
  void *context = nullptr;
  EXPECT_EQ(function<int(unsigned)>("cuInit")(0), 0);
  EXPECT_EQ(function<int(void **, int)>("cuDevicePrimaryCtxRetain")(&context, ordinal),
            0);
  EXPECT_EQ(function<int(void *)>("cuCtxSetCurrent")(context), 0);
}

uint64_t SimDriver::freeBytes(int ordinal) const {
  enter(ordinal);
  size_t free = 0, total = 0;
  EXPECT_EQ(function<int(size_t *, size_t *)>("cuMemGetInfo_v2")(&free, &total), 0);
  EXPECT_EQ(function<int(int)>("cuDevicePrimaryCtxRelease_v2")(ordinal), 0);
  return free;
}

uint64_t SimDriver::allocate(size_t bytes, int ordinal) const {
  enter(ordinal);
  unsigned long long address = 0;
  EXPECT_EQ(function<int(unsigned long long *, size_t)>("cuMemAlloc_v2")(&address, bytes),
            0);
  return address;
}

void *SimDriver::allocatePinned(size_t bytes) const {
  enter(0);
  void *memory = nullptr;
  EXPECT_EQ(function<int(void **, size_t, unsigned)>("cuMemHostAlloc")(&memory, bytes, 0),
            0);
  return memory;
}

void SimDriver::copyIn(uint64_t to, const std::vector<float> &from) const {
  EXPECT_EQ(function<int(unsigned long long, const void *, size_t)>("cuMemcpyHtoD_v2")(
                to, from.data(), from.size() * 4),
            0);
}

std::vector<float> SimDriver::copyOut(uint64_t from, size_t count) const {
  std::vector<float> to(count);
  EXPECT_EQ(function<int(void *, unsigned long long, size_t)>("cuMemcpyDtoH_v2")(
                to.data(), from, count * 4),
            0);
  return to;
}

void *SimDriver::makeStream() const {
  enter(0);
  void *stream = nullptr;
  EXPECT_EQ(function<int(void **, unsigned)>("cuStreamCreate")(&stream, 1), 0);
  return stream;
}

std::string Trace::newText() {
  std::string all = readFile(path), text = all.substr(std::min(seen, all.size()));
  seen = all.size();
  return text;
}

std::map<std::string, int> Trace::newCalls() {
  std::map<std::string, int> calls;
  std::istringstream lines(newText());
  for (std::string line; std::getline(lines, line);)
    ++calls[line.substr(0, line.find('('))];
  return calls;
}

std::string Trace::failure(const std::string &error) {
  std::istringstream lines(newText());
  for (std::string line; std::getline(lines, line);)
    if (line.ends_with(") = " + error))
      return line.substr(0, line.find('('));
  return "";
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

kiln_session_options kiln::test::onGpu(const char *device, bool graph) {
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.device = device;
  options.no_graph = !graph;
  return options;
}

ScaleRun::ScaleRun(int64_t batch, int64_t seq)
    : x("x", {batch, seq}), y("y", {batch, seq}), sum("sum", {batch}) {}

unsigned ScaleRun::run(kiln_session *session) {
  std::fill(y.data.begin(), y.data.end(), -1.f);
  kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
  StatusPtr status = own(kiln_session_run(session, &in, 1, out, 2));
  message = kiln_status_message(status.get());
  return kiln_status_code(status.get());
}

bool ScaleRun::right() const {
  size_t seq = static_cast<size_t>(x.shape[1]);
  for (size_t row = 0; row < sum.data.size(); ++row) {
    float total = 0;
    for (size_t i = row * seq; i < (row + 1) * seq; ++i) {
      total += scaled(x.data[i]);
      if (y.data[i] != scaled(x.data[i]))
        return false;
    }
    if (sum.data[row] != total)
      return false;
  }
  return true;
}
