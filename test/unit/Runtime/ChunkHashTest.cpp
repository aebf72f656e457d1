//===- ChunkHashTest.cpp --------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/chunk_hash.h"
#include <atomic>
#include <gtest/gtest.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace kiln::rt;

/// Computes the hash by its definition.
static Sha256Digest expected(const std::string &bytes) {
  Sha256 digests;
  for (size_t at = 0; at < bytes.size(); at += hashChunkBytes) {
    std::string chunk = bytes.substr(at, hashChunkBytes);
    XXH128_canonical_t digest;
    XXH128_canonicalFromHash(&digest, XXH3_128bits(chunk.data(), chunk.size()));
    digests.update(&digest, sizeof digest);
  }
  return digests.finish();
}

TEST(ChunkHash, AnySizeAnyPiecesAnyThreads) {
  for (size_t size : {size_t(0), size_t(1), hashChunkBytes - 1, hashChunkBytes,
                      hashChunkBytes + 1, 9 * hashChunkBytes + 77}) {
    std::string bytes(size, '\0');
    for (size_t i = 0; i < size; ++i)
      bytes[i] = static_cast<char>(i * 31 + i / 4096);
    Sha256Digest whole = expected(bytes);
    EXPECT_EQ(chunkHash(bytes.data(), size), whole) << size;
    ChunkHash pieces;
    for (size_t at = 0; at < size; at += 100003)
      pieces.update(bytes.data() + at, std::min<size_t>(100003, size - at));
    EXPECT_EQ(pieces.finish(), whole) << size;
    ChunkReader read = [&](uint64_t at, size_t, uint8_t *) { return bytes.data() + at; };
    for (uint32_t threads : {0u, 1u, 2u, 7u}) {
      Sha256Digest found;
      ASSERT_TRUE(ParallelHash(size, read, threads).finish(found));
      EXPECT_EQ(found, whole) << size << " by " << threads;
    }
  }
}

/// The hash must never change: future versions, on any machine, must read today's
/// packages.
TEST(ChunkHash, IsTheSameForever) {
  std::string bytes(300000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(i * 31);
  EXPECT_EQ(toHex(chunkHash(bytes.data(), bytes.size())),
            "abd61ef4b09a6ecb71576deab42d236096c17abef76f697b2aac6c944c02950a");
}

TEST(ChunkHash, ReaderThatFails) {
  ChunkReader read = [&](uint64_t at, size_t, uint8_t *buffer) -> const void * {
    return at < 8 * hashChunkBytes ? buffer : nullptr;
  };
  Sha256Digest found;
  EXPECT_FALSE(ParallelHash(20 * hashChunkBytes, read, 3).finish(found));
  EXPECT_TRUE(ParallelHash(8 * hashChunkBytes, read, 3).finish(found));
}

/// Releasing a model before its first run: the hashing threads stop after the current
/// chunk.
TEST(ChunkHash, IsAbandoned) {
  std::atomic<int> chunks{0};
  ChunkReader read = [&](uint64_t, size_t, uint8_t *buffer) {
    ++chunks;
    usleep(1000);
    return buffer;
  };
  {
    ParallelHash hash(100000 * hashChunkBytes, read, 2);
  }
  EXPECT_LT(chunks.load(), 1000);
}
