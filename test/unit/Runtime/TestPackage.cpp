//===- TestPackage.cpp - Packages made for tests --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "TestKernels.h"
#include "kiln/abi.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace kiln::test;
using kiln::fb::ArenaKind;
using kiln::fb::DType;
using kiln::fb::ExprKind;
using kiln::package::PackageContents;

static std::string makeFolder() {
  std::string name = testing::TempDir() + "/kiln-XXXXXX";
  return mkdtemp(name.data());
}

TempFolder::TempFolder() : path(makeFolder()) {}
TempFolder::~TempFolder() { std::filesystem::remove_all(path); }

std::string kiln::test::readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void kiln::test::writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::vector<std::string> kiln::test::listFolder(const std::string &path) {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(path))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

//===----------------------------------------------------------------------===//
// PlanBuilder
//===----------------------------------------------------------------------===//

template <typename T> static uint32_t push(std::vector<std::unique_ptr<T>> &to, T value) {
  to.push_back(std::make_unique<T>(std::move(value)));
  return static_cast<uint32_t>(to.size() - 1);
}

uint32_t PlanBuilder::symbol(const char *name, int64_t min, int64_t max) {
  fb::SymbolT s;
  s.name = name, s.min = min, s.max = max;
  return push(plan.symbols, std::move(s));
}

uint32_t PlanBuilder::expr(ExprKind kind, uint32_t lhs, uint32_t rhs, int64_t value) {
  fb::ExprT e;
  e.kind = kind, e.lhs = lhs, e.rhs = rhs, e.value = value;
  return push(plan.exprs, std::move(e));
}

uint32_t PlanBuilder::constant(int64_t value) {
  return expr(ExprKind::Const, 0, 0, value);
}
uint32_t PlanBuilder::sym(uint32_t symbol) {
  return expr(ExprKind::Symbol, symbol, 0, 0);
}
uint32_t PlanBuilder::op(ExprKind kind, uint32_t lhs, uint32_t rhs) {
  return expr(kind, lhs, rhs, 0);
}

uint32_t PlanBuilder::arena(ArenaKind kind, uint32_t size) {
  fb::ArenaT a;
  a.kind = kind, a.size = size;
  return push(plan.arenas, std::move(a));
}

uint32_t PlanBuilder::buffer(const char *name, uint32_t arena, uint32_t size,
                             uint32_t first, uint32_t last, std::vector<uint32_t> above,
                             int32_t aliasOf) {
  fb::BufferT b;
  b.name = name, b.arena = arena, b.size = size, b.first_step = first;
  b.last_step = last, b.above = std::move(above), b.alias_of = aliasOf;
  return push(plan.buffers, std::move(b));
}

static kiln::fb::TensorT tensor(const char *name, DType dtype, std::vector<uint32_t> dims,
                                uint32_t buffer) {
  kiln::fb::TensorT t;
  t.name = name, t.dtype = dtype, t.dims = std::move(dims), t.buffer = buffer;
  return t;
}

void PlanBuilder::input(const char *name, DType dtype, std::vector<uint32_t> dims,
                        uint32_t buffer) {
  push(plan.inputs, tensor(name, dtype, std::move(dims), buffer));
}

void PlanBuilder::output(const char *name, DType dtype, std::vector<uint32_t> dims,
                         uint32_t buffer) {
  push(plan.outputs, tensor(name, dtype, std::move(dims), buffer));
}

uint32_t PlanBuilder::kernel(const char *name, const void *entry,
                             std::vector<uint32_t> symbols, uint32_t scratch) {
  fb::KernelT k;
  k.name = name, k.symbols = std::move(symbols), k.scratch = scratch;
  k.entries = {
      static_cast<uint64_t>(static_cast<const char *>(entry) - kilnTestImageBegin)};
  return push(plan.kernels, std::move(k));
}

uint32_t PlanBuilder::launch(uint32_t kernel, std::vector<uint32_t> reads,
                             std::vector<uint32_t> writes, uint32_t grid) {
  fb::StepT s;
  s.kernel = kernel, s.reads = std::move(reads), s.writes = std::move(writes);
  s.grids = {grid};
  s.flops = constant(1 << 20); // enough for several threads
  s.nodes = {"node" + std::to_string(plan.steps.size())};
  return push(plan.steps, std::move(s));
}

uint32_t PlanBuilder::copy(uint32_t from, uint32_t to) {
  fb::StepT s;
  s.kind = fb::StepKind::Copy, s.reads = {from}, s.writes = {to};
  return push(plan.steps, std::move(s));
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

std::string kiln::test::testImage() { return {kilnTestImageBegin, kilnTestImageEnd}; }

PackageContents PlanBuilder::finish() {
  plan.abi_version = KILN_HOST_ABI_VERSION;
  kiln::fb::TargetT target;
  target.name = "test";
  target.features = {"sse2"};
  push(plan.targets, std::move(target));
  PackageContents contents;
  contents.provenance = "{\"test\": true}";
  contents.plan = std::move(plan);
  contents.hostImages = {testImage()};
  return contents;
}

float kiln::test::scaled(float x) { return ((x * 2 + 1) * 2 + 1) * 2 + 1; }

PackageContents kiln::test::scaleModel() {
  PlanBuilder b;
  uint32_t batch = b.sym(b.symbol("batch", 1, 4));
  uint32_t seq = b.sym(b.symbol("seq", 1, 256));
  uint32_t four = b.constant(4), line = b.constant(64);
  uint32_t rows = b.mul(four, batch), full = b.mul(rows, seq);
  uint32_t lines = b.mul(line, b.op(ExprKind::CeilDiv, full, line));
  uint32_t zero = b.constant(0), eight = b.constant(8);
  uint32_t weights = b.arena(ArenaKind::Weights, eight);
  uint32_t in = b.arena(ArenaKind::Input, full);
  uint32_t out = b.arena(ArenaKind::Output, b.add(full, rows));
  uint32_t act = b.arena(ArenaKind::Activations, b.add(lines, full));
  b.arena(ArenaKind::Workspace, b.mul(four, seq));

  uint32_t w = b.buffer("w", weights, eight, 0, 4);
  uint32_t x = b.buffer("x", in, full, 0, 0);
  uint32_t t0 = b.buffer("t0", act, full, 0, 1);
  uint32_t t1 = b.buffer("t1", act, full, 1, 2, {t0});
  uint32_t t2 = b.buffer("t2", act, full, 2, 4); // reuses the memory of t0
  uint32_t y = b.buffer("y", out, full, 3, 4);
  uint32_t sum = b.buffer("sum", out, rows, 4, 4);
  b.input("x", DType::F32, {batch, seq}, x);
  b.output("y", DType::F32, {batch, seq}, y);
  b.output("sum", DType::F32, {batch}, sum);

  uint32_t scale = b.kernel("scale", code(kiln_test_scale), {1}, zero);
  uint32_t rowSum = b.kernel("row_sum", code(kiln_test_row_sum), {1}, b.mul(four, seq));
  b.launch(scale, {x, w}, {t0}, batch);
  b.launch(scale, {t0, w}, {t1}, batch);
  b.launch(scale, {t1, w}, {t2}, batch);
  b.copy(t2, y);
  b.launch(rowSum, {t2}, {sum}, batch);

  PackageContents contents = b.finish();
  static const float values[2] = {2, 1};
  contents.weights.push_back(package::weightFromMemory("w", 0, values, sizeof values));
  return contents;
}

PackageContents kiln::test::stateModel() {
  PlanBuilder b;
  uint32_t one = b.constant(1), four = b.constant(4), zero = b.constant(0);
  uint32_t in = b.arena(ArenaKind::Input, four);
  uint32_t out = b.arena(ArenaKind::Output, four);
  uint32_t state = b.arena(ArenaKind::State, four);
  uint32_t x = b.buffer("x", in, four, 0, 0);
  uint32_t past = b.buffer("past", state, four, 0, 0);
  uint32_t present = b.buffer("present", state, four, 0, 0, {}, int32_t(past));
  uint32_t total = b.buffer("total", out, four, 0, 0);
  b.input("x", DType::F32, {one}, x);
  b.output("total", DType::F32, {one}, total);
  uint32_t k = b.kernel("accumulate", code(kiln_test_accumulate), {}, zero);
  b.launch(k, {x, past}, {present, total}, one);
  return b.finish();
}

uint32_t PlanBuilder::collective(fb::CollectiveKind kind, uint32_t from, uint32_t to,
                                 uint32_t outer, uint32_t inner) {
  fb::StepT s;
  s.kind = fb::StepKind::Collective;
  s.reads = {from}, s.writes = {to};
  s.collective = std::make_unique<fb::CollectiveT>();
  s.collective->kind = kind;
  s.collective->dtype = DType::F32;
  s.collective->outer = outer, s.collective->inner = inner;
  return push(plan.steps, std::move(s));
}

PackageContents kiln::test::slowModel() {
  PlanBuilder b;
  uint32_t rows = b.sym(b.symbol("rows", 1, 8192));
  uint32_t bytes = b.mul(b.constant(4), rows), zero = b.constant(0);
  uint32_t x = b.buffer("x", b.arena(ArenaKind::Input, bytes), bytes, 0, 0);
  uint32_t y = b.buffer("y", b.arena(ArenaKind::Output, bytes), bytes, 0, 0);
  b.input("x", DType::F32, {rows}, x);
  b.output("y", DType::F32, {rows}, y);
  b.launch(b.kernel("spin", code(kiln_test_spin), {}, zero), {x}, {y}, rows);
  b.plan.steps[0]->flops = b.mul(b.constant(int64_t(1) << 28), rows);
  return b.finish();
}

PackageContents kiln::test::waitModel() {
  PlanBuilder b;
  uint32_t one = b.constant(1), four = b.constant(4), zero = b.constant(0);
  uint32_t x = b.buffer("flag", b.arena(ArenaKind::Input, four), four, 0, 0);
  uint32_t y = b.buffer("out", b.arena(ArenaKind::Output, four), four, 0, 0);
  b.input("flag", DType::I32, {one}, x);
  b.output("out", DType::I32, {one}, y);
  b.launch(b.kernel("wait", code(kiln_test_wait), {}, zero), {x}, {y}, one);
  return b.finish();
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

void kiln::test::writeModel(const std::string &path, const PackageContents &contents) {
  package::WriteResult failed = package::writePackage(path, contents);
  ASSERT_FALSE(failed) << failed->where << ": " << failed->what;
}

kiln::rt::PlanSurroundings kiln::test::surroundings(const PackageContents &contents) {
  rt::PlanSurroundings around;
  for (const std::string &image : contents.hostImages)
    around.imageSizes.push_back(image.size());
  for (const std::string &texts : contents.ptx)
    around.ptx.emplace_back(reinterpret_cast<const uint8_t *>(texts.data()),
                            texts.size());
  for (const package::Weight &w : contents.weights)
    around.weightsSize = w.offset + w.size;
  return around;
}

kiln::rt::Plan kiln::test::decode(const PackageContents &contents) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(fb::Plan::Pack(builder, &contents.plan), fb::PlanIdentifier());
  rt::Plan plan;
  rt::Status status = rt::decodePlan({builder.GetBufferPointer(), builder.GetSize()},
                                     surroundings(contents), "test", plan);
  EXPECT_TRUE(status.ok()) << status.message();
  return plan;
}

kiln::rt::Plan kiln::test::statePlan(const PackageContents &contents) {
  using namespace rt;
  constexpr uint32_t cache = StatePlan::cache, lengths = StatePlan::lengths,
                     written = StatePlan::written;
  Plan plan = decode(contents);
  auto arena = static_cast<uint32_t>(plan.arenas.size());
  uint32_t size = plan.buffers[4].size;
  for (uint32_t i = 0; i < plan.arenas.size(); ++i)
    if (plan.arenas[i].kind == KILN_ARENA_STATE)
      arena = i;
  if (arena == plan.arenas.size())
    plan.arenas.push_back({KILN_ARENA_STATE, size, "state"});
  for (const char *name : {"cache", "lengths", "cache"})
    plan.buffers.push_back({name, arena, size, 0, {}, 0, 4, -1, 0});
  plan.buffers[lengths].above = {cache};
  plan.buffers[written].aliasOf = cache;
  ExprIndex batch = plan.inputs[0].dims[0], seq = plan.inputs[0].dims[1];
  plan.inputs[0].dtype = KILN_DTYPE_I64;
  plan.inputs[0].dims = {batch};
  plan.states = {{"cache", KILN_DTYPE_F32, {batch, batch}, cache},
                 {"lengths", KILN_DTYPE_I64, {batch}, lengths}};
  plan.sequences = {1, 0, seq, batch};
  plan.steps[0].reads.push_back(cache);
  plan.steps[0].writes.push_back(written);
  plan.steps[1].reads.push_back(written);
  return plan;
}

ModelPtr kiln::test::loadModel(const std::string &path) {
  kiln_model *model = nullptr;
  StatusPtr status = own(kiln_model_load(path.c_str(), nullptr, &model));
  EXPECT_FALSE(status) << kiln_status_message(status.get());
  return {model, kiln_model_release};
}

SessionPtr kiln::test::makeSession(kiln_model *model,
                                   const kiln_session_options *options) {
  kiln_session *session = nullptr;
  StatusPtr status = own(kiln_session_create(model, options, &session));
  EXPECT_FALSE(status) << kiln_status_message(status.get());
  return {session, kiln_session_release};
}

unsigned kiln::test::loadCode(const std::string &path,
                              const kiln_model_options *options) {
  kiln_model *model = nullptr;
  StatusPtr status = own(kiln_model_load(path.c_str(), options, &model));
  if (!status)
    status = own(kiln_model_check_weights(model));
  kiln_model_release(model);
  return kiln_status_code(status.get());
}

FloatTensor::FloatTensor(const char *name, std::vector<int64_t> dims)
    : name(name), shape(std::move(dims)) {
  size_t n = 1;
  for (int64_t dim : shape)
    n *= static_cast<size_t>(dim);
  data.resize(n);
  for (size_t i = 0; i < n; ++i)
    data[i] = static_cast<float>(i % 17) - 8;
}
