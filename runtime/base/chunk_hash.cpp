//===- chunk_hash.cpp - Hash of a section, by chunks ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/chunk_hash.h"
#include <algorithm>
#include <atomic>
#include <memory>
#include <pthread.h>
#include <vector>

using namespace kiln::rt;

// In this file alone, and static: the library needs no other at run time.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace {
using ChunkDigest = XXH128_canonical_t;
} // namespace

static ChunkDigest canonical(XXH128_hash_t hash) {
  ChunkDigest digest;
  XXH128_canonicalFromHash(&digest, hash);
  return digest;
}

struct ChunkHash::Chunk {
  XXH3_state_t state;
  size_t size = 0;
};

ChunkHash::ChunkHash() : chunk(new Chunk) { XXH3_128bits_reset(&chunk->state); }
ChunkHash::~ChunkHash() = default;
ChunkHash::ChunkHash(ChunkHash &&) noexcept = default;
ChunkHash &ChunkHash::operator=(ChunkHash &&) noexcept = default;

void ChunkHash::update(const void *data, size_t size) {
  auto *bytes = static_cast<const uint8_t *>(data);
  while (size) {
    size_t take = std::min(size, hashChunkBytes - chunk->size);
    XXH3_128bits_update(&chunk->state, bytes, take);
    bytes += take, size -= take, chunk->size += take;
    if (chunk->size < hashChunkBytes)
      continue;
    ChunkDigest digest = canonical(XXH3_128bits_digest(&chunk->state));
    digests.update(&digest, sizeof digest);
    XXH3_128bits_reset(&chunk->state);
    chunk->size = 0;
  }
}

Sha256Digest ChunkHash::finish() {
  if (chunk->size) {
    ChunkDigest digest = canonical(XXH3_128bits_digest(&chunk->state));
    digests.update(&digest, sizeof digest);
  }
  return digests.finish();
}

Sha256Digest kiln::rt::chunkHash(const void *data, size_t size) {
  ChunkHash hash;
  hash.update(data, size);
  return hash.finish();
}

namespace {
/// What the threads have in common.
struct Work {
  uint64_t size;
  const ChunkReader &read;
  std::vector<ChunkDigest> digests;
  std::unique_ptr<uint8_t[]> buffers; ///< one per thread: only the caller may throw
  std::atomic<uint32_t> started{0};
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
};
} // namespace

static void hashChunks(Work &work) {
  uint8_t *buffer = work.buffers.get() + work.started.fetch_add(1) * hashChunkBytes;
  for (;;) {
    size_t i = work.next.fetch_add(1, std::memory_order_relaxed);
    if (i >= work.digests.size() || work.failed.load(std::memory_order_relaxed))
      return;
    uint64_t offset = uint64_t(i) * hashChunkBytes;
    size_t size = std::min<uint64_t>(hashChunkBytes, work.size - offset);
    const void *bytes = work.read(offset, size, buffer);
    if (!bytes)
      work.failed.store(true, std::memory_order_relaxed);
    else
      work.digests[i] = canonical(XXH3_128bits(bytes, size));
  }
}

static void *threadMain(void *work) {
  hashChunks(*static_cast<Work *>(work));
  return nullptr;
}

bool kiln::rt::chunkHash(uint64_t size, const ChunkReader &read, uint32_t threads,
                         Sha256Digest &out) {
  Work work{size, read, {}, nullptr};
  work.digests.resize((size + hashChunkBytes - 1) / hashChunkBytes);
  // Threads of its own, not the pool's: a session with one thread needs no pool, and
  // its workers would outlive this. A thread costs as much as some 100 KiB of hashing.
  threads = std::min<uint64_t>(threads, work.digests.size() / 4 + 1);
  work.buffers.reset(new uint8_t[threads * hashChunkBytes]);
  std::vector<pthread_t> helpers;
  helpers.reserve(threads);
  for (uint32_t i = 1; i < threads; ++i)
    if (pthread_t helper; pthread_create(&helper, nullptr, threadMain, &work) == 0)
      helpers.push_back(helper);
  hashChunks(work);
  for (pthread_t helper : helpers)
    pthread_join(helper, nullptr);
  Sha256 digests;
  digests.update(work.digests.data(), work.digests.size() * sizeof(ChunkDigest));
  out = digests.finish();
  return !work.failed.load();
}
