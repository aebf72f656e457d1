//===- Sha256Test.cpp -----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test vectors of FIPS 180-4's examples, and portable code against CPU instructions.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/sha256.h"
#include <gtest/gtest.h>

using namespace kiln::rt;

static std::string hash(const std::string &text, bool portable = false) {
  Sha256 h(portable);
  h.update(text.data(), text.size());
  return toHex(h.finish());
}

TEST(Sha256, Vectors) {
  struct {
    std::string text;
    const char *digest;
  } vectors[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1000000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (auto &v : vectors)
    for (bool portable : {false, true})
      EXPECT_EQ(hash(v.text, portable), v.digest);
}

TEST(Sha256, AnySizeAnyPieces) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += static_cast<char>(i * 37);
  for (size_t size = 0; size <= text.size(); ++size) {
    std::string part = text.substr(0, size);
    std::string whole = hash(part);
    EXPECT_EQ(whole, hash(part, true)) << size;
    for (size_t piece : {1, 63, 64, 65}) {
      Sha256 h;
      for (size_t i = 0; i < size; i += piece)
        h.update(part.data() + i, std::min(piece, size - i));
      EXPECT_EQ(toHex(h.finish()), whole) << size << " by " << piece;
    }
  }
}
