//===- TicketTest.cpp - tile.ticket: the last task combines results -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileText.h"

#include <cmath>

using namespace kiln::interpreter;

namespace {
class TileTicket : public TileTest {
protected:
  /// 12 tasks, three contributing to each of four sums; each task adds its number.
  static std::string program(const std::string &count, const std::string &tickets,
                             const std::string &bytes = "48") {
    return "tile.kernel @k() -> (%y: !tile.buffer<f32>) symbols() task(%t) attributes {"
           "symbols = [], hero = \"x\", threads = 32, grid = affine_map<() -> (12)>, "
           "scratch = affine_map<() -> (0)>, workspace = affine_map<() -> (" +
           bytes + ")>, tickets = affine_map<() -> (" + tickets + ")>} {\n" + R"(
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %s = arith.divui %t, %c3 : index
  %p = arith.remui %t, %c3 : index
  %w = tile.workspace : !tile.buffer<f32>
  %v = tile.view %w offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x3xf32, [3, 1]>
  %out = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  %n = arith.index_cast %t : index to i32
  %f = arith.sitofp %n : i32 to f32
  tile.store %f, %v[%s, %p] : f32, !tile.view<4x3xf32, [3, 1]>
  %last = tile.ticket %s of )" +
           count + R"(
  scf.if %last {
    %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %zero) -> (f32) {
      %x = tile.load %v[%s, %i] : !tile.view<4x3xf32, [3, 1]> -> f32
      %b = arith.addf %a, %x : f32
      scf.yield %b : f32
    }
    tile.store %sum, %out[%s] : f32, !tile.view<4xf32, [1]>
  }
})";
  }
};
} // namespace

TEST_F(TileTicket, TheLastOfEachSumsUp) {
  for (TaskOrder order : {TaskOrder::Forward, TaskOrder::Reverse, TaskOrder::Shuffled})
    for (uint64_t seed = 0; seed < 5; ++seed) {
      std::vector<float> y(4, -1);
      Report report =
          llvm::cantFail(run(program("3", "4"), {buffer(y)}, {}, {order, seed}));
      EXPECT_EQ(report.tasks, 12);
      EXPECT_EQ(report.unwritten[0], 0);
      EXPECT_EQ(y, (std::vector<float>{3, 12, 21, 30}));
    }
}

TEST_F(TileTicket, WhoComesTooEarlyReadsNoNumber) {
  std::vector<float> y(4, -1);
  // With a count of 2, the second of three tasks already combines, and the third counts
  // as the first of the next two.
  auto report = run(program("2", "4"), {buffer(y)}, {}, {});
  ASSERT_FALSE(static_cast<bool>(report));
  std::string message = llvm::toString(report.takeError());
  EXPECT_NE(message.find("a ticket is not 0 after the last task"), std::string::npos)
      << message;
  EXPECT_TRUE(std::isnan(y[0]));
}

TEST_F(TileTicket, TicketsAndWorkspaceHaveAnEnd) {
  for (auto [text, words] :
       {std::pair(program("3", "3"), "ticket 3 of 3"),
        std::pair(program("3", "4", "44"), "of the workspace, which has 44 bytes")}) {
    std::vector<float> y(4, -1);
    auto report = run(text, {buffer(y)}, {}, {});
    ASSERT_FALSE(static_cast<bool>(report));
    std::string message = llvm::toString(report.takeError());
    EXPECT_NE(message.find("KILN-E0270"), std::string::npos) << message;
    EXPECT_NE(message.find(words), std::string::npos) << message;
  }
}
