//===- SessionErrorTest.cpp -----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All mistakes that callers can make with tensors and options.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include <gtest/gtest.h>
#include <sys/resource.h>

using namespace kiln::test;

class SessionError : public testing::Test {
protected:
  void SetUp() override {
    writeModel(folder / "m.kiln", scaleModel());
    model = loadModel(folder / "m.kiln");
    session = makeSession(model.get());
    ASSERT_TRUE(session);
  }

  unsigned run(std::vector<kiln_tensor> in, std::vector<kiln_tensor> out) {
    status = own(
        kiln_session_run(session.get(), in.data(), in.size(), out.data(), out.size()));
    return kiln_status_code(status.get());
  }
  unsigned runInput(kiln_tensor in) { return run({in}, {y.tensor(), sum.tensor()}); }
  unsigned create(const kiln_session_options &options) {
    kiln_session *made = nullptr;
    status = own(kiln_session_create(model.get(), &options, &made));
    kiln_session_release(made);
    return kiln_status_code(status.get());
  }
  unsigned createDims(std::vector<kiln_dim_range> dims) {
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    options.dims = dims.data();
    options.dim_count = dims.size();
    return create(options);
  }
  void expectMessage(const char *part) {
    std::string text = kiln_status_message(status.get());
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }

  TempFolder folder;
  ModelPtr model{nullptr, kiln_model_release};
  SessionPtr session{nullptr, kiln_session_release};
  StatusPtr status = own(nullptr);
  FloatTensor x{"x", {2, 3}}, y{"y", {2, 3}}, sum{"sum", {2}};
};

TEST_F(SessionError, Names) {
  kiln_tensor in = x.tensor();
  in.name = "X";
  EXPECT_EQ(runInput(in), 600u);
  expectMessage("input \"X\": the model has no such input; expected \"x\", "
                "found X");
  EXPECT_EQ(run({}, {y.tensor(), sum.tensor()}), 601u);
  expectMessage("input \"x\": it is not given");
  EXPECT_EQ(run({x.tensor(), x.tensor()}, {}), 607u);
  EXPECT_EQ(run({x.tensor()}, {y.tensor(), y.tensor()}), 607u);
  expectMessage("output \"y\": it is given twice");
  kiln_tensor third = x.tensor();
  third.name = nullptr;
  EXPECT_EQ(run({x.tensor(), third}, {}), 600u);
}

TEST_F(SessionError, ArraysThatAreNull) {
  kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
  kiln_shape shapes[2];
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.dim_count = 1;
  kiln_session *made = nullptr;
  int64_t number = 0;
  kiln_step_cost cost;
  kiln_status *const all[] = {
      kiln_session_run(session.get(), nullptr, 1, out, 2),
      kiln_session_run(session.get(), &in, 1, nullptr, 2),
      kiln_session_output_shapes(session.get(), nullptr, 1, shapes, 2),
      kiln_session_output_shapes(session.get(), &in, 1, nullptr, 2),
      kiln_session_create(model.get(), &options, &made),
      kiln_model_arena_bytes(model.get(), 0, nullptr,
                             reinterpret_cast<uint64_t *>(&number)),
      kiln_model_step_cost(model.get(), 0, nullptr, &cost)};
  for (kiln_status *one : all) {
    status = own(one);
    EXPECT_EQ(kiln_status_code(one), 1u);
    expectMessage("an array is NULL, but its count is not 0; fix: see kiln/runtime.h");
  }
  EXPECT_EQ(made, nullptr);
}

/// Options of a program that was built with a newer header.
TEST_F(SessionError, OptionsThatTheLibraryDoesNotKnow) {
  struct Newer {
    kiln_session_options known = KILN_SESSION_OPTIONS_INIT;
    uint64_t added[2] = {0, 0};
  } newer;
  newer.known.struct_size = sizeof newer;
  EXPECT_EQ(create(newer.known), 0u);
  newer.added[1] = 1;
  EXPECT_EQ(create(newer.known), 1u);
  expectMessage("an option is set that this library does not know");
  EXPECT_EQ(kiln_api_version(), unsigned{KILN_RUNTIME_API_VERSION});
}

TEST_F(SessionError, OutputShapesOfAModel) {
  kiln_tensor in = x.tensor();
  in.data = nullptr;
  in.size = 0;
  kiln_shape shapes[2];
  status = own(kiln_model_output_shapes(model.get(), &in, 1, shapes, 2));
  EXPECT_FALSE(status);
  EXPECT_EQ(shapes[0].dims[1], 3);
  EXPECT_EQ(shapes[1].bytes, 8u);
  int64_t large[] = {5, 3};
  in.shape = large;
  status = own(kiln_model_output_shapes(model.get(), &in, 1, shapes, 2));
  EXPECT_EQ(kiln_status_code(status.get()), 604u);
  status = own(kiln_model_output_shapes(model.get(), &in, 1, shapes, 1));
  EXPECT_EQ(kiln_status_code(status.get()), 601u);
}

TEST_F(SessionError, TypeAndRank) {
  kiln_tensor in = x.tensor();
  in.dtype = KILN_DTYPE_F64;
  EXPECT_EQ(runInput(in), 602u);
  expectMessage("input \"x\": the element type is wrong; expected f32, found "
                "f64");
  in = x.tensor();
  in.rank = 1;
  EXPECT_EQ(runInput(in), 603u);
  expectMessage("expected 2, found 1");
  in = x.tensor();
  in.shape = nullptr;
  EXPECT_EQ(runInput(in), 603u);
  kiln_tensor out = y.tensor();
  out.dtype = KILN_DTYPE_I32;
  EXPECT_EQ(run({x.tensor()}, {out, sum.tensor()}), 602u);
}

TEST_F(SessionError, Envelope) {
  FloatTensor big("x", {5, 3});
  EXPECT_EQ(runInput(big.tensor()), 604u);
  expectMessage("input \"x\", dim 0: the dim batch is outside its range; "
                "expected 1..4, found 5");
  expectMessage("--dims batch=1..5");
  FloatTensor empty("x", {2, 0});
  EXPECT_EQ(runInput(empty.tensor()), 604u);
  int64_t negative[] = {2, -3};
  kiln_tensor in = x.tensor();
  in.shape = negative;
  EXPECT_EQ(runInput(in), 604u);
  int64_t huge[] = {int64_t(1) << 62, 3};
  in.shape = huge;
  EXPECT_EQ(runInput(in), 604u);
  // A failed call leaves the session usable.
  EXPECT_EQ(runInput(x.tensor()), 0u);
}

TEST_F(SessionError, OutputShapesMustAgree) {
  FloatTensor wrong("y", {2, 4});
  EXPECT_EQ(run({x.tensor()}, {wrong.tensor(), sum.tensor()}), 605u);
  expectMessage("output \"y\", dim 1: the dim is wrong; expected 3, found 4");
  kiln_tensor unchecked = wrong.tensor();
  unchecked.shape = nullptr; // larger memory is accepted in that case
  EXPECT_EQ(run({x.tensor()}, {unchecked, sum.tensor()}), 0u);
}

TEST_F(SessionError, Memory) {
  kiln_tensor in = x.tensor();
  in.size = 23;
  EXPECT_EQ(runInput(in), 606u);
  expectMessage("expected 24 bytes, found 23 bytes");
  in = x.tensor();
  in.data = nullptr;
  EXPECT_EQ(runInput(in), 606u);
  std::vector<char> bytes(32);
  in.data = bytes.data() + 1;
  EXPECT_EQ(runInput(in), 606u);
  expectMessage("misaligned");
  kiln_tensor out = y.tensor();
  out.size = 1;
  EXPECT_EQ(run({x.tensor()}, {out, sum.tensor()}), 606u);
}

TEST_F(SessionError, Overlap) {
  kiln_tensor out = y.tensor();
  out.data = x.data.data();
  EXPECT_EQ(run({x.tensor()}, {out, sum.tensor()}), 610u);
  expectMessage("output \"y\": its memory overlaps that of input \"x\"");
  out = sum.tensor();
  out.data = y.data.data() + 5;
  EXPECT_EQ(run({x.tensor()}, {y.tensor(), out}), 610u);
}

TEST_F(SessionError, Dims) {
  EXPECT_EQ(createDims({{"sequence", 1, 2}}), 608u);
  expectMessage("expected batch, seq, found sequence");
  EXPECT_EQ(createDims({{"seq", 1, 257}}), 608u);
  expectMessage("--dims seq=1..257");
  EXPECT_EQ(createDims({{"seq", 0, 5}}), 608u);
  EXPECT_EQ(createDims({{"seq", 5, 4}}), 608u);
  EXPECT_EQ(createDims({{"seq", 1, 4}, {"seq", 1, 4}}), 608u);
  EXPECT_EQ(createDims({{nullptr, 1, 4}}), 608u);
  EXPECT_EQ(createDims({{"seq", 256, 256}}), 0u);
}

TEST_F(SessionError, Devices) {
  for (const char *name : {"cuda:x", "simulated", "tpu"}) {
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    options.device = name;
    EXPECT_EQ(create(options), 702u);
    expectMessage("cuda");
    EXPECT_EQ(kiln_status_exit_code(status.get()), 4);
  }
}

TEST_F(SessionError, DimsThatContradictEachOther) {
  // A second input [seq + 1], and a symbol that no input determines.
  auto contents = scaleModel();
  PlanBuilder b;
  b.plan = std::move(contents.plan);
  uint32_t plus = b.add(1, b.constant(1)); // expression 1 is seq
  uint32_t size = b.mul(b.constant(4), plus);
  uint32_t second = b.buffer("second", 1, size, 0, 5);
  b.input("second", kiln::fb::DType::F32, {plus}, second);
  contents.plan = std::move(b.plan);
  session.reset();
  writeModel(folder / "m.kiln", contents);
  model = loadModel(folder / "m.kiln");
  session = makeSession(model.get());
  FloatTensor good("second", {4}), bad("second", {3});
  EXPECT_EQ(run({x.tensor(), good.tensor()}, {y.tensor(), sum.tensor()}), 0u);
  EXPECT_EQ(run({x.tensor(), bad.tensor()}, {y.tensor(), sum.tensor()}), 605u);
  expectMessage("input \"second\", dim 0: the dim is wrong; expected 4 "
                "(seq + 1 at batch=2, seq=3), found 3");
}

TEST_F(SessionError, SymbolThatNoInputDetermines) {
  auto contents = scaleModel();
  PlanBuilder b;
  b.plan = std::move(contents.plan);
  b.symbol("capacity", 1, 8);
  contents.plan = std::move(b.plan);
  writeModel(folder / "m.kiln", contents);
  model = loadModel(folder / "m.kiln");
  EXPECT_EQ(createDims({}), 612u);
  expectMessage("dim \"capacity\"");
  EXPECT_EQ(createDims({{"capacity", 8, 8}}), 0u);
}

TEST_F(SessionError, OutOfMemoryUnderAnAddressSpaceLimit) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                     \
    (defined(__has_feature) &&                                                           \
     (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer)))
  GTEST_SKIP() << "sanitizers reserve the address space";
#endif
  auto contents = scaleModel();
  contents.plan.symbols[1]->max = int64_t(1) << 30; // 16 GiB of activations
  writeModel(folder / "big.kiln", contents);
  ModelPtr big = loadModel(folder / "big.kiln");
  ASSERT_TRUE(big);
  rlimit before;
  getrlimit(RLIMIT_AS, &before);
  rlimit small = {rlim_t(4) << 30, before.rlim_max};
  setrlimit(RLIMIT_AS, &small);
  kiln_session *made = nullptr;
  status = own(kiln_session_create(big.get(), nullptr, &made));
  setrlimit(RLIMIT_AS, &before);
  EXPECT_EQ(kiln_status_code(status.get()), 700u);
  EXPECT_EQ(kiln_status_exit_code(status.get()), 4);
  expectMessage("arena activations");
  expectMessage("expected 34359738368 bytes");
  expectMessage("4294967296 bytes");
}
