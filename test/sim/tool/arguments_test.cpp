//===- arguments_test.cpp - Arguments and .npy files ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tool/arguments.h"
#include "runtime/sim/tool/run_options.h"
#include "test/sim/tool/tool_test.h"

#include <cstring>

using namespace kiln::sim::tool;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Returns a file as NumPy 1.x and 2.x write it.
std::string npy(const std::string &dictionary, const std::string &data) {
  std::string header = dictionary + std::string(117 - dictionary.size(), ' ') + "\n";
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + data;
}
const char *const two = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
const std::string twoFloats("\x00\x00\x80\x3f\x00\x00\x00\x40", 8);

class Npy : public Folder {};

TEST_F(Npy, ReadsWhatNumpyWrites) {
  Array array;
  std::string problem;
  ASSERT_TRUE(readNpy(file("a.npy", npy(two, twoFloats)), array, problem)) << problem;
  EXPECT_EQ(array.type, "<f4");
  EXPECT_THAT(array.shape, ElementsAre(1, 2));
  float values[2];
  ASSERT_EQ(array.bytes.size(), sizeof values);
  std::memcpy(values, array.bytes.data(), sizeof values);
  EXPECT_EQ(values[1], 2.0f);
}

TEST_F(Npy, WritesWhatItReads) {
  Array array, again;
  std::string problem;
  ASSERT_TRUE(readNpy(file("a.npy", npy(two, twoFloats)), array, problem));
  ASSERT_TRUE(writeNpy(file("b.npy"), array, problem)) << problem;
  EXPECT_EQ((std::filesystem::file_size(file("b.npy")) - twoFloats.size()) % 64, 0u);
  ASSERT_TRUE(readNpy(file("b.npy"), again, problem)) << problem;
  EXPECT_EQ(again.shape, array.shape);
  EXPECT_EQ(again.bytes, array.bytes);
  EXPECT_FALSE(writeNpy(file("no/such/folder.npy"), array, problem));
}

TEST_F(Npy, NamesWhatIsWrong) {
  std::pair<std::string, const char *> wrong[] = {
      {"", "not a .npy file"},
      {"PK\x03\x04 something else", "not a .npy file"},
      {npy(two, twoFloats).substr(0, 50), "cut off"},
      {npy(two, twoFloats + "x"), "as long as the shape"},
      {npy(two, ""), "as long as the shape"},
      {npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", twoFloats),
       "little-endian"},
      {npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", twoFloats),
       "C order"},
      {npy("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", twoFloats),
       "plain"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, "
           "99999999999), }",
           twoFloats),
       "larger than any device"}};
  for (const auto &[content, message] : wrong) {
    Array array;
    std::string problem;
    EXPECT_FALSE(readNpy(file("w.npy", content), array, problem)) << message;
    EXPECT_THAT(problem, HasSubstr(message));
  }
}

TEST_F(Npy, ArgumentsAreBuffersOrScalars) {
  KernelArgument a;
  std::string problem;
  ASSERT_TRUE(parseArgument("i32:-2", a, problem));
  EXPECT_THAT(a.scalar, ElementsAre(0xFE, 0xFF, 0xFF, 0xFF));
  KernelArgument b;
  ASSERT_TRUE(parseArgument("f16[2,3]:out.npy", b, problem)) << problem;
  EXPECT_TRUE(b.isBuffer);
  EXPECT_EQ(b.array.bytes.size(), 12u);
  EXPECT_EQ(b.output, "out.npy");
  KernelArgument c;
  ASSERT_TRUE(parseArgument(file("a.npy", npy(two, twoFloats)) + ":o.npy", c, problem));
  EXPECT_EQ(c.array.bytes.size(), 8u);
  for (const char *wrong :
       {"i32:", "i32:x", "u8:256", "f32:1.5y", "f33[2]", "f32[2", "f32[a]",
        "f32[2]:out.txt", "", ":", "f64[9999999999999,99]"}) {
    KernelArgument d;
    EXPECT_FALSE(parseArgument(wrong, d, problem)) << wrong;
    EXPECT_FALSE(problem.empty());
  }
}

TEST(Options, Sizes) {
  std::array<uint32_t, 3> sizes;
  ASSERT_TRUE(parseSizes("16,8", sizes));
  EXPECT_THAT(sizes, ElementsAre(16, 8, 1));
  for (const char *wrong : {"", "0", "1,", "1,2,3,4", "x", "1 2", "-1", "4294967296"})
    EXPECT_FALSE(parseSizes(wrong, sizes)) << wrong;
}

} // namespace
