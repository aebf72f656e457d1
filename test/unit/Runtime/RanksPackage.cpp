//===- RanksPackage.cpp - Packages for several ranks, for tests -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestKernels.h"
#include "TestPackage.h"

using namespace kiln::test;
using kiln::fb::ArenaKind;
using kiln::fb::DType;
using kiln::fb::ExprKind;
using kiln::package::PackageContents;

PackageContents kiln::test::ranksModel(uint32_t ranks) {
  PlanBuilder b;
  b.plan.ranks = ranks;
  uint32_t batch = b.sym(b.symbol("batch", 1, 4));
  uint32_t seq = b.sym(b.symbol("seq", 1, 256));
  uint32_t four = b.constant(4), line = b.constant(64), eight = b.constant(8);
  uint32_t one = b.constant(1), zero = b.constant(0), count = b.constant(ranks);
  uint32_t rows = b.mul(four, batch), full = b.mul(rows, seq), all = b.mul(rows, count);
  uint32_t lines = b.mul(line, b.op(ExprKind::CeilDiv, full, line));
  uint32_t weights = b.arena(ArenaKind::Weights, b.mul(line, count));
  uint32_t in = b.arena(ArenaKind::Input, full);
  uint32_t out = b.arena(ArenaKind::Output, b.add(full, all));
  uint32_t act = b.arena(ArenaKind::Activations, b.add(lines, rows));
  b.arena(ArenaKind::Workspace, b.mul(four, seq));

  uint32_t w = b.buffer("w", weights, eight, 0, 4);
  b.plan.buffers[w]->rank_stride = 64;
  uint32_t x = b.buffer("x", in, full, 0, 0);
  uint32_t own = b.buffer("own", act, full, 0, 4);
  uint32_t ownSums = b.buffer("own_sums", act, rows, 1, 2, {own});
  uint32_t sums = b.buffer("sums", out, all, 2, 4);
  uint32_t sum = b.buffer("sum", act, full, 3, 4, {}, int32_t(own));
  uint32_t y = b.buffer("y", out, full, 4, 4);
  b.input("x", DType::F32, {batch, seq}, x);
  b.output("y", DType::F32, {batch, seq}, y);
  b.output("sums", DType::F32, {b.mul(batch, count)}, sums);

  uint32_t scale = b.kernel("scale", code(kiln_test_scale), {1}, zero);
  uint32_t rowSum = b.kernel("row_sum", code(kiln_test_row_sum), {1}, b.mul(four, seq));
  b.launch(scale, {x, w}, {own}, batch);
  b.launch(rowSum, {own}, {ownSums}, batch);
  b.collective(fb::CollectiveKind::AllGather, ownSums, sums, one, batch);
  b.collective(fb::CollectiveKind::AllReduce, own, sum, batch, seq);
  b.copy(sum, y);

  PackageContents contents = b.finish();
  for (uint32_t rank = 0; rank < ranks; ++rank)
    contents.weights.push_back({"w of rank " + std::to_string(rank), rank * 64, 8,
                                [rank](package::WeightSink &sink) {
                                  float values[2] = {2 + float(rank), 1};
                                  return sink.write(values, sizeof values);
                                }});
  return contents;
}

PackageContents kiln::test::stagesModel() {
  PlanBuilder b;
  b.plan.ranks = b.plan.stages = 2;
  uint32_t batch = b.sym(b.symbol("batch", 1, 4));
  uint32_t seq = b.sym(b.symbol("seq", 1, 256));
  uint32_t four = b.constant(4), line = b.constant(64), eight = b.constant(8);
  uint32_t one = b.constant(1), zero = b.constant(0);
  uint32_t rows = b.mul(four, batch), full = b.mul(rows, seq);
  uint32_t weights = b.arena(ArenaKind::Weights, line);
  uint32_t in = b.arena(ArenaKind::Input, full);
  uint32_t out = b.arena(ArenaKind::Output, b.add(full, rows));
  uint32_t act = b.arena(ArenaKind::Activations, full);
  uint32_t state = b.arena(ArenaKind::State, line);
  b.arena(ArenaKind::Workspace, b.mul(four, seq));

  uint32_t w = b.buffer("w", weights, eight, 0, 5);
  uint32_t x = b.buffer("x", in, full, 0, 0);
  uint32_t own = b.buffer("own", act, full, 0, 4);
  uint32_t sums = b.buffer("sums", out, rows, 2, 5);
  uint32_t y = b.buffer("y", out, full, 4, 5);
  for (int32_t stage : {0, 1}) {
    uint32_t s = b.buffer(stage ? "second" : "first", state, line, 0, 5);
    b.plan.buffers[s]->stage = stage;
  }
  b.input("x", DType::F32, {batch, seq}, x);
  b.output("y", DType::F32, {batch, seq}, y);
  b.output("sums", DType::F32, {batch}, sums);

  uint32_t scale = b.kernel("scale", code(kiln_test_scale), {1}, zero);
  uint32_t rowSum = b.kernel("row_sum", code(kiln_test_row_sum), {1}, b.mul(four, seq));
  auto ofStage = [&](uint32_t step, int32_t stage) { b.plan.steps[step]->stage = stage; };
  ofStage(b.launch(scale, {x, w}, {own}, batch), 0);
  ofStage(b.collective(fb::CollectiveKind::Broadcast, own, own, batch, seq), 0);
  ofStage(b.launch(rowSum, {own}, {sums}, batch), 1);
  ofStage(b.collective(fb::CollectiveKind::Broadcast, sums, sums, one, batch), 1);
  ofStage(b.copy(own, y), 0);
  ofStage(b.collective(fb::CollectiveKind::Broadcast, y, y, batch, seq), 0);

  PackageContents contents = b.finish();
  static const float values[2] = {2, 1};
  contents.weights.push_back(package::weightFromMemory("w", 0, values, sizeof values));
  return contents;
}
