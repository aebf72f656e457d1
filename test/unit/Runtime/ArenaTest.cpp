//===- ArenaTest.cpp - The caller's allocators, and releasing memory ------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "kiln/memory.hpp"
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace kiln::test;

namespace {
/// An allocator that counts, checks what is freed, and can fail or misalign.
struct Counting {
  Counting() {
    functions.allocate = [](void *user, size_t size, size_t alignment) {
      return static_cast<Counting *>(user)->allocate(size, alignment);
    };
    functions.free = [](void *user, void *data, size_t size, size_t alignment) {
      static_cast<Counting *>(user)->free(data, size, alignment);
    };
    functions.user = this;
  }
  ~Counting() { EXPECT_TRUE(blocks.empty()) << blocks.size() << " are not given back"; }

  void *allocate(size_t size, size_t alignment) {
    EXPECT_TRUE(alignment >= 64 && alignment <= 4096 && !(alignment & (alignment - 1)));
    EXPECT_GT(size, 0u);
    if (++calls == failing)
      return nullptr;
    size_t room = (size + 64 + alignment - 1) / alignment * alignment;
    auto *data = static_cast<char *>(std::aligned_alloc(alignment, room));
    std::memset(data, 0xee, room); // fill with garbage, not zeros
    void *given = data + (calls == misaligning ? 8 : 0);
    blocks[given] = {data, size, alignment};
    return given;
  }
  void free(void *data, size_t size, size_t alignment) {
    auto found = blocks.find(data);
    ASSERT_NE(found, blocks.end());
    EXPECT_EQ(found->second.size, size);
    EXPECT_EQ(found->second.alignment, alignment);
    std::free(found->second.data);
    blocks.erase(found);
  }

  struct Block {
    void *data;
    size_t size, alignment;
  };
  kiln_allocator functions = KILN_ALLOCATOR_INIT;
  std::map<void *, Block> blocks;
  int calls = 0, failing = 0, misaligning = 0;
};

class Arenas : public testing::Test {
protected:
  void open(const kiln::package::PackageContents &contents) {
    writeModel(folder / "m.kiln", contents);
    model = loadModel(folder / "m.kiln");
    options.threads = 2;
    options.allocator = &counting.functions;
  }
  unsigned keep(kiln_status *given) {
    status = own(given);
    return kiln_status_code(status.get());
  }
  std::string part(kiln_status_part which) {
    return kiln_status_get(status.get(), which);
  }
  unsigned create() {
    kiln_session *made = nullptr;
    unsigned code = keep(kiln_session_create(model.get(), &options, &made));
    session.reset(made);
    return code;
  }
  unsigned trim() { return keep(kiln_session_trim(session.get())); }
  /// Runs scaleModel and compares the results.
  unsigned run(int64_t batch = 4, int64_t seq = 256, bool isSumWanted = true) {
    FloatTensor x("x", {batch, seq}), y("y", x.shape), sum("sum", {batch});
    kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
    unsigned code =
        keep(kiln_session_run(session.get(), &in, 1, out, isSumWanted ? 2 : 1));
    for (size_t i = 0; code == 0 && i < x.data.size(); ++i)
      EXPECT_EQ(y.data[i], scaled(x.data[i]));
    return code;
  }
  /// Runs stateModel; returns the sum of all x so far.
  float add(float value) {
    FloatTensor x("x", {1}), total("total", {1});
    x.data = {value};
    kiln_tensor in = x.tensor(), out = total.tensor();
    EXPECT_EQ(keep(kiln_session_run(session.get(), &in, 1, &out, 1)), 0u);
    return total.data[0];
  }

  TempFolder folder;
  Counting counting;
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  ModelPtr model{nullptr, kiln_model_release};
  SessionPtr session{nullptr, kiln_session_release};
  StatusPtr status = own(nullptr);
};
} // namespace

TEST_F(Arenas, ComeFromTheAllocator) {
  open(scaleModel());
  ASSERT_EQ(create(), 0u);
  uint64_t wanted = 0;
  for (size_t i = 0; i < kiln_model_arena_count(model.get()); ++i) {
    kiln_arena_usage usage;
    ASSERT_EQ(keep(kiln_session_arena(session.get(), i, &usage)), 0u);
    if (usage.kind != KILN_ARENA_WORKSPACE)
      wanted += usage.capacity;
  }
  uint64_t given = 0, workspace = 0;
  for (auto &[data, block] : counting.blocks)
    (block.alignment == 4096 ? workspace : given) += block.size;
  EXPECT_EQ(given, wanted);
  EXPECT_EQ(workspace, 2u * 4096); // a page per thread
  EXPECT_EQ(run(), 0u);
  EXPECT_EQ(run(1, 3), 0u);
  EXPECT_EQ(counting.calls, int(counting.blocks.size()));
}

TEST_F(Arenas, StatesBeginAsZero) {
  open(stateModel());
  ASSERT_EQ(create(), 0u);
  EXPECT_EQ(add(3), 3);
  EXPECT_EQ(add(4), 7);
}

TEST_F(Arenas, AllocatorThatFailsAtAnyCall) {
  open(scaleModel());
  ASSERT_EQ(create(), 0u);
  int calls = counting.calls;
  ASSERT_GE(calls, 2);
  for (int n = 1; n <= calls; ++n) {
    session.reset();
    counting.failing = (counting.calls = 0) + n;
    EXPECT_EQ(create(), 700u) << n;
    EXPECT_EQ(part(KILN_STATUS_FOUND), "NULL");
    EXPECT_EQ(part(KILN_STATUS_WHERE).rfind("arena ", 0), 0u);
    EXPECT_TRUE(counting.blocks.empty());
  }
  counting.failing = 0;
  EXPECT_EQ(create(), 0u);
  EXPECT_EQ(run(), 0u);
}

TEST_F(Arenas, AllocatorThatMisalignsAtAnyCall) {
  open(scaleModel());
  ASSERT_EQ(create(), 0u);
  int calls = counting.calls;
  for (int n = 1; n <= calls; ++n) {
    session.reset();
    counting.misaligning = (counting.calls = 0) + n;
    EXPECT_EQ(create(), 1u) << n;
    EXPECT_EQ(part(KILN_STATUS_FOUND), "8 bytes beyond one");
    EXPECT_TRUE(counting.blocks.empty());
  }
}

TEST_F(Arenas, AllocatorsThatAreNotComplete) {
  open(scaleModel());
  kiln_allocator whole = counting.functions;
  counting.functions.free = nullptr;
  EXPECT_EQ(create(), 1u);
  counting.functions = whole;
  counting.functions.struct_size = 0;
  EXPECT_EQ(create(), 1u);
  counting.functions = whole;
  struct Newer {
    kiln_allocator known;
    void *more;
  } newer = {whole, nullptr};
  newer.known.struct_size = sizeof newer;
  options.allocator = &newer.known;
  EXPECT_EQ(create(), 0u);
  session.reset();
  newer.more = &newer;
  EXPECT_EQ(create(), 1u);
  EXPECT_EQ(part(KILN_STATUS_WHAT), "an option is set that this library does not know");
}

//===----------------------------------------------------------------------===//
// Trimming
//===----------------------------------------------------------------------===//

TEST_F(Arenas, TrimGivesTheAllocatorItsMemory) {
  open(scaleModel());
  ASSERT_EQ(create(), 0u);
  EXPECT_EQ(trim(), 0u); // before the first run
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(), 0u);
    EXPECT_EQ(run(4, 256, i % 2), 0u); // an output has its own memory
    EXPECT_FALSE(counting.blocks.empty());
    EXPECT_EQ(trim(), 0u);
    EXPECT_EQ(trim(), 0u);
    EXPECT_TRUE(counting.blocks.empty());
  }
  kiln_step_launch launch;
  EXPECT_EQ(keep(kiln_session_step_launch(session.get(), 0, &launch)), 0u);
}

TEST_F(Arenas, AllocatorThatFailsAfterTrim) {
  open(scaleModel());
  ASSERT_EQ(create(), 0u);
  EXPECT_EQ(run(), 0u);
  EXPECT_EQ(trim(), 0u);
  for (int n : {1, 2}) {
    counting.failing = (counting.calls = 0) + n;
    EXPECT_EQ(run(), 700u);
  }
  counting.misaligning = (counting.calls = 0) + 1;
  counting.failing = 0;
  EXPECT_EQ(trim(), 0u);
  EXPECT_EQ(run(), 1u);
  EXPECT_EQ(run(), 0u);
}

TEST_F(Arenas, TrimKeepsStates) {
  for (kiln_allocator *allocator :
       {static_cast<kiln_allocator *>(nullptr), &counting.functions}) {
    open(stateModel());
    options.allocator = allocator;
    ASSERT_EQ(create(), 0u);
    EXPECT_EQ(add(3), 3);
    EXPECT_EQ(trim(), 0u);
    EXPECT_EQ(add(4), 7);
    session.reset();
  }
}

/// Entry points share their memory: what one releases, all allocate again.
TEST_F(Arenas, TrimOfAModelWithTwoEntries) {
  auto contents = scaleModel(), other = scaleModel();
  contents.plan.name = "one";
  other.plan.name = "two";
  contents.otherPlans.push_back(std::move(other.plan));
  open(contents);
  ASSERT_EQ(create(), 0u);
  FloatTensor x("x", {4, 256}), y("y", x.shape), sum("sum", {4});
  kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
  for (const char *name : {"one", "two", "two", "one"}) {
    kiln_session *entry = nullptr;
    ASSERT_EQ(keep(kiln_session_entry(session.get(), name, &entry)), 0u);
    for (int i = 0; i < 2; ++i) {
      y.data.assign(y.data.size(), 0);
      ASSERT_EQ(keep(kiln_session_run(entry, &in, 1, out, 2)), 0u);
      EXPECT_EQ(y.data[7], scaled(x.data[7]));
    }
    EXPECT_EQ(keep(kiln_session_trim(entry)), 0u);
    EXPECT_TRUE(counting.blocks.empty());
  }
}

/// Returns KiB of the process's resident anonymous memory.
static long anonymousKiB() {
  long kib = 0;
  char line[256];
  FILE *file = std::fopen("/proc/self/status", "r");
  while (file && std::fgets(line, sizeof line, file))
    if (std::sscanf(line, "RssAnon: %ld", &kib) == 1)
      break;
  if (file)
    std::fclose(file);
  return kib;
}

TEST_F(Arenas, TrimGivesTheSystemItsPages) {
  auto contents = scaleModel();
  PlanBuilder b; // 32 MiB more activations
  b.plan = std::move(contents.plan);
  b.plan.arenas[3]->size = b.add(b.plan.arenas[3]->size, b.constant(32 << 20));
  contents.plan = std::move(b.plan);
  open(contents);
  options.allocator = nullptr;
  options.measure_memory = 1; // touches all of them
  ASSERT_EQ(create(), 0u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(run(), 0u);
    long before = anonymousKiB();
    EXPECT_EQ(trim(), 0u);
    EXPECT_GT(before - anonymousKiB(), 30 << 10);
  }
  EXPECT_EQ(run(), 0u);
}

TEST_F(Arenas, TrimDuringARun) {
  open(waitModel());
  ASSERT_EQ(create(), 0u);
  int32_t flag = 0, result = 0;
  int64_t one = 1;
  kiln_tensor in = {"flag", &flag, 4, KILN_DTYPE_I32, 1, &one, KILN_MEMORY_ANY};
  kiln_tensor out = {"out", &result, 4, KILN_DTYPE_I32, 1, &one, KILN_MEMORY_ANY};
  StatusPtr ran = own(nullptr);
  std::thread runner(
      [&] { ran = own(kiln_session_run(session.get(), &in, 1, &out, 1)); });
  unsigned code;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    code = trim();
  } while (code == 0);
  EXPECT_EQ(code, 609u);
  __atomic_store_n(&flag, 42, __ATOMIC_RELEASE);
  runner.join();
  EXPECT_FALSE(ran);
  EXPECT_EQ(result, 42);
  EXPECT_EQ(keep(kiln_session_trim(nullptr)), 1u);
}

TEST_F(Arenas, OfAMemoryResource) {
  open(scaleModel());
  std::pmr::unsynchronized_pool_resource pool;
  kiln::rt::Allocator allocator(pool);
  options.allocator = allocator.get();
  ASSERT_EQ(create(), 0u);
  EXPECT_EQ(run(), 0u);
  EXPECT_EQ(trim(), 0u);
  EXPECT_EQ(run(), 0u);
  session.reset();
  kiln::rt::Allocator none(*std::pmr::null_memory_resource());
  options.allocator = none.get();
  EXPECT_EQ(create(), 700u);
}
