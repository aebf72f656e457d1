//===- MemoryTest.cpp - Packages and arenas in the caller's memory --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/memory.hpp"
#include "TestPackage.h"
#include "kiln/runtime.hpp"
#include "runtime/package/format.h"
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <map>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace kiln::test;
namespace format = kiln::rt::format;

namespace {
/// A package in aligned memory that counts its releases.
struct AlignedPackage {
  explicit AlignedPackage(const std::string &bytes) : size(bytes.size()) {
    size_t room = format::alignUp(size, format::pageAlignment);
    data = static_cast<char *>(std::aligned_alloc(KILN_PACKAGE_ALIGNMENT, room));
    std::memcpy(data, bytes.data(), size);
  }
  ~AlignedPackage() { std::free(data); }
  static void release(void *user, const void *data, size_t size) {
    auto &package = *static_cast<AlignedPackage *>(user);
    EXPECT_EQ(data, package.data);
    EXPECT_EQ(size, package.size);
    ++package.releases;
  }
  char *data;
  size_t size;
  int releases = 0;
};

class Memory : public testing::Test {
protected:
  void SetUp() override {
    writeModel(path, scaleModel());
    good = readFile(path);
    for (uint32_t i = 0; weights.type != format::Weights; ++i)
      std::memcpy(&weights, good.data() + sizeof(format::Header) + i * sizeof weights,
                  sizeof weights);
  }
  unsigned keep(kiln_status *given) {
    status = own(given);
    return kiln_status_code(status.get());
  }
  std::string part(kiln_status_part which) {
    return kiln_status_get(status.get(), which);
  }
  unsigned loadMemory(const void *data, size_t size, AlignedPackage *user = nullptr) {
    kiln_model *loaded = nullptr;
    unsigned code = keep(kiln_model_load_memory(data, size, nullptr, &options,
                                                user ? AlignedPackage::release : nullptr,
                                                user, &loaded));
    model.reset(loaded);
    return code;
  }
  unsigned loadFd(int fd, uint64_t offset, uint64_t length) {
    kiln_model *loaded = nullptr;
    unsigned code =
        keep(kiln_model_load_fd(fd, offset, length, nullptr, &options, &loaded));
    model.reset(loaded);
    return code;
  }
  /// Runs the model in a session and compares the results.
  unsigned run(kiln_session *session) {
    FloatTensor x{"x", {2, 3}}, y{"y", {2, 3}}, sum{"sum", {2}};
    kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
    unsigned code = keep(kiln_session_run(session, &in, 1, out, 2));
    for (size_t i = 0; code == 0 && i < x.data.size(); ++i)
      EXPECT_EQ(y.data[i], scaled(x.data[i]));
    return code;
  }
  unsigned run() { return run(makeSession(model.get()).get()); }

  TempFolder folder;
  std::string path = folder / "m.kiln", good;
  format::Section weights{};
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  ModelPtr model{nullptr, kiln_model_release};
  StatusPtr status = own(nullptr);
};
} // namespace

//===----------------------------------------------------------------------===//
// Packages in memory
//===----------------------------------------------------------------------===//

TEST_F(Memory, IsReleasedWithTheLastSession) {
  AlignedPackage package(good);
  ASSERT_EQ(loadMemory(package.data, package.size, &package), 0u);
  EXPECT_STREQ(kiln_model_path(model.get()), "memory");
  SessionPtr session = makeSession(model.get());
  EXPECT_EQ(run(session.get()), 0u);
  model.reset();
  EXPECT_EQ(package.releases, 0);
  EXPECT_EQ(run(session.get()), 0u);
  session.reset();
  EXPECT_EQ(package.releases, 1);
}

TEST_F(Memory, IsNotReleasedWhenLoadingFails) {
  AlignedPackage package(good);
  EXPECT_EQ(loadMemory(package.data, package.size - 1, &package), 502u);
  package.data[weights.offset] ^= 1;
  options.inspect_only = 1;
  EXPECT_EQ(loadMemory(package.data, package.size, &package), 503u);
  EXPECT_EQ(package.releases, 0);
}

TEST_F(Memory, MustBeAligned) {
  AlignedPackage package("x" + good);
  EXPECT_EQ(loadMemory(package.data + 1, good.size()), 1u);
  EXPECT_EQ(part(KILN_STATUS_EXPECTED), "an address that is a multiple of 64");
  EXPECT_EQ(part(KILN_STATUS_FOUND), "1 bytes beyond one");
}

TEST_F(Memory, TooShortAtEveryPlaceIsAnError) {
  for (size_t size = 0; size < good.size(); size += 61) {
    AlignedPackage package(good.substr(0, size)); // its end is the end of the allocation
    unsigned code = loadMemory(package.data, size);
    EXPECT_TRUE(code == 500 || code == 502) << size << " " << code;
  }
  EXPECT_EQ(loadMemory(nullptr, 5), 1u);
}

TEST_F(Memory, ChangesOfTheWeightsBeforeTheFirstRunAreFound) {
  AlignedPackage package(good);
  package.data[weights.offset] ^= 1;
  ASSERT_EQ(loadMemory(package.data, package.size), 0u);
  EXPECT_EQ(run(), 503u);
}

TEST_F(Memory, LaterChangesReachNeitherPlanNorCode) {
  AlignedPackage package(good);
  ASSERT_EQ(loadMemory(package.data, package.size), 0u);
  ASSERT_EQ(keep(kiln_model_check_weights(model.get())), 0u);
  std::memset(package.data, 0xff, weights.offset);
  EXPECT_EQ(run(), 0u);
}

/// If the bytes change during loading, loading still ends, and reports bytes that do not
/// agree.
TEST_F(Memory, ChangesDuringLoading) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "a race is what is tested";
#endif
#endif
  AlignedPackage package(good);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (uint32_t i = 1; !stop; i = i * 1664525u + 1013904223u)
      __atomic_fetch_xor(package.data + i % weights.offset, char(1 << i % 8),
                         __ATOMIC_RELAXED);
  });
  for (int i = 0; i < 300; ++i) {
    unsigned code = loadMemory(package.data, package.size);
    EXPECT_TRUE(code == 0 || (code >= 500 && code < 520)) << code;
    if (i % 10 == 0)
      std::memcpy(package.data, good.data(), good.size());
  }
  stop = true;
  writer.join();
}

TEST_F(Memory, MappedFileThatIsCutOff) {
  int fd = open(path.c_str(), O_RDWR);
  void *data = mmap(nullptr, good.size(), PROT_READ, MAP_SHARED, fd, 0);
  ASSERT_NE(data, MAP_FAILED);
  options.guard_mapping = 1;
  ASSERT_EQ(loadMemory(data, good.size()), 0u);
  SessionPtr session = makeSession(model.get());
  EXPECT_EQ(run(session.get()), 0u);
  ASSERT_EQ(ftruncate(fd, 100), 0);
  FloatTensor x{"x", {2, 3}}, y{"y", {2, 3}}, sum{"sum", {2}};
  kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
  EXPECT_EQ(keep(kiln_session_run(session.get(), &in, 1, out, 2)), 514u);
  session.reset();
  model.reset();
  munmap(data, good.size());
  close(fd);
}

//===----------------------------------------------------------------------===//
// Packages in files
//===----------------------------------------------------------------------===//

TEST_F(Memory, PackageInsideOfAFile) {
  for (size_t offset : {size_t{0}, size_t{4096}, size_t{77}}) {
    writeFile(path, std::string(offset, 'x') + good + "tail");
    int fd = open(path.c_str(), O_RDONLY);
    lseek(fd, 5, SEEK_SET);
    EXPECT_EQ(loadFd(fd, offset, good.size()), 0u) << kiln_status_message(status.get());
    EXPECT_EQ(lseek(fd, 0, SEEK_CUR), 5);
    close(fd);
    EXPECT_EQ(kiln_model_file_bytes(model.get()), good.size());
    EXPECT_EQ(run(), 0u) << offset;
    EXPECT_STREQ(kiln_model_path(model.get()),
                 ("descriptor " + std::to_string(fd)).c_str());
  }
}

TEST_F(Memory, PackageUpToTheEndOfAFileInMemory) {
  int fd = memfd_create("package", MFD_CLOEXEC);
  std::string bytes = std::string(8192, 'x') + good;
  ASSERT_EQ(write(fd, bytes.data(), bytes.size()), ssize_t(bytes.size()));
  EXPECT_EQ(loadFd(fd, 8192, 0), 0u);
  EXPECT_EQ(run(), 0u);
  SessionPtr session = makeSession(model.get());
  ASSERT_EQ(ftruncate(fd, static_cast<off_t>(bytes.size() + 1)), 0);
  EXPECT_EQ(run(session.get()), 514u); // whatever the change was
  close(fd);
}

TEST_F(Memory, RangesOutsideOfAFile) {
  int fd = open(path.c_str(), O_RDONLY);
  for (auto [offset, length] :
       std::vector<std::pair<uint64_t, uint64_t>>{{good.size() + 1, 0},
                                                  {0, good.size() + 1},
                                                  {UINT64_MAX, 2},
                                                  {1, UINT64_MAX}}) {
    EXPECT_EQ(loadFd(fd, offset, length), 1u) << offset << " " << length;
    EXPECT_EQ(part(KILN_STATUS_EXPECTED),
              "an end of at most " + std::to_string(good.size()));
  }
  EXPECT_EQ(loadFd(fd, good.size(), 0), 500u); // an empty file
  EXPECT_EQ(loadFd(fd, 1, 0), 500u);
  EXPECT_EQ(loadFd(fd, 0, 100), 502u);
  close(fd);
}

TEST_F(Memory, DescriptorsThatAreNoFiles) {
  EXPECT_EQ(loadFd(-1, 0, 0), 2u);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(loadFd(ends[0], 0, 0), 2u);
  EXPECT_EQ(part(KILN_STATUS_FOUND), "a device or pipe");
  close(ends[0]);
  close(ends[1]);
  EXPECT_EQ(loadFd(ends[0], 0, 0), 2u);
  EXPECT_EQ(part(KILN_STATUS_FOUND), "Bad file descriptor");
  for (int mode : {O_WRONLY, O_PATH}) {
    int fd = open(path.c_str(), mode);
    EXPECT_EQ(loadFd(fd, 0, 0), 2u);
    EXPECT_EQ(part(KILN_STATUS_FOUND), "Bad file descriptor");
    close(fd);
  }
  int at = open((folder / "").c_str(), O_RDONLY);
  EXPECT_EQ(loadFd(at, 0, 0), 2u);
  close(at);
}

//===----------------------------------------------------------------------===//
// C++
//===----------------------------------------------------------------------===//

TEST_F(Memory, OfTheWrapper) {
  auto package = std::make_shared<AlignedPackage>(good);
  kiln::rt::Model shared =
      kiln::rt::Model::inPlace(package->data, package->size, package);
  EXPECT_EQ(package.use_count(), 2);
  {
    kiln::rt::Session session(shared);
    shared = kiln::rt::Model::fromDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(package.use_count(), 2);
    EXPECT_EQ(run(session.get()), 0u);
    session.trim();
    EXPECT_EQ(run(session.get()), 0u);
  }
  EXPECT_EQ(package.use_count(), 1);
  EXPECT_EQ(run(kiln::rt::Session(shared).get()), 0u);
  EXPECT_THROW(kiln::rt::Model::inPlace(package->data + 1, 10), kiln::rt::Error);
  EXPECT_EQ(package.use_count(), 1);
}
