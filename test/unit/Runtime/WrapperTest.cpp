//===- WrapperTest.cpp ----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ interface, kiln/runtime.hpp.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "kiln/runtime.hpp"
#include <gtest/gtest.h>

using namespace kiln::test;

TEST(Wrapper, RunsAModel) {
  TempFolder folder;
  writeModel(folder / "m.kiln", scaleModel());
  kiln::rt::Model model(folder / "m.kiln");
  kiln::rt::Session session(model);
  std::vector<float> x = {1, 2, 3, 4, 5, 6};
  auto results = session.run({{"x", x, {2, 3}}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].name, "y");
  EXPECT_EQ(results[0].shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(results[0].as<float>()[5], scaled(6));
  EXPECT_THROW(results[0].as<int>(), std::invalid_argument);
  kiln::rt::Session moved = std::move(session);
  EXPECT_EQ(moved.run({{"x", x.data(), {1, 1}}})[1].as<float>()[0], scaled(1));
}

TEST(Wrapper, ThrowsCodedErrors) {
  TempFolder folder;
  try {
    kiln::rt::Model model(folder / "missing.kiln");
    FAIL();
  } catch (const kiln::rt::Error &e) {
    EXPECT_EQ(e.code(), 2u);
    EXPECT_EQ(e.exitCode(), 3);
    EXPECT_EQ(std::string(e.what()).rfind("KILN-E0002: ", 0), 0u);
  }
  writeModel(folder / "m.kiln", scaleModel());
  kiln::rt::Session session(kiln::rt::Model(folder / "m.kiln"));
  std::vector<float> two(2);
  EXPECT_THROW(session.run({{"x", two, {2, 3}}}), kiln::rt::Error);
  EXPECT_THROW(session.run({{"z", two, {1, 2}}}), kiln::rt::Error);
}
