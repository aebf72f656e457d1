//===- chunk_hash.cpp - Hash of a section, by chunks ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/chunk_hash.h"
#include "runtime/base/signals_blocked.h"
#include <algorithm>
#include <atomic>
#include <memory>
#include <pthread.h>
#include <vector>

using namespace kiln::rt;

// Only this file includes xxHash, as static functions: the library does not link to it.
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

/// State that the hashing threads share.
struct ParallelHash::Work {
  uint64_t size;
  ChunkReader read;
  std::vector<ChunkDigest> digests;
  std::unique_ptr<uint8_t[]> buffers; ///< one per thread and one of the calling thread
  std::vector<pthread_t> threads;
  std::atomic<uint32_t> started{0};
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};

  void hashChunks();
  static void *threadMain(void *work) {
    pthread_setname_np(pthread_self(), "kiln-check");
    static_cast<Work *>(work)->hashChunks();
    return nullptr;
  }
};

void ParallelHash::Work::hashChunks() {
  uint8_t *buffer = buffers.get() + started.fetch_add(1) * hashChunkBytes;
  for (;;) {
    size_t i = next.fetch_add(1, std::memory_order_relaxed);
    if (i >= digests.size() || failed.load(std::memory_order_relaxed))
      return;
    uint64_t offset = uint64_t(i) * hashChunkBytes;
    size_t length = std::min<uint64_t>(hashChunkBytes, size - offset);
    const void *bytes = read(offset, length, buffer);
    if (!bytes)
      failed.store(true, std::memory_order_relaxed);
    else
      digests[i] = canonical(XXH3_128bits(bytes, length));
  }
}

ParallelHash::ParallelHash(uint64_t size, ChunkReader read, uint32_t threads)
    : work(new Work{size, std::move(read), {}, nullptr, {}}) {
  work->digests.resize((size + hashChunkBytes - 1) / hashChunkBytes);
  // Uses threads of its own rather than the thread pool's: a session with one thread has
  // no pool, and the pool's threads would outlive this work. Starting a thread costs
  // about as much as hashing 100 KiB.
  threads = std::min<uint64_t>(threads, work->digests.size() / 4);
  work->buffers.reset(new uint8_t[(threads + 1) * hashChunkBytes]);
  work->threads.reserve(threads);
  SignalsBlocked blocked;
  for (uint32_t i = 0; i < threads; ++i)
    if (pthread_t thread;
        pthread_create(&thread, nullptr, Work::threadMain, work.get()) == 0)
      work->threads.push_back(thread);
}

ParallelHash::~ParallelHash() {
  work->failed.store(true, std::memory_order_relaxed);
  join();
}

void ParallelHash::join() {
  for (pthread_t thread : work->threads)
    pthread_join(thread, nullptr);
  work->threads.clear();
}

bool ParallelHash::finish(Sha256Digest &out) {
  work->hashChunks();
  join();
  Sha256 digest;
  digest.update(work->digests.data(), work->digests.size() * sizeof(ChunkDigest));
  out = digest.finish();
  return !work->failed.load();
}
