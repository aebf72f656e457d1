//===- OpTableTest.cpp - The table of handlers ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Import/Import.h"
#include "lib/Import/Onnx/OnnxLibrary.h"
#include <gtest/gtest.h>

#include <tuple>

using namespace kiln::import;

TEST(OpTable, IsSortedWithoutDuplicates) {
  std::vector<SupportedOp> ops = supportedOps();
  ASSERT_FALSE(ops.empty());
  for (size_t i = 1; i < ops.size(); ++i)
    EXPECT_LT(std::tie(ops[i - 1].domain, ops[i - 1].op, ops[i - 1].sinceVersion),
              std::tie(ops[i].domain, ops[i].op, ops[i].sinceVersion))
        << ops[i].op.str();
}

TEST(OpTable, VersionsAreThoseOfTheStandard) {
  for (const SupportedOp &op : supportedOps()) {
    std::optional<OpSchema> schema = findSchema(op.domain, op.op, op.sinceVersion);
    // Ops of ONNX Runtime have no schema in the ONNX library.
    if (schema)
      EXPECT_EQ(schema->sinceVersion, op.sinceVersion) << op.op.str();
    else
      EXPECT_EQ(op.sinceVersion, 1) << op.op.str();
  }
}

TEST(OpTable, EveryVersionOfAnOpHasAHandlerOrNone) {
  std::vector<SupportedOp> ops = supportedOps();
  for (const SupportedOp &op : ops)
    for (int opset = 7; opset <= newestOpset(""); ++opset) {
      std::optional<OpSchema> schema = findSchema(op.domain, op.op, opset);
      if (!schema || schema->deprecated)
        continue;
      bool handled = llvm::any_of(ops, [&](const SupportedOp &other) {
        return other.domain == op.domain && other.op == op.op &&
               other.sinceVersion == schema->sinceVersion;
      });
      EXPECT_TRUE(handled) << op.op.str() << " of version " << schema->sinceVersion;
    }
}
