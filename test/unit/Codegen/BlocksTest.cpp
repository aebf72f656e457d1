//===- BlocksTest.cpp -----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Codegen/Blocks.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace kiln::codegen;

/// Rows are divided into as few blocks as the max height allows, with heights that differ
/// by at most one row. Expects code for both heights, for every number of rows.
TEST(Blocks, EveryHeightHasCode) {
  for (int64_t tallest = 1; tallest <= 14; ++tallest)
    for (int64_t minimum : {1, 2, 4, 9, 30})
      for (int64_t maximum : {minimum, minimum + 1, minimum + 7, int64_t(300)}) {
        auto heights = blockHeights(minimum, maximum, tallest);
        EXPECT_TRUE(llvm::is_sorted(heights));
        for (int64_t rows = minimum; rows <= maximum; ++rows) {
          int64_t blocks = (rows + tallest - 1) / tallest;
          for (int64_t height : {rows / blocks, (rows + blocks - 1) / blocks})
            EXPECT_TRUE(llvm::is_contained(heights, height))
                << rows << " rows in blocks of up to " << tallest;
        }
      }
}
