//===- TrustTest.cpp ------------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks when a package is loaded, and files that change afterwards.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "kiln/runtime.hpp"
#include "runtime/base/sha256.h"
#include "runtime/package/format.h"
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kiln::test;
namespace rt = kiln::rt;
namespace format = kiln::rt::format;

class Trust : public testing::Test {
protected:
  void SetUp() override {
    writeModel(path, scaleModel());
    good = readFile(path);
    for (uint32_t i = 0;; ++i) {
      std::memcpy(&weights, good.data() + sizeof(format::Header) + i * sizeof weights,
                  sizeof weights);
      if (weights.type == format::Weights)
        break;
    }
  }

  ModelPtr load(const kiln_model_options &options) {
    kiln_model *model = nullptr;
    StatusPtr status = own(kiln_model_load(path.c_str(), &options, &model));
    EXPECT_FALSE(status) << kiln_status_message(status.get());
    return {model, kiln_model_release};
  }
  unsigned run(kiln_session *session) {
    kiln_tensor in[] = {x.tensor()}, out[] = {y.tensor(), sum.tensor()};
    StatusPtr status = own(kiln_session_run(session, in, 1, out, 2));
    message = kiln_status_message(status.get());
    return kiln_status_code(status.get());
  }
  /// Writes into the existing file, as cp does.
  void overwrite(size_t at, char byte) {
    FILE *file = fopen(path.c_str(), "r+b");
    ASSERT_TRUE(file);
    fseek(file, static_cast<long>(at), SEEK_SET);
    fputc(byte, file);
    fclose(file);
    // Set the time, as it would not change within one clock tick.
    timespec times[2] = {{0, UTIME_OMIT}, {1000, 0}};
    utimensat(AT_FDCWD, path.c_str(), times, 0);
  }

  TempFolder folder;
  std::string path = folder / "m.kiln", good, message;
  format::Section weights;
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  FloatTensor x{"x", {2, 3}}, y{"y", {2, 3}}, sum{"sum", {2}};
};

TEST_F(Trust, EveryBitOfTheWeightsCounts) {
  for (uint64_t bit = 0; bit < weights.size * 8; ++bit) {
    std::string bytes = good;
    bytes[weights.offset + bit / 8] ^= 1 << bit % 8;
    writeFile(path, bytes);
    EXPECT_EQ(loadCode(path), 503u) << bit;
    options.trust_weights = 1;
    EXPECT_EQ(loadCode(path, &options), 0u) << bit;
  }
}

TEST_F(Trust, NothingIsComputedWithDamagedWeights) {
  std::string bytes = good;
  bytes[weights.offset] ^= 1;
  writeFile(path, bytes);
  ModelPtr model = load(options);
  SessionPtr session = makeSession(model.get());
  y.data.assign(y.data.size(), 7);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(run(session.get()), 503u);
    EXPECT_NE(message.find(path), std::string::npos) << message;
    EXPECT_EQ(y.data, std::vector<float>(y.data.size(), 7));
    EXPECT_EQ(kiln_status_code(own(kiln_model_check_weights(model.get())).get()), 503u);
  }
  EXPECT_EQ(kiln_status_code(own(kiln_package_check(path.c_str())).get()), 503u);
  options.inspect_only = 1;
  kiln_model *none = nullptr;
  EXPECT_EQ(kiln_status_code(own(kiln_model_load(path.c_str(), &options, &none)).get()),
            503u);
}

TEST_F(Trust, FileThatIsWrittenToBeforeTheFirstRun) {
  ModelPtr model = load(options);
  SessionPtr session = makeSession(model.get());
  overwrite(weights.offset, 77);
  EXPECT_EQ(run(session.get()), 514u);
}

TEST_F(Trust, ForkWhileWeightsAreRead) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "its runtime allows no threads after a fork";
#endif
#endif
  for (bool damaged : {false, true}) {
    std::string bytes = good;
    bytes[weights.offset] ^= damaged;
    writeFile(path, bytes);
    ModelPtr model = load(options);
    SessionPtr session = makeSession(model.get());
    pid_t child = fork();
    if (child == 0) {
      alarm(20); // kill a test that hangs
      unsigned code = run(session.get());
      session.reset();
      model.reset();
      _exit(code == (damaged ? 503 : 0) ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << damaged;
    EXPECT_EQ(run(session.get()), damaged ? 503u : 0u);
  }
}

TEST_F(Trust, ExpectedHash) {
  std::string hash = rt::toHex(rt::sha256(good.data(), good.size()));
  for (int inMemory : {0, 1}) {
    options.in_memory = inMemory;
    options.expect_sha256 = hash.c_str();
    EXPECT_EQ(loadCode(path, &options), 0u);
    std::string upper = hash;
    for (char &c : upper)
      c = static_cast<char>(toupper(c));
    options.expect_sha256 = upper.c_str();
    EXPECT_EQ(loadCode(path, &options), 0u);
    std::string other = hash;
    other[63] = other[63] == '0' ? '1' : '0';
    options.expect_sha256 = other.c_str();
    EXPECT_EQ(loadCode(path, &options), 515u);
    for (const char *bad : {"", "12", "zz"}) {
      options.expect_sha256 = bad;
      EXPECT_EQ(loadCode(path, &options), 1u) << bad;
    }
  }
}

TEST_F(Trust, FileThatIsWrittenTo) {
  ModelPtr model = load(options);
  SessionPtr session = makeSession(model.get());
  EXPECT_EQ(run(session.get()), 0u);
  overwrite(weights.offset, 77);
  EXPECT_EQ(run(session.get()), 514u);
  EXPECT_NE(message.find(path), std::string::npos) << message;
  EXPECT_EQ(loadCode(path), 503u);
}

TEST_F(Trust, FileThatIsCutOff) {
  options.guard_mapping = 1;
  ModelPtr model = load(options);
  SessionPtr session = makeSession(model.get());
  EXPECT_EQ(run(session.get()), 0u);
  ASSERT_EQ(truncate(path.c_str(), 100), 0);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run(session.get()), 514u);
  EXPECT_EQ(loadCode(path), 502u);
}

TEST_F(Trust, FileThatIsReplaced) {
  ModelPtr model = load(options);
  SessionPtr session = makeSession(model.get());
  writeFile(folder / "new", "no package");
  ASSERT_EQ(rename((folder / "new").c_str(), path.c_str()), 0);
  EXPECT_EQ(run(session.get()), 0u);
  EXPECT_EQ(y.data[0], scaled(x.data[0]));
}

TEST_F(Trust, MemoryOutlivesTheFile) {
  options.in_memory = 1;
  ModelPtr model = load(options);
  kiln_model *second = nullptr;
  std::string bytes = good;
  ASSERT_FALSE(
      own(kiln_model_load_buffer(bytes.data(), bytes.size(), nullptr, nullptr, &second)));
  ModelPtr buffered{second, kiln_model_release};
  EXPECT_STREQ(kiln_model_path(second), "a buffer");
  bytes.assign(bytes.size(), 'x');
  overwrite(weights.offset, 77);
  ASSERT_EQ(truncate(path.c_str(), 100), 0);
  for (kiln_model *one : {model.get(), second}) {
    SessionPtr session = makeSession(one);
    EXPECT_EQ(run(session.get()), 0u) << message;
    EXPECT_EQ(y.data[0], scaled(x.data[0]));
  }
}

TEST_F(Trust, DamagedBuffers) {
  kiln_model *model = nullptr;
  auto code = [&](const std::string &bytes) {
    StatusPtr status =
        own(kiln_model_load_buffer(bytes.data(), bytes.size(), "m", nullptr, &model));
    if (!status) {
      status = own(kiln_model_check_weights(model));
      kiln_model_release(model);
    }
    return kiln_status_code(status.get());
  };
  EXPECT_EQ(code(""), 500u);
  EXPECT_EQ(code(good.substr(0, good.size() - 1)), 502u);
  std::string bytes = good;
  bytes[weights.offset] ^= 1;
  EXPECT_EQ(code(bytes), 503u);
  EXPECT_EQ(kiln_status_code(
                own(kiln_model_load_buffer(nullptr, 1, "m", nullptr, &model)).get()),
            1u);
  rt::Model wrapped(good.data(), good.size());
  wrapped.checkWeights();
  EXPECT_EQ(wrapped.inputCount(), 1u);
}

TEST_F(Trust, NullHandles) {
  kiln_model_retain(nullptr);
  EXPECT_EQ(kiln_model_input_count(nullptr), 0u);
  EXPECT_EQ(kiln_model_output(nullptr, 0), nullptr);
  EXPECT_EQ(kiln_model_kernel_name(nullptr, 0), nullptr);
  EXPECT_EQ(kiln_model_variant(nullptr, 0, 0), nullptr);
  EXPECT_EQ(kiln_model_kernel_ptx(nullptr, 0, 0), nullptr);
  EXPECT_EQ(kiln_model_kernel_config(nullptr, 0, 0), nullptr);
  EXPECT_EQ(kiln_model_step(nullptr, 0), nullptr);
  EXPECT_EQ(kiln_model_step_dependencies(nullptr, 0, nullptr), nullptr);
  EXPECT_EQ(kiln_model_path(nullptr), nullptr);
  EXPECT_EQ(kiln_model_provenance(nullptr, nullptr), nullptr);
  EXPECT_EQ(kiln_session_threads(nullptr), 0u);
  EXPECT_EQ(kiln_session_device(nullptr), nullptr);
  EXPECT_EQ(kiln_session_symbol(nullptr, 0), nullptr);
  EXPECT_EQ(kiln_session_step_times(nullptr), nullptr);
  auto is1 = [](kiln_status *status) { return kiln_status_code(own(status).get()) == 1; };
  EXPECT_TRUE(is1(kiln_model_check_weights(nullptr)));
  uint64_t bytes;
  int64_t rows;
  kiln_graph_info graph;
  kiln_step_cost cost;
  kiln_arena_usage usage;
  kiln_step_launch launch;
  EXPECT_TRUE(is1(kiln_model_arena_bytes(nullptr, 0, nullptr, &bytes)));
  EXPECT_TRUE(is1(kiln_model_variant_bounds(nullptr, 0, 0, nullptr, &rows)));
  EXPECT_TRUE(is1(kiln_model_index_rows(nullptr, 0, nullptr, &rows)));
  EXPECT_TRUE(is1(kiln_model_step_cost(nullptr, 0, nullptr, &cost)));
  EXPECT_TRUE(is1(kiln_model_graph(nullptr, &graph)));
  EXPECT_TRUE(is1(kiln_session_run(nullptr, nullptr, 0, nullptr, 0)));
  EXPECT_TRUE(is1(kiln_session_output_shapes(nullptr, nullptr, 0, nullptr, 0)));
  EXPECT_TRUE(is1(kiln_session_set_stream(nullptr, nullptr)));
  EXPECT_TRUE(is1(kiln_session_synchronize(nullptr)));
  EXPECT_TRUE(is1(kiln_session_reset_state(nullptr)));
  EXPECT_TRUE(is1(kiln_session_arena(nullptr, 0, &usage)));
  EXPECT_TRUE(is1(kiln_session_step_launch(nullptr, 0, &launch)));
  ModelPtr model = load(options);
  EXPECT_TRUE(is1(kiln_model_graph(model.get(), nullptr)));
  EXPECT_TRUE(is1(kiln_model_arena_bytes(model.get(), 0, nullptr, nullptr)));
}
